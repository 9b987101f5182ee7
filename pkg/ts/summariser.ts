// A model that writes the summary of a fold: asked once for the same content, waited for only so long, and never believed
// more than the core believes it.

import { PinfoldError } from "./error.js";
import type { AnySignal, NoteAnswer, NoteRequest, NoteSection, Signal, SummaryRequest } from "./types.js";
import { ends, throwIfAborted } from "./waiting.js";

/** What came of asking: what goes into the option `note` of a fold, and the error if there is one. */
export interface Summarised {
  note: NoteAnswer | "failed";
  error?: unknown;
}

type Summarise = (request: SummaryRequest, options: { signal: AnySignal }) => unknown;

/** A request that is being answered. */
interface Running {
  answers: Promise<(string | NoteSection)[]>;
  controller: AbortController;
  waiting: number;
}

/** Asks a model for summaries. */
export class Summariser {
  readonly #summarise: Summarise;
  readonly #milliseconds: number;
  /** By the id of the request, so that the same content is asked about by one alone. */
  readonly #running = new Map<string, Running>();

  constructor(summarise: Summarise, milliseconds: number) {
    this.#summarise = summarise;
    this.#milliseconds = milliseconds;
  }

  /** What the model answers. Rejects with the signal's reason and with nothing else. */
  async answer(request: NoteRequest, signal: Signal | undefined): Promise<Summarised> {
    const running = this.#running.get(request.id) ?? this.#begin(request);
    running.waiting += 1;
    const end = ends(this.#milliseconds, signal);
    const late = end.then(() => {
      const message = `The summary took longer than ${this.#milliseconds} ms: the note lists what happened. Give it more time with \`summariseTimeoutMs\`.`;
      throw new PinfoldError("timeout", message);
    });
    try {
      return { note: { request, answers: await Promise.race([running.answers, late]) } };
    } catch (error) {
      throwIfAborted(signal);
      return { note: "failed", error };
    } finally {
      end.stop();
      running.waiting -= 1;
      if (running.waiting === 0 && this.#running.has(request.id)) {
        running.controller.abort();
      }
    }
  }

  #begin(request: NoteRequest): Running {
    const controller = new AbortController();
    const running: Running = { answers: Promise.resolve([]), controller, waiting: 0 };
    running.answers = this.#ask(request, running);
    this.#running.set(request.id, running);
    const done = () => this.#running.delete(request.id);
    running.answers.then(done, done);
    return running;
  }

  /** Asks chunk after chunk, so that an endpoint gets one request at a time. */
  async #ask({ id, system, chunks }: NoteRequest, running: Running): Promise<(string | NoteSection)[]> {
    const { signal } = running.controller;
    const answers: (string | NoteSection)[] = [];
    for (const [index, { message, allowance }] of chunks.entries()) {
      const chunk = { number: index + 1, of: chunks.length };
      answers.push(answerOf(await this.#summarise({ id, system, message, allowance, chunk }, { signal })));
      if (running.waiting === 0) {
        throwIfAborted(signal);
      }
    }
    return answers;
  }
}

/** What a model gave, in a shape that the core can judge; of what is neither text nor an object, there is none. */
function answerOf(given: unknown): string | NoteSection {
  if (typeof given === "string") {
    return given;
  }
  const { text, stop } = (given ?? {}) as { text?: unknown; stop?: unknown };
  // An answer that does not say why it stopped may be cut off.
  return { text: typeof text === "string" ? text : "", stop: typeof stop === "string" ? stop : "not said" };
}
