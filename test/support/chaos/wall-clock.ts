/** Lets this process's wall clock be ahead of everybody's, as on a machine that nobody keeps in time. */
export function setClockAhead(skewMs: number): void {
  const TrueDate = Date;
  const now = (): number => TrueDate.now() + skewMs;
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, words, made) => Reflect.construct(target, words.length === 0 ? [now()] : words, made),
    apply: () => new TrueDate(now()).toString(),
    get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
  });
}
