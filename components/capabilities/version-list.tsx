import { IconButton } from "../ui/button";
import { inlineJson } from "../ui/json-text";
import { Menu, MenuItem } from "../ui/menu";
import { Tag } from "../ui/pill";
import { RelativeTime } from "../ui/relative-time";
import type { CapabilityViewProps } from "./capability-view-props";
import { diffVersions } from "./version-diff";

type VersionListProps = Omit<CapabilityViewProps, "version"> & { readonly shown: CapabilityViewProps["version"] };

/** Versions, newest first, each with what it changed from the one before. */
export const VersionList = ({ detail, shown, mayEdit, onShow, onRetire, onEnable }: VersionListProps) => (
  <ol className="divide-y divide-hairline">
    {detail.versions.map((version, index) => {
      const { capability, createdBy, createdAt, retired, note } = version;
      const previous = detail.versions[index + 1];
      return (
        <li key={capability.version} className={`px-3 py-2 text-small ${version === shown ? "bg-hover" : ""}`}>
          <div className="flex items-center gap-2">
            <button
              type="button"
              className="font-medium hover:underline"
              aria-current={version === shown ? "true" : undefined}
              onClick={() => onShow(capability.version)}
            >
              Version {capability.version}
            </button>
            {capability.version === detail.current ? <Tag>current</Tag> : null}
            {retired === undefined ? null : <Tag tone="cancelled">retired</Tag>}
            <span className="flex-1" />
            {mayEdit ? (
              <Menu
                trigger={<IconButton icon="dots" label={`Actions on version ${capability.version}`} size="small" />}
              >
                {retired === undefined ? (
                  <MenuItem icon="struck" danger onSelect={() => onRetire(capability.version)}>
                    Retire this version…
                  </MenuItem>
                ) : (
                  <MenuItem icon="check" onSelect={() => onEnable(capability.version)}>
                    Put into use
                  </MenuItem>
                )}
              </Menu>
            ) : null}
          </div>
          <p className="text-fg-3">
            {createdAt === undefined ? (
              "Ships with Planwright"
            ) : (
              <>
                <RelativeTime at={createdAt} /> by {createdBy?.name}
              </>
            )}
          </p>
          {note === undefined ? null : <p className="text-fg-2">{note}</p>}
          {previous === undefined ? null : <Changes before={previous} after={version} />}
        </li>
      );
    })}
  </ol>
);

type Version = CapabilityViewProps["version"];

function Changes({ before, after }: { readonly before: Version; readonly after: Version }) {
  const changes = diffVersions(before.capability, after.capability);
  return (
    <details className="mt-1">
      <summary className="cursor-pointer text-fg-3 hover:text-fg">
        {changes.length === 1 ? "1 change" : `${changes.length} changes`} from version {before.capability.version}
      </summary>
      <ul className="mt-1 flex flex-col gap-2">
        {changes.map(({ place, before: old, after: young }) => (
          <li key={place} className="min-w-0">
            <div className="mono text-micro break-words text-fg-3">{place}</div>
            {old === undefined ? null : <Value tone="removed" sign="−" value={old} />}
            {young === undefined ? null : <Value tone="added" sign="+" value={young} />}
          </li>
        ))}
      </ul>
    </details>
  );
}

const LETTERS_MAX = 240;

const Value = ({
  tone,
  sign,
  value,
}: {
  readonly tone: "added" | "removed";
  readonly sign: string;
  readonly value: unknown;
}) => {
  const text = inlineJson(value);
  return (
    <div className={`tone-${tone} flex gap-1.5 rounded-tag bg-tone-bg px-1.5 text-tone`}>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{sign === "+" ? "now" : "before"}</span>
      <span className="mono min-w-0 text-micro break-all">
        {text.length > LETTERS_MAX ? `${text.slice(0, LETTERS_MAX)}…` : text}
      </span>
    </div>
  );
};
