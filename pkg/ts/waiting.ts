// Waiting that ends by itself: after a time, or when a signal says so.

import type { Signal } from "./types.js";

/** The longest time that a timer of JavaScript can wait; a longer one would go off at once. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** Throws the signal's reason if it has spoken. */
export function throwIfAborted(signal: Signal | undefined): void {
  if (signal?.aborted) {
    throw signal.reason;
  }
}

/**
 * Resolves after so many milliseconds, and rejects with the signal's reason if that comes first. Whoever waits no longer calls
 * `stop`, so that neither a timer nor a listener is left behind.
 */
export function ends(milliseconds: number, signal: Signal | undefined): Promise<void> & { stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = () => {};
  const promise = new Promise<void>((resolve, reject) => {
    timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_WAIT));
    abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort);
  });
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  };
  return Object.assign(promise, { stop });
}
