import { detect as detectBytes, transcripts as transcriptsOfBytes, version as versionOfWasm } from "../wasm/pinfold.js";
import { guarded } from "./error.js";
import { encode, formOf } from "./input.js";
import { withList } from "./list.js";
import { inForm, ownEntries, read } from "./reading.js";
import type {
  Checked,
  CheckOptions,
  Converted,
  ConvertOptions,
  ConvertResult,
  Cut,
  Detected,
  Folded,
  Input,
  ReadOptions,
  RepairOptions,
  RepairResult,
  TranscriptInfo,
} from "./types.js";

export { compactor } from "./compactor.js";
export { PinfoldError } from "./error.js";
export { fold, noteRequest, plan, verify } from "./fold.js";
export { Ledger } from "./ledger.js";
export { Session } from "./session.js";
export type * from "./types.js";
export { restore } from "./undo.js";

/** The version of Pinfold. */
export function version(): string {
  return versionOfWasm();
}

/** Tells the format of an input without reading the whole; `null` if no transcript is recognised. */
export function detect(input: Input): Detected | null {
  const bytes = encode(input);
  return guarded(() => detectBytes(bytes));
}

/** The transcripts in an input: one for a list or a request, several for a data set, a cassette or a log. */
export function transcripts(input: Input): TranscriptInfo[] {
  const bytes = encode(input);
  return guarded(() => transcriptsOfBytes(bytes));
}

/** What the provider would refuse in a transcript: all of it, not the first. */
export function check(input: Input, options?: CheckOptions): Checked {
  const reading = read("check", input, options);
  return guarded(() => reading.check());
}

/** Every boundary of a transcript of n entries, 0 to n: legal, or why not. */
export function cuts(input: Input, options?: ReadOptions): Cut[] {
  const reading = read("cuts", input, options);
  return JSON.parse(guarded(() => reading.cuts()));
}

/**
 * Mends what the provider would refuse, and nothing else. A clean transcript comes back as it is, the same reference. Text
 * gives text, bytes give bytes, and a value gives a value whose untouched entries are the caller's own objects.
 */
export function repair<T extends Input>(input: T, options?: RepairOptions): RepairResult<T> {
  const reading = read("repair", input, options);
  const form = formOf(input);
  const own = form === "value" ? ownEntries(reading, input as object) : undefined;
  const { text, items, ...result } = guarded(() => reading.repair(own === undefined));
  const mended = () => {
    if (result.changes.length === 0) {
      return input;
    }
    if (own !== undefined) {
      const entry = (item: number | string) => (typeof item === "number" ? own[item] : JSON.parse(item));
      return withList(input as object, items.map(entry));
    }
    return inForm(form, text);
  };
  return { transcript: mended() as Folded<T>, ...result };
}

/**
 * Writes a transcript in another provider's format. Every call and every result arrives, each result right behind the
 * response of its call; what the other format cannot hold is listed. Text gives text, bytes give bytes, a value gives new
 * objects: a list, or a request around one where the system prompt has no place in the list.
 */
export function convert<T extends Input>(input: T, options: ConvertOptions): ConvertResult<T> {
  const reading = read("convert", input, options);
  const { text, ...result } = guarded(() => reading.convert());
  return { transcript: inForm(formOf(input), text) as Converted<T>, ...result };
}
