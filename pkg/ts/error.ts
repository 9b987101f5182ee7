import type { ErrorCode } from "./types.js";

/** Every error that Pinfold throws. Its message names the bad value and the way out. */
export class PinfoldError extends Error {
  /** A stable name for the kind of error. */
  readonly code: ErrorCode;
  /** For `"not-verbatim"`: the words of the turn that come nearest, if any do. */
  declare readonly nearest?: string;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown; nearest?: string }) {
    super(message, options);
    this.name = "PinfoldError";
    this.code = code;
    if (options?.nearest !== undefined) {
      this.nearest = options.nearest;
    }
  }
}

/** Runs what calls into the wasm, and makes a {@link PinfoldError} of whatever comes out of it. */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (isFault(thrown)) {
      const { code, message, nearest } = thrown;
      throw new PinfoldError(code, message, nearest === undefined ? {} : { nearest });
    }
    const what = thrown instanceof Error ? thrown.message : String(thrown);
    const way = "If the input is far larger than a transcript, it may not fit into the 4 GiB of a wasm memory; otherwise please report it.";
    throw new PinfoldError("crashed", `Pinfold stopped in the middle of its work (${what}). ${way}`, { cause: thrown });
  }
}

/** What `pkg/src/fault.rs` throws. */
function isFault(thrown: unknown): thrown is { code: ErrorCode; message: string; nearest?: string } {
  return typeof thrown === "object" && thrown !== null && !(thrown instanceof Error) && "code" in thrown && "message" in thrown;
}
