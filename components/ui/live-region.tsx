"use client";

import { useEffect, useRef, useState } from "react";

export interface LiveRegionProps {
  /** The newest thing to say. A change is spoken politely, at most once a second; what came between is dropped. */
  readonly message: string;
}

export function LiveRegion({ message }: LiveRegionProps) {
  const [spoken, setSpoken] = useState("");
  const lastAt = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, lastAt.current + 1000 - Date.now());
    const timer = setTimeout(() => {
      lastAt.current = Date.now();
      setSpoken(message);
    }, wait);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {spoken}
    </div>
  );
}
