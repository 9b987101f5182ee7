// The one line of an agent's loop. A model is asked beside the loop, and a fold waits for it only so long.

import { examine } from "../wasm/pinfold.js";
import { guarded, PinfoldError } from "./error.js";
import { fold, noteRequest, plan } from "./fold.js";
import { coreOf, Ledger } from "./ledger.js";
import { copied } from "./reading.js";
import { Summariser, type Summarised } from "./summariser.js";
import type { ClassifyFailure, ClassifyRequest, Compactor, CompactorOptions, Input, Prepared, Signal } from "./types.js";
import { ends, throwIfAborted } from "./waiting.js";

/**
 * Keeps an agent's messages within a budget: `prepare` is called before each request.
 *
 * It observes the messages, asks `classify` about new turns without waiting for it, and gives the messages back at once if
 * nothing is to be folded. When a fold is due it waits for the answers that are outstanding, at most `classifyTimeoutMs`;
 * what is still unanswered then is kept word for word as not classified, and a late answer is taken when it comes. With
 * `summarise` it then waits for the summary, at most `summariseTimeoutMs`; without one the note lists what happened.
 */
export function compactor(options: CompactorOptions): Compactor {
  const { ledger: given, classify, classifyTimeoutMs = 10_000, summarise, summariseTimeoutMs = 60_000, summariserWindow, ...rest } = examined(options);
  const ledger = ledgerFor(given, classify !== undefined);
  const settings = { ...rest, ledger };
  const asking = classify === undefined ? undefined : new Asking(ledger, classify);
  const summariser = summarise === undefined || summariseTimeoutMs === 0 ? undefined : new Summariser(summarise, summariseTimeoutMs);

  async function summarised(messages: Input, signal: Signal | undefined): Promise<Summarised | undefined> {
    throwIfAborted(signal);
    const request = noteRequest(messages, { ...settings, summariserWindow });
    return request === null ? undefined : summariser?.answer(request, signal);
  }

  async function prepare<T extends Input>(messages: T, { signal }: { signal?: Signal | undefined } = {}): Promise<Prepared<T>> {
    throwIfAborted(signal);
    const planned = plan(messages, settings);
    asking?.begin();
    if (planned.decision !== "fold" && planned.decision !== "stuck") {
      return { messages: messages as Prepared<T>["messages"], decision: planned, refusals: asking?.failures() ?? [] };
    }
    // Stuck too: answers may say that what the ledger keeps does not bind.
    await asking?.settled(classifyTimeoutMs, signal);
    const summary = summariser && (await summarised(messages, signal));
    const { transcript, decision, report } = fold(messages, { ...settings, note: summary?.note });
    const failed = summary !== undefined && "error" in summary ? { summaryError: summary.error } : {};
    return { messages: transcript, decision, ...(report && { report }), refusals: asking?.failures() ?? [], ...failed };
  }

  return { prepare, ledger };
}

/** The options, if they are right; so that a wrong one is known before the first request. */
function examined(options: CompactorOptions): CompactorOptions {
  const copy = copied(options);
  const ledger = copy?.ledger instanceof Ledger ? copy.ledger : undefined;
  guarded(() => examine("compactor", ledger === undefined ? copy : { ...copy, ledger: undefined }));
  if (copy.classify !== undefined && copy.ledger === false) {
    throw new PinfoldError("bad-option", "The option `ledger` is false, so there is nothing to classify for: leave out `classify`.");
  }
  if (copy.classify !== undefined && ledger !== undefined && !coreOf(ledger).classifies) {
    throw new PinfoldError("bad-option", "The option `ledger` is a Ledger that asks nobody: make it with `classify: true`, or leave out `classify`.");
  }
  return copy;
}

/** The ledger that a compactor keeps. */
function ledgerFor(given: CompactorOptions["ledger"], classify: boolean): Ledger {
  if (given instanceof Ledger) {
    return given;
  }
  // Without a policy and tool state of its own it holds what an earlier fold's ledger holds, as `ledger: false` says.
  return given === false ? new Ledger({ accept: "nothing", tools: false }) : new Ledger({ classify });
}

/** The classifications that are under way. */
class Asking {
  readonly #ledger: Ledger;
  readonly #classify: (request: ClassifyRequest) => unknown;
  /** The ids that were asked, so that each is asked by one alone. */
  readonly #asked = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #failures: ClassifyFailure[] = [];

  constructor(ledger: Ledger, classify: (request: ClassifyRequest) => unknown) {
    this.#ledger = ledger;
    this.#classify = classify;
  }

  /** Begins to ask what was not asked yet. */
  begin(): void {
    for (const request of this.#ledger.open().filter(({ id }) => !this.#asked.has(id))) {
      this.#asked.add(request.id);
      const running: Promise<void> = this.#ask(request).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
  }

  /** Waits until all is answered, at most so many milliseconds; rejects if the signal says so. */
  async settled(milliseconds: number, signal: Signal | undefined): Promise<void> {
    if (this.#running.size === 0 || milliseconds === 0) {
      return;
    }
    throwIfAborted(signal);
    const end = ends(milliseconds, signal);
    try {
      await Promise.race([end, Promise.all(this.#running)]);
    } finally {
      end.stop();
    }
  }

  /** What failed since it was last asked for. */
  failures(): ClassifyFailure[] {
    return this.#failures.splice(0);
  }

  /** Asks once, and once more if the answer is refused. Never rejects. */
  async #ask(request: ClassifyRequest): Promise<void> {
    try {
      const refused = this.#taken(request, await this.#classify(request));
      if (refused !== undefined) {
        const again = { ...request, refusal: refused.message };
        const refusedAgain = this.#taken(request, await this.#classify(again));
        if (refusedAgain !== undefined) {
          throw refusedAgain;
        }
      }
    } catch (error) {
      this.#failures.push({ request, error });
    }
  }

  /** Gives an answer to the ledger; the refusal, if it does not take it. */
  #taken({ id }: ClassifyRequest, answer: unknown): PinfoldError | undefined {
    try {
      this.#ledger.resolve(id, answer);
      return undefined;
    } catch (error) {
      if (error instanceof PinfoldError && error.code !== "crashed") {
        // Somebody else was faster, which is as good.
        return error.code === "already-answered" ? undefined : error;
      }
      throw error;
    }
  }
}
