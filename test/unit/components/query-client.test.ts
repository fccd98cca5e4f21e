import { QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { createQueryClient } from "../../../components/trpc-client/query-client";

it("asks again where a change is made while a page loads for the first time", async () => {
  const client = createQueryClient();
  let stored = "before";
  const answers: (() => void)[] = [];
  const asked = () => {
    const value = stored;
    return new Promise<string>((resolve) => answers.push(() => resolve(value)));
  };
  const observer = new QueryObserver(client, { queryKey: ["keys"], queryFn: asked });
  const leave = observer.subscribe(() => {});
  expect(answers).toHaveLength(1);
  stored = "after";
  const refreshed = client.invalidateQueries({ queryKey: ["keys"] });
  answers[0]?.();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.();
  await refreshed;
  expect(observer.getCurrentResult().data).toBe("after");
  leave();
  client.clear();
});
