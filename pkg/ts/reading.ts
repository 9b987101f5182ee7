// What every call does with its input before it asks the wasm.

import { Reading } from "../wasm/pinfold.js";
import { guarded } from "./error.js";
import { encode, type formOf } from "./input.js";
import { listOf } from "./list.js";

/**
 * Reads an input. What is read is freed by the call that it is read for.
 *
 * @internal
 */
export function read(call: string, input: unknown, options: unknown): Reading {
  const bytes = encode(input as object);
  const copy = copied(options);
  return guarded(() => new Reading(call, bytes, copy));
}

/**
 * A copy of options, so that no getter of the caller's runs inside the wasm.
 *
 * @internal
 */
export function copied(options: unknown): any {
  return typeof options === "object" && options !== null && !Array.isArray(options) ? { ...options } : options;
}

/**
 * The caller's own objects that are the entries; `undefined` if they were read from inside of the input.
 *
 * @internal
 */
export function ownEntries(reading: Reading, input: object): unknown[] | undefined {
  const list = reading.own ? listOf(input) : undefined;
  // A `toJSON` method may have made another list of it.
  return list?.length === reading.length ? list : undefined;
}

/**
 * A text in the form in which the input came.
 *
 * @internal
 */
export function inForm(form: ReturnType<typeof formOf>, text: string): unknown {
  switch (form) {
    case "text":
      return text;
    case "bytes":
      return new TextEncoder().encode(text);
    case "value":
      return JSON.parse(text);
  }
}
