// The way back from a fold: what it wrote is taken out, and what stood there put in again.

import { PinfoldError } from "./error.js";
import { formOf } from "./input.js";
import { listOf, withList } from "./list.js";
import type { Input, Undo } from "./types.js";

/**
 * The transcript as it was before a fold, and behind it whatever came since. A list gives the entries that were folded
 * themselves. Of several folds the newest is taken back first.
 */
export function restore<T extends Input>(transcript: T, undo: Undo): T {
  const { at, written, removed } = undo ?? {};
  const form = formOf(transcript);
  if (form === "value" && Array.isArray(written) && Array.isArray(removed)) {
    const list = listOf(transcript as object) ?? [];
    const front = list.slice(0, written.length);
    if (JSON.stringify(front) !== JSON.stringify(written)) {
      throw anotherFold();
    }
    return withList(transcript as object, [...removed, ...list.slice(written.length)]) as T;
  }
  if (typeof at !== "number" || typeof written !== "string" || typeof removed !== "string") {
    throw anotherFold();
  }
  const text = form === "text" ? (transcript as string) : form === "bytes" ? new TextDecoder().decode(transcript as Uint8Array) : JSON.stringify(transcript);
  if (!text.startsWith(written, at)) {
    throw anotherFold();
  }
  const whole = text.slice(0, at) + removed + text.slice(at + written.length);
  return (form === "text" ? whole : form === "bytes" ? new TextEncoder().encode(whole) : JSON.parse(whole)) as T;
}

function anotherFold(): PinfoldError {
  return new PinfoldError(
    "other-transcript",
    "What this fold wrote does not stand at the front of the transcript: give what `fold` gave, grown or not, in the same form, with its `report.undo`; of several folds the newest is taken back first.",
  );
}
