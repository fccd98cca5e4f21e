"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { refusalOf } from "../trpc-client/refusal-of";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { Refusal } from "../ui/refusal";
import { RelativeTime } from "../ui/relative-time";
import { SkeletonRows } from "../ui/skeleton";
import { deviceOf } from "./device-of";

/** The browsers in which the reader is signed in, and how to end one. */
export function SessionsBox() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(trpc.sessions.pathFilter());
  const list = useQuery(trpc.sessions.list.queryOptions());
  const revoke = useMutation(trpc.sessions.revoke.mutationOptions({ onSuccess: refresh }));
  const revokeOthers = useMutation(trpc.sessions.revokeOthers.mutationOptions({ onSuccess: refresh }));
  const refusal = refusalOf(revoke.error ?? revokeOthers.error);
  const others = list.data?.sessions.filter(({ current }) => !current).length ?? 0;
  return (
    <section>
      <div className="mb-2 flex flex-wrap items-end gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1">
          <h2 className="text-lead font-semibold">Where you are signed in</h2>
          <p className="mt-0.5 text-small text-fg-3">Ending one takes effect at once, in open pages too.</p>
        </div>
        {others === 0 ? null : (
          <Button
            variant="danger"
            disabled={revokeOthers.isPending}
            onClick={() => {
              revoke.reset();
              revokeOthers.mutate();
            }}
          >
            End all others
          </Button>
        )}
      </div>
      <div className="box overflow-hidden">
        <Refusal message={refusal} className="border-b border-hairline px-4 py-2" />
        {list.error !== null ? (
          <ErrorNotice title="The sessions did not load">{toApiError(list.error).message}</ErrorNotice>
        ) : list.data === undefined ? (
          <SkeletonRows rows={2} label="Loading sessions" />
        ) : (
          <ul aria-label="Sessions">
            {list.data.sessions.map((session) => (
              <li
                key={session.id}
                className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline px-4 py-1.5 last:border-b-0"
              >
                <span className="cut min-w-0 flex-1" title={session.userAgent ?? "unknown browser"}>
                  <span className="font-medium">{deviceOf(session.userAgent)}</span>
                  <span className="text-fg-3"> {session.address}</span>
                </span>
                <span className="text-small text-fg-3">
                  signed in <RelativeTime at={session.createdAt} />
                </span>
                {session.current ? (
                  <span className="w-20 text-right text-small text-fg-3">this one</span>
                ) : (
                  <Button
                    size="small"
                    variant="danger"
                    className="w-20"
                    onClick={() => {
                      revokeOthers.reset();
                      revoke.mutate({ sessionId: session.id });
                    }}
                  >
                    End
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
