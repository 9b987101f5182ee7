// A session: a transcript that grows in the wasm while the caller's own objects stay here.

import { Session as Core } from "../wasm/pinfold.js";
import { guarded, PinfoldError } from "./error.js";
import { copiedNote, ofOwn } from "./fold.js";
import { formOf } from "./input.js";
import { copiedLedgerOptions, coreOf, jsonOf, Ledger, ledgerOf, parsed } from "./ledger.js";
import { listOf } from "./list.js";
import { copied, ownEntries, read } from "./reading.js";
import type {
  ClassifyRequest,
  Cut,
  Decision,
  Input,
  LedgerOptions,
  NoteRequest,
  SessionFoldOptions,
  SessionFoldResult,
  SessionNoteRequestOptions,
  SessionOptions,
  PolicyOptions,
} from "./types.js";

/**
 * A transcript that grows: `push` costs what is pushed, `plan` a search, and `fold` goes on with what it left.
 *
 * Objects that were given stay the caller's own, and come back in `entries`; what was given as text comes back as new
 * objects. An object that is changed after it was pushed is not read again.
 */
export class Session {
  #core: Core;
  /** The entries as far as they are objects here; the rest is still text in the wasm. */
  #entries: unknown[];
  #ledger: Ledger | undefined;

  /** A session that goes on from a transcript. An empty one needs the option `format`: `new Session([], { format })`. */
  constructor(input: Input, options?: SessionOptions) {
    const { ledger, ...reading } = { ...copied(options) };
    const rest = typeof options === "object" ? reading : options;
    if (ledger instanceof Ledger) {
      const reading = read("Session", input, rest);
      this.#entries = ownList(reading, input);
      this.#core = guarded(() => Core.withLedger(reading, coreOf(ledger)));
    } else {
      const kept = copiedLedgerOptions(ledger);
      const reading = read("Session", input, rest);
      this.#entries = ownList(reading, input);
      this.#core = guarded(() => new Core(reading, kept));
    }
  }

  /** The session that `toJSON` gave, as an object or as text. The options of its ledger are not part of it. */
  static fromJSON(json: object | string, ledger?: LedgerOptions): Session {
    const text = typeof json === "string" ? json : jsonOf(json);
    const core = guarded(() => Core.fromJson(text, copiedLedgerOptions(ledger)));
    const session = new Session([], { format: "anthropic" });
    session.#core.free();
    session.#core = core;
    return session;
  }

  /**
   * Adds entries behind the last one: an entry, a list of them, or either as JSON text. Gives a request for each new turn
   * that a model should classify; none without the option `classify` of its ledger.
   */
  push(entries: object | readonly object[] | string): ClassifyRequest[] {
    const form = formOf(entries);
    if (form === "bytes") {
      throw new PinfoldError("bad-input", "The entries are bytes: push an entry, a list of entries, or either as JSON text.");
    }
    const own = form === "value" ? (Array.isArray(entries) ? [...entries] : [entries]) : [];
    const text = form === "text" ? (entries as string) : jsonOf(entries);
    if (own.length > 0) {
      this.#fill();
    }
    const before = this.length;
    const requests = guarded(() => this.#core.push(text)).map(parsed);
    // A `toJSON` method may have made another list of it.
    if (this.length === before + own.length) {
      this.#entries.push(...own);
    }
    return requests;
  }

  /** The number of entries. */
  get length(): number {
    return guarded(() => this.#core.length);
  }

  /** The entries as they are now, to be sent: the caller's own objects where they were given as such. */
  get entries(): any[] {
    return [...this.#fill()];
  }

  /** The transcript as JSON text: the bytes of every kept entry are those that were given. */
  get text(): string {
    return guarded(() => this.#core.text);
  }

  /** Its ledger, which listens to what is pushed. */
  get ledger(): Ledger {
    this.#ledger ??= ledgerOf(guarded(() => this.#core.ledger()));
    return this.#ledger;
  }

  /** Every boundary of the n entries, 0 to n: legal, or why not. */
  cuts(): Cut[] {
    return JSON.parse(guarded(() => this.#core.cuts()));
  }

  /** What to do about a budget. Nothing is changed. */
  plan(options: PolicyOptions): Decision {
    const copy = copied(options);
    return guarded(() => this.#core.plan(copy));
  }

  /** What to ask a model of yours about what `fold` would take away with the same options, as `noteRequest` does. */
  noteRequest(options: SessionNoteRequestOptions): NoteRequest | null {
    const copy = copied(options);
    return guarded(() => this.#core.noteRequest(copy));
  }

  /** Folds into a budget, if the plan says so, and proves the result; the session goes on with what the fold left. */
  fold(options: SessionFoldOptions): SessionFoldResult {
    const copy = copied(options);
    if (typeof copy?.note === "object") {
      copy.note = copiedNote(copy.note);
    }
    const own = this.#fill();
    const { kept, ...result } = guarded(() => this.#core.fold(copy));
    if (kept !== undefined) {
      const { entries, undo } = ofOwn(own, kept);
      this.#entries = entries;
      result.report.undo = undo;
    }
    return { entries: this.entries, ...result };
  }

  /** The whole session, for `JSON.stringify`: the same session gives the same text. */
  toJSON(): object {
    return JSON.parse(guarded(() => this.#core.json()));
  }

  /** Makes objects of the entries that are still text. */
  #fill(): unknown[] {
    const missing = this.#entries.length;
    if (missing < this.length) {
      const rest: unknown[] = JSON.parse(guarded(() => this.#core.entries(missing)));
      for (const entry of rest) {
        this.#entries.push(entry);
      }
    }
    return this.#entries;
  }
}

/** The caller's own objects in an input, as far as they are its entries. */
function ownList(reading: Parameters<typeof ownEntries>[0], input: Input): unknown[] {
  const own = formOf(input) === "value" && listOf(input as object) !== undefined ? ownEntries(reading, input as object) : undefined;
  return own === undefined ? [] : [...own];
}
