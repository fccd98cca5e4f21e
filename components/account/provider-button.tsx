"use client";

import { useState } from "react";
import { Button } from "../ui/button";
import { signInAtProvider } from "./auth-requests";

/** Goes to the identity provider, which sends whoever signs in there back to `back`. */
export function ProviderButton({ name, back }: { readonly name: string; readonly back: string }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const go = async () => {
    setState("busy");
    const address = await signInAtProvider(back);
    if (address === undefined) setState("failed");
    else window.location.assign(address);
  };
  return (
    <div className="mt-4 flex flex-col gap-2">
      <Button size="large" disabled={state === "busy"} onClick={() => void go()}>
        {state === "busy" ? "Going there…" : `Continue with ${name}`}
      </Button>
      {state === "failed" ? (
        <p role="alert" className="tone-failed text-small text-tone">
          {name} does not answer right now. The server's log says why.
        </p>
      ) : null}
    </div>
  );
}
