import type { ComponentPropsWithRef } from "react";
import { classNames } from "./class-names";

export const Table = ({ className, ...rest }: ComponentPropsWithRef<"table">) => (
  <table className={classNames("table", className)} {...rest} />
);

interface CellProps {
  /** Right-aligned, with tabular figures. */
  readonly numeric?: boolean;
}

export const Th = ({ numeric, className, ...rest }: ComponentPropsWithRef<"th"> & CellProps) => (
  <th scope="col" className={classNames(numeric && "number", className)} {...rest} />
);

export const Td = ({ numeric, className, ...rest }: ComponentPropsWithRef<"td"> & CellProps) => (
  <td className={classNames(numeric && "number", className)} {...rest} />
);
