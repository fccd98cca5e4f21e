/** Wakes a loop: any number of beats between two waits wake it once, and none is lost. */
export class Pulse {
  #beaten = false;
  #wake: (() => void) | undefined;

  beat(): void {
    this.#beaten = true;
    this.#wake?.();
  }

  /** Settles at the next beat, at once if there was one since the last wait. */
  async next(): Promise<void> {
    if (!this.#beaten) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    this.#beaten = false;
  }
}
