// The calls that plan: each reads the transcript, counts its entries as the caller wants, and lets a ledger observe it.

import type { Reading } from "../wasm/pinfold.js";
import { guarded } from "./error.js";
import { encode, formOf } from "./input.js";
import { coreOf, Ledger } from "./ledger.js";
import { withList } from "./list.js";
import { copied, inForm, ownEntries, read } from "./reading.js";
import type {
  Decision,
  Folded,
  FoldOptions,
  FoldResult,
  Input,
  NoteRequest,
  NoteRequestOptions,
  PlanOptions,
  Proof,
  Undo,
  VerifyOptions,
} from "./types.js";

/** What to do about a budget. Nothing is changed. */
export function plan(input: Input, options: PlanOptions): Decision {
  const reading = planned("plan", input, options);
  return guarded(() => reading.plan());
}

/**
 * What to ask a model of yours about what `fold` would take away, with the same input and options; its answer goes into the
 * option `note`. `null` if nothing is to be folded, or a summary would have no room.
 */
export function noteRequest(input: Input, options: NoteRequestOptions): NoteRequest | null {
  const reading = planned("noteRequest", input, options);
  return guarded(() => reading.noteRequest());
}

/**
 * Folds a transcript into a budget, if the plan says so, and proves the result.
 *
 * Text gives text, bytes give bytes, and a value gives a value whose kept entries are the caller's own objects; a request
 * gives a shallow copy with a new list. The input is never changed. A fold of a Claude Code log is a list of Anthropic
 * messages; a transcript that stands inside a larger document comes back by itself. In both cases a value gives new objects.
 */
export function fold<T extends Input>(input: T, options: FoldOptions): FoldResult<T> {
  const reading = planned("fold", input, options);
  const form = formOf(input);
  const own = form === "value" ? ownEntries(reading, input as object) : undefined;
  const { text, kept, ...result } = guarded(() => reading.fold(own === undefined));
  const folded = () => {
    if (own !== undefined && kept !== undefined) {
      const { entries, undo } = ofOwn(own, kept);
      result.report.undo = undo;
      return withList(input as object, entries);
    }
    return text === undefined ? input : inForm(form, text);
  };
  return { transcript: folded() as Folded<T>, ...result };
}

/**
 * The entries that a fold leaves of the caller's own, and what takes it back.
 *
 * @internal
 */
export function ofOwn(own: unknown[], kept: Kept): { entries: unknown[]; undo: Undo } {
  const trimmed = new Map(kept.trimmed.map(({ entry, text }) => [entry, JSON.parse(text)]));
  const until = Math.max(kept.from, ...kept.trimmed.map(({ entry }) => entry + 1));
  const written = kept.system.map((index) => own[index]);
  if (kept.note !== undefined) {
    written.push(JSON.parse(kept.note));
  }
  for (let index = kept.from; index < until; index += 1) {
    written.push(trimmed.has(index) ? trimmed.get(index) : own[index]);
  }
  return { entries: [...written, ...own.slice(until)], undo: { at: 0, written, removed: own.slice(0, until) } };
}

/** Which elements of the caller's list a fold leaves, and what it writes. */
interface Kept {
  system: number[];
  note?: string;
  from: number;
  trimmed: { entry: number; text: string }[];
}

/**
 * Proves from the two alone that `after` is a lawful fold of `before`. The options are those of the fold; they are about
 * `before`. Give both in the same form: kept entries are compared byte for byte.
 */
export function verify(before: Input, after: Input, options?: VerifyOptions): Proof {
  const bytes = encode(after);
  const reading = planned("verify", before, options);
  return guarded(() => reading.verify(bytes));
}

/** Reads an input for a call that plans. */
function planned(call: string, input: Input, options: NoteRequestOptions | FoldOptions | VerifyOptions | undefined): Reading {
  const copy = copied(options);
  if (typeof copy?.note === "object") {
    copy.note = copiedNote(copy.note);
  }
  const ledger = copy?.ledger instanceof Ledger ? (copy.ledger as Ledger) : undefined;
  if (ledger !== undefined) {
    copy.ledger = undefined;
  }
  const reading = read(call, input, copy);
  try {
    if (typeof copy?.tokens === "function") {
      const own = formOf(input) === "value" ? ownEntries(reading, input as object) : undefined;
      const entries: unknown[] = own ?? JSON.parse(reading.entries());
      const counts = Array.from(entries, (entry, index) => copy.tokens(entry, index));
      guarded(() => reading.count(counts));
    }
    if (ledger !== undefined) {
      guarded(() => reading.keep(coreOf(ledger)));
    }
  } catch (error) {
    reading.free();
    throw error;
  }
  return reading;
}

/**
 * The option `note` as the wasm may read it.
 *
 * @internal
 */
export function copiedNote(note: any): any {
  const copy = copied(note);
  if (typeof copy !== "object" || copy === null || Array.isArray(copy)) {
    return copy;
  }
  const answers = Array.isArray(copy.answers) ? copy.answers.map(copied) : copied(copy.answers);
  return { ...copy, request: copied(copy.request), answers };
}
