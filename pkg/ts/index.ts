import { detect as detectBytes, Reading, transcripts as transcriptsOfBytes, version as versionOfWasm } from "../wasm/pinfold.js";
import { guarded } from "./error.js";
import { encode, formOf } from "./input.js";
import { listOf, withList } from "./list.js";
import type {
  Checked,
  CheckOptions,
  Converted,
  ConvertOptions,
  ConvertResult,
  CountOptions,
  Cut,
  Decision,
  Detected,
  Folded,
  FoldOptions,
  FoldResult,
  Input,
  Proof,
  ReadOptions,
  RepairOptions,
  RepairResult,
  TranscriptInfo,
  VerifyOptions,
} from "./types.js";

export { PinfoldError } from "./error.js";
export type * from "./types.js";

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

/** What to do about a budget. Nothing is changed. */
export function plan(input: Input, options: FoldOptions): Decision {
  const reading = count(read("plan", input, options), input, options);
  return guarded(() => reading.plan());
}

/**
 * Folds a transcript into a budget, if the plan says so, and proves the result.
 *
 * Text gives text, bytes give bytes, and a value gives a value whose kept entries are the caller's own objects; a request
 * gives a shallow copy with a new list. The input is never changed. A fold of a Claude Code log is a list of Anthropic
 * messages; a transcript that stands inside a larger document comes back by itself. In both cases a value gives new objects.
 */
export function fold<T extends Input>(input: T, options: FoldOptions): FoldResult<T> {
  const reading = count(read("fold", input, options), input, options);
  const form = formOf(input);
  const own = form === "value" ? ownEntries(reading, input as object) : undefined;
  const { text, kept, ...result } = guarded(() => reading.fold(own === undefined));
  const folded = () => {
    if (own !== undefined && kept !== undefined) {
      const system = kept.system.map((index: number) => own[index]);
      return withList(input as object, [...system, JSON.parse(kept.note), ...own.slice(kept.from)]);
    }
    return text === undefined ? input : inForm(form, text);
  };
  return { transcript: folded() as Folded<T>, ...result };
}

/**
 * Proves from the two alone that `after` is a lawful fold of `before`. The options are those of the fold; they are about
 * `before`. Give both in the same form: kept entries are compared byte for byte.
 */
export function verify(before: Input, after: Input, options?: VerifyOptions): Proof {
  const bytes = encode(after);
  const reading = count(read("verify", before, options), before, options);
  return guarded(() => reading.verify(bytes));
}

/** A text in the form in which the input came. */
function inForm(form: ReturnType<typeof formOf>, text: string): unknown {
  switch (form) {
    case "text":
      return text;
    case "bytes":
      return new TextEncoder().encode(text);
    case "value":
      return JSON.parse(text);
  }
}

/** Reads an input. What is read is freed by the call that it is read for. */
function read(call: string, input: Input, options: object | undefined): Reading {
  const bytes = encode(input);
  // A copy, so that no getter of the caller's runs inside the wasm.
  const copy = typeof options === "object" && options !== null && !Array.isArray(options) ? { ...options } : options;
  return guarded(() => new Reading(call, bytes, copy));
}

/** Lets the caller's function count the entries, if there is one. */
function count(reading: Reading, input: Input, options: CountOptions | undefined): Reading {
  const tokens = options?.tokens;
  if (typeof tokens === "function") {
    try {
      const own = formOf(input) === "value" ? ownEntries(reading, input as object) : undefined;
      const entries: unknown[] = own ?? JSON.parse(reading.entries());
      const counts = Array.from(entries, (entry, index) => tokens(entry, index));
      guarded(() => reading.count(counts));
    } catch (error) {
      reading.free();
      throw error;
    }
  }
  return reading;
}

/** The caller's own objects that are the entries; `undefined` if they were read from inside of the input. */
function ownEntries(reading: Reading, input: object): unknown[] | undefined {
  const list = reading.own ? listOf(input) : undefined;
  // A `toJSON` method may have made another list of it.
  return list?.length === reading.length ? list : undefined;
}
