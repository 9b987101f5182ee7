// How an input crosses into the wasm, and how a transcript is put together again from the caller's own objects.

import { PinfoldError } from "./error.js";
import type { Input } from "./types.js";

type Form = "bytes" | "text" | "value";

/** Whether `input` is text, bytes, or a value that an SDK holds. */
export function formOf(input: unknown): Form {
  if (typeof input === "string") {
    return "text";
  }
  // By its tag and not by `instanceof`: a test runner's array may come from another realm.
  if (ArrayBuffer.isView(input) && (input as Uint8Array)[Symbol.toStringTag] === "Uint8Array") {
    return "bytes";
  }
  if (ArrayBuffer.isView(input) || input instanceof ArrayBuffer) {
    throw new PinfoldError("bad-input", "The input is binary, but no Uint8Array: wrap it, as in new Uint8Array(buffer).");
  }
  if (typeof input === "object" && input !== null) {
    return "value";
  }
  const shown = typeof input === "function" || typeof input === "symbol" ? `a ${typeof input}` : String(input);
  const way = "give JSON text, its bytes as a Uint8Array, a list of entries, or a request that holds one";
  throw new PinfoldError("bad-input", `The input is ${shown}: ${way}.`);
}

/**
 * The input as UTF-8.
 *
 * Text is encoded here rather than handed over as a string. Measured by `node pkg/bench/cross.mjs` (Node 20.20, 7.2
 * million code units, median of 30, on two busy cores, so the ratios say more than the times): as a string 86 ms where all
 * is ASCII, because the glue then goes through it unit by unit, and 8 to 9 ms otherwise; as bytes 19 to 28 ms whatever it
 * holds. `JSON.parse` of the same text took 57 to 64 ms and `check` 118 to 171. A value adds its `JSON.stringify`.
 */
export function encode(input: Input): Uint8Array {
  switch (formOf(input)) {
    case "bytes":
      return input as Uint8Array;
    case "text":
      return new TextEncoder().encode(wellFormed(input as string));
    case "value":
      return new TextEncoder().encode(json(input as object));
  }
}

/** A text in which lone surrogates, which UTF-8 cannot carry, stand as the escapes that JSON has for them. */
function wellFormed(text: string): string {
  const known = (text as { isWellFormed?: () => boolean }).isWellFormed?.();
  return known === true ? text : text.replace(/\p{Surrogate}/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}

function json(value: object): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new PinfoldError("not-json", `JSON cannot carry the input: ${culprit(value) ?? reason(error)}`, { cause: error });
  }
  if (text === undefined) {
    throw new PinfoldError("not-json", "JSON cannot carry the input: its toJSON method returns nothing that JSON knows.");
  }
  return text;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What in `value` JSON cannot carry, or `undefined` if it is not a matter of one place. */
function culprit(value: object): string | undefined {
  // Not by recursion, so that the search survives a nesting that `JSON.stringify` did not.
  const stack: { value: object; path: string; leave?: true }[] = [{ value, path: "input" }];
  const open = new Map<object, string>();
  try {
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (next.leave) {
        open.delete(next.value);
        continue;
      }
      open.set(next.value, next.path);
      stack.push({ ...next, leave: true });
      for (const [key, child] of Object.entries(next.value)) {
        const path = Array.isArray(next.value) ? `${next.path}[${key}]` : `${next.path}.${key}`;
        if (typeof child?.toJSON === "function") {
          continue;
        }
        if (typeof child === "bigint") {
          return `${path} is the BigInt ${child}n. Make it a string or a number first.`;
        }
        if (typeof child === "object" && child !== null) {
          if (open.has(child)) {
            return `${path} is ${open.get(child)} again, a cycle. Leave it out first.`;
          }
          stack.push({ value: child, path });
        }
      }
    }
  } catch {
    // A getter that throws: the first error says as much.
  }
  return undefined;
}
