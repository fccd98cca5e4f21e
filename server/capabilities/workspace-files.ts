import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readFile, realpath, rename, stat, unlink } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { fileRead, fileWrite } from "#kernel/capability/built-in/files";
import { snapshotCapability } from "#kernel/capability/capability";
import { err, ok, type Result } from "#kernel/result";
import { type CallResult, committed, type Implementation, succeeded, terminal } from "./definition";

const BYTES_MAX = 5_000_000;

const denied = (message: string): CallResult =>
  terminal({ errorCategory: "policy_denied", message, sideEffect: "none" });

/**
 * The place a path names inside `root`, or why it names none. A link that leads out of the folder is refused where
 * it stands, so the nearest existing parent decides, resolved.
 */
async function placeIn(root: string, path: string): Promise<Result<string, string>> {
  const parts = path.split(/[/\\]/);
  if (path.includes("\0") || parts.some((part) => part === ".." || part === "." || part === ""))
    return err(`${path} is not a plain path within the workspace folder.`);
  await mkdir(root, { recursive: true });
  const realRoot = await realpath(root);
  const target = join(realRoot, ...parts);
  let existing = target;
  for (;;) {
    const resolved = await realpath(existing).catch(() => undefined);
    if (resolved !== undefined) {
      const inside = resolved === realRoot || resolved.startsWith(realRoot + sep);
      return inside ? ok(target) : err(`${path} leads out of the workspace folder.`);
    }
    existing = dirname(existing);
  }
}

const isMissing = (problem: unknown): boolean =>
  problem instanceof Error && "code" in problem && (problem.code === "ENOENT" || problem.code === "ENOTDIR");

const readImplementation = (folderOf: (workspaceId: string) => string): Implementation => ({
  capability: snapshotCapability(fileRead),
  async call({ path }, { workspaceId }) {
    const place = await placeIn(folderOf(workspaceId), String(path));
    if (!place.ok) return denied(place.error);
    try {
      const { size } = await stat(place.value);
      if (size > BYTES_MAX)
        return terminal({
          errorCategory: "output_too_large",
          message: `${String(path)} has ${size} bytes; ${BYTES_MAX} can be read.`,
        });
      const text = await readFile(place.value, "utf8");
      return succeeded({ path: String(path), text, bytes: size });
    } catch (problem) {
      if (isMissing(problem))
        return terminal({ errorCategory: "not_found", message: `${String(path)} does not exist.` });
      throw problem;
    }
  },
});

const writeImplementation = (folderOf: (workspaceId: string) => string): Implementation => ({
  capability: snapshotCapability(fileWrite),
  async call({ path, text }, { workspaceId }) {
    const place = await placeIn(folderOf(workspaceId), String(path));
    if (!place.ok) return denied(place.error);
    const bytes = Buffer.from(String(text), "utf8");
    const before = await readFile(place.value).catch(() => undefined);
    await mkdir(dirname(place.value), { recursive: true });
    await replaceFile(place.value, bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return committed(
      { path: String(path), bytes: bytes.length, sha256 },
      before === undefined || !before.equals(bytes),
    );
  },
});

/** Written beside its place and moved there, so that a reader never sees half of it and a crash leaves the old one. */
async function replaceFile(place: string, bytes: Buffer): Promise<void> {
  const draft = `${place}.${randomUUID()}.part`;
  const file = await open(draft, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, place).catch(async (problem) => {
    await unlink(draft).catch(() => undefined);
    throw problem;
  });
}

/** `file.read` and `file.write` in the folder of the run's workspace. */
export const fileImplementations = (folderOf: (workspaceId: string) => string): readonly Implementation[] => [
  readImplementation(folderOf),
  writeImplementation(folderOf),
];
