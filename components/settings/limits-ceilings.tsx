import { useState } from "react";
import { formatCost, formatCount } from "#kernel/view/format";
import type { ApiInputs, ApiOutputs } from "../trpc-client/context";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Field, TextInput } from "../ui/input";
import { Refusal } from "../ui/refusal";
import { Select } from "../ui/select";
import { Table, Td, Th } from "../ui/table";
import { SettingsBox } from "./settings-page";

type Ceiling = ApiOutputs["limits"]["get"]["ceilings"][number];
type CeilingInput = ApiInputs["limits"]["setCeiling"];

export interface LimitsCeilingsProps {
  readonly ceilings: readonly Ceiling[];
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly mayEdit: boolean;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly removeError: string | undefined;
  readonly onSet: (ceiling: CeilingInput, onDone: () => void) => void;
  readonly onRemove: (ceilingId: string) => void;
}

const BUDGETS: Readonly<Record<Ceiling["budget"], string>> = {
  costUsd: "Cost, USD",
  tokens: "Tokens",
  toolCalls: "Calls",
  sideEffects: "Side effects",
  runs: "Runs started",
};
const PERIODS: Readonly<Record<Ceiling["period"], string>> = { day: "a day", month: "a month" };

export function LimitsCeilings(props: LimitsCeilingsProps) {
  const { ceilings, mayEdit, isBusy, onRemove } = props;
  return (
    <SettingsBox title="Ceilings" hint="Days and months begin at midnight UTC. A ceiling counts from when it is set.">
      <Refusal message={props.removeError} className="border-b border-hairline px-4 py-2" />
      {ceilings.length === 0 ? (
        <p className="px-4 py-3 text-small text-fg-3">
          No ceiling is set: runs are bounded by their plans' own budgets alone.
        </p>
      ) : (
        <div className="overflow-x-auto">
          <Table aria-label="Ceilings">
            <thead>
              <tr>
                <Th>For</Th>
                <Th>What</Th>
                <Th numeric>Used</Th>
                <Th numeric>Limit</Th>
                <Th>
                  <span className="sr-only">Share used</span>
                </Th>
                {mayEdit ? (
                  <Th>
                    <span className="sr-only">Actions</span>
                  </Th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {ceilings.map((ceiling) => (
                <tr key={ceiling.id}>
                  <Td className="font-medium">
                    <span className="block max-w-48 truncate">{whose(ceiling)}</span>
                  </Td>
                  <Td className="whitespace-nowrap">
                    {BUDGETS[ceiling.budget]} {PERIODS[ceiling.period]}
                  </Td>
                  <Td numeric>{amount(ceiling, ceiling.spent)}</Td>
                  <Td numeric>{amount(ceiling, ceiling.limit)}</Td>
                  <Td>
                    <ShareBar ceiling={ceiling} />
                  </Td>
                  {mayEdit ? (
                    <Td className="text-right">
                      <Button size="small" disabled={isBusy} onClick={() => onRemove(ceiling.id)}>
                        Remove<span className="sr-only"> the ceiling of {whose(ceiling)}</span>
                      </Button>
                    </Td>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {mayEdit ? <CeilingForm {...props} /> : null}
    </SettingsBox>
  );
}

const whose = ({ personId, personName }: Ceiling): string =>
  personId === undefined ? "Everybody together" : (personName ?? personId);

const amount = ({ budget }: Pick<Ceiling, "budget">, value: number): string =>
  budget === "costUsd" ? formatCost(value) : formatCount(value);

function ShareBar({ ceiling }: { readonly ceiling: Ceiling }) {
  const share = ceiling.limit === 0 ? 1 : Math.min(1, ceiling.spent / ceiling.limit);
  return (
    <span
      role="img"
      aria-label={`${Math.round(share * 100)} % used`}
      className="block h-1.5 w-24 rounded-full"
      style={{ background: "var(--n-4)" }}
    >
      <span
        className="block h-1.5 rounded-full"
        style={{
          width: `${share * 100}%`,
          background: share >= 1 ? "var(--st-stopped-budget-bd)" : "var(--text-2)",
        }}
      />
    </span>
  );
}

/** No id of a person, and not empty: the select takes an empty value for no choice. */
const EVERYBODY = "everybody";

function CeilingForm({ people, isBusy, error, onSet }: LimitsCeilingsProps) {
  const [personId, setPersonId] = useState(EVERYBODY);
  const [budget, setBudget] = useState<Ceiling["budget"]>("costUsd");
  const [period, setPeriod] = useState<Ceiling["period"]>("day");
  const [limit, setLimit] = useState("");
  const value = Number(limit);
  const valid = limit.trim() !== "" && Number.isFinite(value) && value >= 0;
  const everybody = { value: EVERYBODY, label: "Everybody together" };
  return (
    <form
      className="grid grid-cols-[repeat(auto-fit,minmax(140px,1fr))] items-end gap-3 border-t border-hairline px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!valid) return;
        onSet({ period, budget, limit: value, ...(personId === EVERYBODY ? {} : { personId }) }, () => setLimit(""));
      }}
    >
      <Field label="For">
        {({ id }) => (
          <Select
            id={id}
            value={personId}
            options={[everybody, ...people.map((person) => ({ value: person.id, label: person.name }))]}
            onValueChange={setPersonId}
          />
        )}
      </Field>
      <Field label="What">
        {({ id }) => <Select id={id} value={budget} options={optionsOf(BUDGETS)} onValueChange={setBudget} />}
      </Field>
      <Field label="In">
        {({ id }) => <Select id={id} value={period} options={optionsOf(PERIODS)} onValueChange={setPeriod} />}
      </Field>
      <Field label="Limit" {...(error === undefined ? {} : { error })}>
        {(control) => (
          <TextInput
            {...control}
            inputMode="decimal"
            value={limit}
            invalid={limit !== "" && !valid}
            onChange={(event) => setLimit(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={!valid || isBusy}>
        <Icon name="plus" small />
        Set the ceiling
      </Button>
    </form>
  );
}

const optionsOf = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  (Object.entries(words) as [Value, string][]).map(([value, label]) => ({ value, label }));
