/**
 * Where to go after signing in: a path of ours, or the plans. Anything that a browser could read as another host
 * (`//host`, `/\host`, a scheme) is dropped, so that a link to the form cannot send people elsewhere.
 */
export function safeBackPath(back: string | undefined): string {
  if (back === undefined || !back.startsWith("/")) return "/plans";
  const here = "http://here.invalid";
  const target = URL.canParse(back, here) ? new URL(back, here) : undefined;
  if (target === undefined || target.origin !== here || target.pathname.startsWith("/sign-in")) return "/plans";
  return target.pathname + target.search + target.hash;
}
