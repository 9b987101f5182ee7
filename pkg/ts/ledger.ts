import { Ledger as Core } from "../wasm/pinfold.js";
import { guarded, PinfoldError } from "./error.js";
import { copied, read } from "./reading.js";
import type {
  Candidate,
  ClassifyRequest,
  Conflict,
  Input,
  LedgerFinding,
  LedgerOptions,
  Pin,
  PinClass,
  Place,
  ReadOptions,
  Retirement,
} from "./types.js";

/**
 * The wasm's side of a ledger.
 *
 * @internal
 */
export let coreOf: (ledger: Ledger) => Core;

/**
 * The ledger whose wasm side that is.
 *
 * @internal
 */
export let ledgerOf: (core: Core) => Ledger;

/**
 * What binds the future, word for word: pins, and the sentences that may become some.
 *
 * It takes in what a person or the system said and nothing else. Nothing that a tool returned and nothing that the model
 * said makes, changes or ends a pin. What is refused throws a `PinfoldError` with a `RefusalCode`, and changes nothing.
 */
export class Ledger {
  #core: Core;

  static {
    coreOf = (ledger) => ledger.#core;
    ledgerOf = (core) => {
      const ledger = new Ledger();
      ledger.#core.free();
      ledger.#core = core;
      return ledger;
    };
  }

  constructor(options?: LedgerOptions) {
    this.#core = guarded(() => new Core(copiedLedgerOptions(options)));
  }

  /**
   * The ledger that `toJSON` gave, as an object or as text. Its options are not part of it. Where its pins stand it finds
   * again when it observes a transcript.
   */
  static fromJSON(json: object | string, options?: LedgerOptions): Ledger {
    const text = typeof json === "string" ? json : jsonOf(json);
    const ledger = new Ledger(options);
    const core = guarded(() => Core.fromJson(text, copiedLedgerOptions(options)));
    ledger.#core.free();
    ledger.#core = core;
    return ledger;
  }

  /**
   * Takes in a whole transcript: the pins of an earlier fold's ledger, prompts and system text, tool state. Of turns that it
   * knows it computes only the hash, so it may be called before every request. Gives a request for each new turn that a
   * model should classify; none without the option `classify`.
   */
  observe(input: Input, options?: ReadOptions): ClassifyRequest[] {
    const reading = read("observe", input, options);
    return guarded(() => reading.observe(this.#core)).map(parsed);
  }

  /** The requests that are not answered yet. */
  open(): ClassifyRequest[] {
    return guarded(() => this.#core.open()).map(parsed);
  }

  /**
   * Takes a model's answer to a request: the JSON that it wrote, or an object of the request's schema. Gives the ids of its
   * pins. After a refusal the model may be asked again; the same answer twice is taken once.
   */
  resolve(request: string | { id: string }, answer: unknown): string[] {
    const id = typeof request === "object" && request !== null ? request.id : request;
    const text = typeof answer === "string" ? answer : jsonOf(answer);
    return guarded(() => this.#core.resolve(id, text));
  }

  /** Makes a candidate a pin, by default a constraint. Gives the pin's id. */
  accept(candidate: string, kind?: PinClass): string {
    return guarded(() => this.#core.accept(candidate, kind));
  }

  /** Says that a candidate does not bind. It also ends a pin that only the policy made. */
  dismiss(candidate: string): void {
    guarded(() => this.#core.dismiss(candidate));
  }

  /** Pins words of a prompt or system entry, by default as a constraint. Gives the pin's id. */
  pin(place: Place, kind?: PinClass): string {
    const copy = copied(place);
    return guarded(() => this.#core.pin(copy, kind));
  }

  /** Ends a pin, with the evidence for it. */
  retire(pin: string, how: Retirement): void {
    const copy = copied(how);
    guarded(() => this.#core.retire(pin, copy));
  }

  /** The pins in the order in which they came, retired ones among them. */
  get pins(): Pin[] {
    return guarded(() => this.#core.pins());
  }

  /** The sentences that may bind, in the order in which they came. */
  get candidates(): Candidate[] {
    return guarded(() => this.#core.candidates());
  }

  /** Live pins that later words contradict. */
  get conflicts(): Conflict[] {
    return guarded(() => this.#core.conflicts());
  }

  /** What there is to know about the transcript observed last: where a log's own record differs from what its calls imply. */
  get findings(): LedgerFinding[] {
    return guarded(() => this.#core.findings());
  }

  /** All live pins as the labelled block that stands in a fold; empty if there is none. */
  render(): string {
    return guarded(() => this.#core.render());
  }

  /** The whole ledger, for `JSON.stringify`: the same ledger gives the same text. */
  toJSON(): object {
    return JSON.parse(guarded(() => this.#core.json()));
  }
}

/**
 * The options as the wasm may read them.
 *
 * @internal
 */
export function copiedLedgerOptions(options: LedgerOptions | undefined): any {
  const copy = copied(options);
  if (Array.isArray(copy?.recognisers)) {
    copy.recognisers = copy.recognisers.map(copied);
  }
  return copy;
}

/**
 * A request with its schema as an object.
 *
 * @internal
 */
export function parsed(request: { schema: string }): ClassifyRequest {
  return { ...request, schema: JSON.parse(request.schema) } as ClassifyRequest;
}

/**
 * A value as JSON; what has none is named as such by the core, which knows what it wants.
 *
 * @internal
 */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PinfoldError("not-json", `JSON cannot carry the value: ${why}`, { cause: error });
  }
}
