import Link from "next/link";
import { Button } from "../ui/button";
import { formatRelative } from "../ui/duration";
import { Icon } from "../ui/icon";
import { RelativeTime, useNow } from "../ui/relative-time";
import { Table, Td, Th } from "../ui/table";
import { type Delivery, notificationWord } from "./notification-words";

export interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[];
  readonly onRetry: (delivery: Delivery) => void;
}

export const DeliveryTable = ({ deliveries, onRetry }: DeliveryTableProps) => (
  <div className="overflow-x-auto">
    <Table aria-label="Deliveries">
      <thead>
        <tr>
          <Th>What</Th>
          <Th>Channel</Th>
          <Th>State</Th>
          <Th numeric>When</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <Td className="h-9!">
              <span className="block font-medium whitespace-nowrap">{notificationWord(delivery.kind)}</span>
              {delivery.runId === undefined ? null : (
                <Link
                  href={
                    delivery.gateId === undefined
                      ? `/runs/${delivery.runId}`
                      : `/approvals?gate=${encodeURIComponent(delivery.gateId)}`
                  }
                  prefetch={false}
                  className="block max-w-56 truncate text-micro text-fg-3 hover:text-fg"
                >
                  {delivery.runName ?? delivery.runId}
                </Link>
              )}
            </Td>
            <Td className="max-w-40 truncate text-fg-2" title={delivery.channelName}>
              {delivery.channelName}
            </Td>
            <Td>
              <State delivery={delivery} />
            </Td>
            <Td numeric className="whitespace-nowrap text-fg-2">
              <RelativeTime at={delivery.sentAt ?? delivery.at} />
            </Td>
            <Td>
              {delivery.status === "failed" ? (
                <Button size="small" onClick={() => onRetry(delivery)}>
                  Try again
                </Button>
              ) : null}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  </div>
);

function State({ delivery }: { readonly delivery: Delivery }) {
  const attempts = delivery.attempts > 1 ? `, attempt ${delivery.attempts}` : "";
  switch (delivery.status) {
    case "sent":
      return (
        <span className="tone-succeeded flex items-center gap-1.5 whitespace-nowrap text-tone">
          <Icon name="check" small />
          sent{attempts}
        </span>
      );
    case "failed":
      return (
        <span className="tone-failed block max-w-72 text-tone" title={delivery.lastError}>
          <span className="flex items-center gap-1.5 whitespace-nowrap">
            <Icon name="cross" small />
            given up{attempts}
          </span>
          <span className="block truncate text-micro">{delivery.lastError}</span>
        </span>
      );
    case "pending":
      return (
        <span className="tone-held block max-w-72 text-tone" title={delivery.lastError}>
          <span className="flex items-center gap-1.5 whitespace-nowrap">
            <Icon name="clock" small />
            {delivery.lastError === undefined ? (
              "on its way"
            ) : (
              <NextAttempt at={delivery.nextAttemptAt ?? delivery.at} />
            )}
          </span>
          {delivery.lastError === undefined ? null : (
            <span className="block truncate text-micro">{delivery.lastError}</span>
          )}
        </span>
      );
  }
}

/** A time to come, or just past where the worker is about to try. */
function NextAttempt({ at }: { readonly at: number }) {
  const now = useNow();
  return now === 0 || at - now < 3_000 ? "again now" : `again ${formatRelative(at, now)}`;
}
