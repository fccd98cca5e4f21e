"use client";

import { useState } from "react";
import { Button } from "./button";
import { Icon } from "./icon";

/** A text that is shown once, to be taken along: a key, a link. */
export function CopyText({ text }: { readonly text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <div className="flex items-center gap-2 rounded-box border border-hairline bg-sunken p-2">
      <code className="mono min-w-0 flex-1 break-all">{text}</code>
      <Button size="small" onClick={() => void copy()}>
        <Icon name={isCopied ? "check" : "copy"} /> {isCopied ? "Copied" : "Copy"}
      </Button>
    </div>
  );
}
