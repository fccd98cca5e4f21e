"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../trpc-client/context";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../ui/menu";

/** Plans that the menu offers; every other one is reached from its own page. */
const OFFERED_MAX = 30;

interface ReviewScopeProps {
  readonly planId: string | undefined;
  readonly planName: string | undefined;
}

/** What is under review: everything, or one plan with its runs. */
export function ReviewScope({ planId, planName }: ReviewScopeProps) {
  const trpc = useTRPC();
  const plans = useQuery(trpc.plans.list.queryOptions({ limit: OFFERED_MAX })).data?.plans ?? [];
  return (
    <Menu
      align="end"
      trigger={
        <Button>
          <span className="cut max-w-56">{planId === undefined ? "All plans" : (planName ?? "One plan")}</span>
          <Icon name="down" small />
        </Button>
      }
    >
      <MenuItem checked={planId === undefined} href="/review">
        All plans
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>One plan and its runs</MenuLabel>
      {plans.map(({ id, name }) => (
        <MenuItem key={id} checked={id === planId} href={`/plans/${encodeURIComponent(id)}/review`}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}
