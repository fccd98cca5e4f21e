"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useStore } from "zustand";
import type { Plan } from "#kernel/plan/plan";
import type { DesignerActions, DesignerState, DesignerStore } from "./designer-store";

const DesignerContext = createContext<DesignerStore | undefined>(undefined);

export interface DesignerProviderProps {
  readonly store: DesignerStore;
  readonly children: ReactNode;
}

export const DesignerProvider = ({ store, children }: DesignerProviderProps) => (
  <DesignerContext value={store}>{children}</DesignerContext>
);

export function useDesignerStore(): DesignerStore {
  const store = useContext(DesignerContext);
  if (store === undefined) throw new Error("This part belongs inside a DesignerProvider");
  return store;
}

/** Selectors return primitives or objects the store keeps, never fresh ones. */
export const useDesigner = <Selected,>(selector: (state: DesignerState) => Selected): Selected =>
  useStore(useDesignerStore(), selector);

export const useDesignerActions = (): DesignerActions => useDesigner((state) => state.actions);

export const usePlan = (): Plan => useDesigner((state) => state.history.plan);
