import { classNames } from "./class-names";

export interface RefusalProps {
  /** Undefined: nothing was refused, and nothing is shown. */
  readonly message: string | undefined;
  readonly className?: string;
}

/** Why what was just asked for did not happen, said where it was asked for. */
export const Refusal = ({ message, className }: RefusalProps) =>
  message === undefined ? null : (
    <p role="alert" className={classNames("tone-failed text-small text-tone", className)}>
      {message}
    </p>
  );
