// The shapes of everything that crosses the API. Numbers are whole unless they say otherwise.

import type { Ledger } from "./ledger.js";

/**
 * A transcript: JSON text or JSON Lines, the UTF-8 bytes of such a text, or the value that an SDK holds, which is a list
 * of entries or a request around one (`{ model, messages, … }`, `{ model, input, … }`).
 */
export type Input = string | Uint8Array | object;

/** How a transcript is written: formats of providers and libraries, then session logs. */
export type Format =
  | "anthropic"
  | "openai-chat"
  | "openai-responses"
  | "gemini"
  | "bedrock"
  | "ai-sdk"
  | "ai-sdk-ui"
  | "langchain"
  | "opentelemetry"
  | "cline"
  | "openinference"
  | "claude-code"
  | "claude-stream"
  | "codex"
  | "copilot-cli"
  | "gemini-cli"
  | "google-adk"
  | "kimi-cli"
  | "opencode"
  | "openhands"
  | "pi"
  | "swe-agent"
  | "inspect"
  | "atif"
  | "fast-agent"
  | "openclaw"
  | "langgraph-stream"
  | "ai-sdk-stream";

/** Whose rules a transcript is judged by: a provider's API, or a library's own check. */
export type Provider =
  | "anthropic"
  | "openai-chat"
  | "openai-responses"
  | "gemini"
  | "bedrock"
  | "mistral"
  | "deepseek"
  | "kimi"
  | "qwen"
  | "groq"
  | "ai-sdk"
  | "langgraph"
  | "telemetry";

/** What `detect` gives. */
export interface Detected {
  format: Format;
  /** 0 to 1: near 1 when something stands there that only this format has, about 0.3 when a plain talk is the same in several. */
  confidence: number;
}

/** One of the transcripts in an input. Its place in the list is its number for the option `pick`. */
export interface TranscriptInfo {
  /** What tells it from its neighbours. */
  label: string;
  format: Format;
  /** The number of its entries. */
  entries: number;
}

/** Which transcript of the input is meant. */
export interface ReadOptions {
  /** The format, where detection would guess wrong. */
  format?: Format | undefined;
  /** The number of the transcript, counted from 0, in an input that holds several (see `transcripts`). */
  pick?: number | undefined;
  /** Whose rules it is judged by, where its format and model do not tell. It must be one that takes this format. */
  provider?: Provider | undefined;
  /** The model it is meant for, where the input does not name it: what some rules depend on follows from its name. */
  model?: string | undefined;
  /** Whether thinking is turned on, where the input does not say. */
  thinking?: boolean | undefined;
  /** Responses: the id of the stored response that the request goes on with, so that the other half of a pair may be there. */
  previousResponseId?: string | boolean | undefined;
}

/** The options of `check`. */
export interface CheckOptions extends ReadOptions {
  /** `"log"` (default) lets calls in flight at the end be; `"request"` judges what is about to be sent. */
  mode?: "log" | "request" | undefined;
}

/** The options of `repair`. */
export interface RepairOptions extends CheckOptions {}

/** The options of `convert`. */
export interface ConvertOptions extends ReadOptions {
  /** What to write: a format of messages, or a provider and with it the format that it takes. */
  to: Format | Provider;
}

/** How tokens are counted. Without these, they are estimated, and anchored on the usage that a log records. */
export interface CountOptions {
  /**
   * Tokens of each entry: a list with one number for each, or a function from an entry to its number. For a value the
   * function gets the value's own elements; for a text, and for a Claude Code log, entries parsed from it. What type they
   * have only the caller knows.
   */
  tokens?: readonly number[] | ((entry: any, index: number) => number) | undefined;
  /** Tokens of everything in the request beside its entries: system prompt, tools. */
  fixedTokens?: number | undefined;
}

/** What is never touched. */
export interface FrozenOptions {
  /**
   * How many entries in front are a prefix that the provider has cached: they stay as they are, and the note stands behind them.
   * The prefix goes on to the next boundary where a note may stand. Default: 0.
   */
  frozen?: number | undefined;
}

/** The most tokens that a request may have: as a number of its own, or as what a model's window leaves. */
export type Budget = OwnBudget | WindowBudget;

/** A budget as a number. */
export interface OwnBudget {
  /** The most tokens that the request may have. */
  budget: number;
  window?: undefined;
  reserve?: undefined;
}

/** A budget as what a window leaves. */
export interface WindowBudget {
  budget?: undefined;
  /** The tokens that the model can read and write at once. */
  window: number;
  /** The tokens of them that are kept free for what it will write. Default: 0. */
  reserve?: number | undefined;
}

/** How a budget is reached. All numbers are tokens unless they say share. */
export type PolicyOptions = Budget & ReachOptions;

/** How it is reached. */
export interface ReachOptions {
  /** Above this many tokens a fold is due, and what it leaves is below. Default: the budget. */
  trigger?: number | undefined;
  /** What a fold aims at. Default: the trigger less the lookback. */
  target?: number | undefined;
  /** How far the search for a legal cut may go back from the target, as a share of the budget, 0 to 1. Default: 0.15. */
  lookback?: number | undefined;
  /** Whether a fold may free more than asked for where there is no legal cut on the way back. Default: true. */
  overshoot?: boolean | undefined;
  /** Whether a call in flight defers the fold, even where a cut before it is legal. Default: false. */
  quiet?: boolean | undefined;
  /**
   * Whether the budget holds in any case (default): where no legal cut is in reach or none would do, the largest results are
   * cut down in place, those that the model has not read yet last. `false`: the fold waits instead.
   */
  hard?: boolean | undefined;
  /** The fewest tokens that a fold is worth. One that frees less is made only where the budget demands it. Default: 0. */
  minGain?: number | undefined;
  /** How many of the newest rounds a fold leaves as they are, whatever that costs. Default: 0; what waits for an answer is kept anyway. */
  keepRecent?: number | undefined;
  /**
   * What becomes of thinking in what is kept: it stays (`"keep"`), it is taken out of every entry that holds something else as
   * well (`"strip"`), or it stays and you have the provider drop it (`"drop-block"`: with Anthropic's
   * `thinking.block_binding.prefix_mismatch_behavior` and its beta). Default: by the option `model`; `"strip"` for models that
   * bind their thinking to all that stands before it, so that the provider would refuse it behind a note.
   */
  keptThinking?: KeptThinking | undefined;
  /** The share of the budget that the lines of the note may take, 0 to 1. Default: 0.1. */
  noteShare?: number | undefined;
  /**
   * What else the note keeps of what is folded: `"liveness"` (default), lines of older output with strings that later calls
   * may need again; `"recency"`, nothing, so that the newest rounds get all the room.
   */
  select?: "recency" | "liveness" | undefined;
  /**
   * With `"liveness"`: the share of what a fold leaves that the newest rounds get as they were, 0 to 1. Default: the more,
   * the more of the transcript the budget holds.
   */
  recent?: number | undefined;
}

/** What becomes of thinking in what a fold keeps. */
export type KeptThinking = "keep" | "strip" | "drop-block";

/** Which words a fold keeps verbatim. */
export interface PinOptions {
  /**
   * A `Ledger`, which observes the transcript first; `"prohibitions"` (default): one made on the spot, which pins the
   * sentences with an unmistakable prohibition and keeps tool state; `false`: only what an earlier fold's ledger holds.
   */
  ledger?: Ledger | "prohibitions" | false | undefined;
}

/** The options of `plan`. */
export type PlanOptions = ReadOptions & CountOptions & FrozenOptions & PolicyOptions & PinOptions;

/** The options of `fold`. */
export type FoldOptions = PlanOptions & {
  /**
   * What a model of yours answered to `noteRequest` with the same input and options, or `"failed"` if it gave no answer. An
   * answer that may not stand in a note is left out: `report.summary` says why. Default: nobody was asked.
   */
  note?: NoteAnswer | "failed" | undefined;
};

/** How much a summarising model can take. */
export interface SummariserOptions {
  /**
   * The tokens that the model which summarises can read and write at once: what is longer goes out in several chunks.
   * Default: it can read everything.
   */
  summariserWindow?: number | undefined;
}

/** The options of `noteRequest`: those of the fold that it prepares, and how much the model can take. */
export type NoteRequestOptions = PlanOptions & SummariserOptions;

/** The options of `verify`. With a budget, it is also proved that the result fits into it (law 5). */
export type VerifyOptions = ReadOptions &
  CountOptions &
  FrozenOptions &
  PinOptions &
  (PolicyOptions | { [name in keyof OwnBudget | keyof ReachOptions]?: undefined });

/** The options of a `Ledger`. */
export interface LedgerOptions {
  /** Which candidates become pins without anybody's word: sentences with an unmistakable prohibition (default), or none. */
  accept?: "prohibitions" | "nothing" | undefined;
  /** Whether a model is there to classify flagged turns: `observe` then gives requests. Default: false. */
  classify?: boolean | undefined;
  /** Whether tool state is kept: working directory, branch, processes, … Default: true. */
  tools?: boolean | undefined;
  /**
   * Which pins a fold shows although their words still stand in what it keeps: none (default), those of system text, or all.
   */
  repeat?: "folded" | "system" | "all" | undefined;
  /** The share of a budget that the ledger may take before `report.ledger.proposals` says so, 0 to 1. Default: 0.25. */
  share?: number | undefined;
  /** What your own tools tell of the state outside the messages. */
  recognisers?: readonly Recogniser[] | undefined;
}

/** How a tool tells of a state. */
export interface Recogniser {
  /** The tool's name; a `*` at its end stands for any rest. */
  tool: string;
  /** The path of the argument that holds the text (`options.cwd`), or of a member of the result (`result.id`). */
  path: string;
  /** What that text is. */
  topic: Topic;
}

/** The options of `compactor`: those of `fold`, and how a model is asked. */
export type CompactorOptions = ReadOptions & Omit<CountOptions, "tokens"> & FrozenOptions & PolicyOptions & PinOptions & SummariserOptions & {
  /** Tokens of each entry: a function from an entry to its number. */
  tokens?: ((entry: any, index: number) => number) | undefined;
  /**
   * Asks a model whether a turn binds: the answer is the JSON that it wrote, or an object of the request's schema. It is
   * called off the critical path; what it throws is reported in `refusals`. A `ledger` given with it must have `classify`.
   */
  classify?: ((request: ClassifyRequest) => unknown) | undefined;
  /** How long a fold that is due waits for answers, in milliseconds. 0: never. Default: 10 000. */
  classifyTimeoutMs?: number | undefined;
  /**
   * Asks a model for the summary of what a fold takes away, once for each chunk: the answer is `{ text, stop }`, `stop` being
   * the provider's own word (`end_turn`, `length`, …), or a text that is whole by your word. If it fails, is refused or takes
   * too long, the note lists what happened instead: `report.summary` says so, and `summaryError` has what it threw. The
   * signal tells it that nobody waits any more.
   */
  summarise?: ((request: SummaryRequest, options: { signal: AnySignal }) => unknown) | undefined;
  /** How long a fold waits for the whole summary, in milliseconds. 0: never. Default: 60 000. */
  summariseTimeoutMs?: number | undefined;
};

/** What to ask a model about what a fold takes away. */
export interface NoteRequest {
  /** The same folded part in the same chunks always has the same id. */
  id: string;
  /** The system text for the model, the same for all chunks. */
  system: string;
  /** What to ask, one call of the model each. */
  chunks: NoteChunk[];
  /** The pins that the note shows word for word, so that the summary need not. */
  pins: string[];
  /** The lines that the note has in any case: those of calls that may have changed something or failed. */
  records: string[];
  /** The tokens that the whole summary may have. */
  allowance: number;
  /** The option `summariserWindow`. */
  window?: number;
}

/** A piece of what is folded, as a message to a model. */
export interface NoteChunk {
  /** The piece as quoted text, and how long the answer may be. */
  message: string;
  /** The entries that it tells of, counted from 0: from the first to before the last. */
  entries: [start: number, end: number];
  /** The tokens that the answer may have. */
  allowance: number;
}

/** What a model answered to a `NoteRequest`. */
export interface NoteAnswer {
  /** The request, or as much of it as is needed. */
  request: NoteRequest | Pick<NoteRequest, "id" | "window">;
  /** One for each chunk, in their order; of a single chunk the answer itself. */
  answers: string | NoteSection | readonly (string | NoteSection)[];
}

/** What a model answered to one chunk. */
export interface NoteSection {
  text: string;
  /** The provider's word for why it stopped: `end_turn`, `stop`, `max_tokens`, `length`, … Only a whole answer is taken. */
  stop: string;
}

/** What `summarise` gets: one chunk of a `NoteRequest`. */
export interface SummaryRequest {
  /** The id of the whole request. */
  id: string;
  system: string;
  message: string;
  /** The tokens that the answer may have. */
  allowance: number;
  /** Which chunk it is, counted from 1, and how many there are. */
  chunk: { number: number; of: number };
}

/** An `AbortSignal` where the platform's types have one. */
export type AnySignal = typeof globalThis extends { AbortSignal: { prototype: infer Real } } ? Real : Signal;

/** What `check` gives. */
export interface Checked {
  format: Format;
  /** Whose rules it was judged by. */
  provider: Provider;
  /** The number of entries. */
  entries: number;
  /** What the provider would refuse, in the order of the entries. Empty: the transcript is well formed. */
  violations: Violation[];
  /** What there is to know about how the input was read. Nothing is left out without one. */
  findings: Finding[];
}

/** Something that the provider would refuse, or is known to misread. */
export interface Violation {
  code: ViolationCode;
  /** `"error"`: the provider refuses the request. `"warning"`: its answer is not known, or depends on the model. */
  severity: "error" | "warning";
  /** The entry that breaks the rule, counted from 0. For an unanswered call it is the entry of the call. */
  entry: number;
  /** The part of the entry, counted from 0, where one part alone is at fault. */
  part?: number;
  /** The ids of the calls that it is about. */
  ids: string[];
  /** The provider's own error text, where it is known. */
  says?: string;
  /** What to do about it. */
  help: string;
}

/** What is wrong with an entry. */
export type ViolationCode =
  | "unanswered-call"
  | "orphan-result"
  | "duplicate-result"
  | "duplicate-call-id"
  | "result-order"
  | "head-role"
  | "tail-role"
  | "empty-content"
  | "bad-id"
  | "reasoning-pair"
  | "server-pair"
  | "part-role"
  | "no-tools"
  | "role-order"
  | "unknown-role"
  | "missing-item"
  | "compaction-block"
  | "system-placement"
  | "cache-breakpoints";

/** What `repair` gives. */
export interface RepairResult<T extends Input> {
  /** The mended transcript; the input itself, the same reference, if nothing was changed. */
  transcript: Folded<T>;
  /** What was done, in its order. Empty: nothing was broken that can be mended. */
  changes: Change[];
  /** What is still wrong: nobody can know the missing piece. Its entries are those of the mended transcript. */
  left: Violation[];
}

/** One thing that a repair did. */
export interface Change {
  /**
   * A dead call was answered, a part without its partner removed, a result moved home, an id renamed in call and result, a
   * plain user entry put in front (opened) or behind (closed), entries of one role merged, a signature or an empty member
   * put in (signed, added), one member taken out (stripped).
   */
  kind: "added" | "answered" | "closed" | "merged" | "moved" | "opened" | "removed" | "renamed" | "signed" | "stripped";
  /** The fault that it mends. */
  code: ViolationCode;
  /** The entry of the input that it is about; of an entry that was added the one it stands before. */
  entry: number;
  /** The ids that it is about, as they were. */
  ids: string[];
  /** What was done and why, in a sentence. */
  message: string;
}

/** The type of a converted transcript: text for text, bytes for bytes, a value for a value. */
export type Converted<T extends Input> = T extends string ? string : T extends Uint8Array ? Uint8Array : object;

/** What `convert` gives. */
export interface ConvertResult<T extends Input> {
  transcript: Converted<T>;
  /** The format it is written in. */
  format: Format;
  /** What did not come along. */
  dropped: Dropped[];
}

/** Something that the other format cannot hold. */
export interface Dropped {
  what: "arguments" | "error-mark" | "media" | "part" | "server-pair" | "settings" | "system-place" | "thinking" | "tool-name";
  /** The entry of the input; absent for the request around the entries. */
  entry?: number;
  /** What was lost, and what stands there now. */
  message: string;
}

/** Something to know about how an input was read. */
export interface Finding {
  /** A stable name in kebab-case. */
  code: string;
  /** `"warning"`: something could not be read as it was meant. `"note"`: nothing is missing. */
  weight: "note" | "warning";
  /**
   * Where it stands, in UTF-16 code units from the start of the text: of the input, or of the transcript where that
   * stands inside a larger document. For a value it is the text that `JSON.stringify` makes of it.
   */
  offset: number;
  /** The line of that text, counted from 1. */
  line: number;
  /** What was found, and what was done about it. */
  message: string;
}

/** A boundary: the position before entry `at`. Folding there replaces the entries before it by a note. */
export interface Cut {
  /** 0 to n, in entries. */
  at: number;
  legal: boolean;
  /** Every reason why it is illegal; empty for a legal one. */
  why: Reason[];
}

/** Why a boundary is illegal. */
export interface Reason {
  reason:
    | "severs-pair"
    | "begins-with-result"
    | "splits-response"
    | "detaches-reasoning"
    | "detaches-thinking"
    | "pending-call"
    | "unconsumed-result"
    | "unanswered-prompt"
    | "displaces-system"
    | "provider-compaction";
  /** The ids of the calls that it is about. */
  ids: string[];
}

/** What to do about a budget. */
export type Decision = Fits | Fold | Defer | Stuck;

interface Counted {
  /** Where the token counts come from: the caller, the usage that a log records, or an estimate from the text. */
  counted: "given" | "anchored" | "estimated";
}

/** Nothing: the transcript is within the trigger. */
export interface Fits extends Counted {
  decision: "fits";
  /** Tokens of the transcript. */
  total: number;
}

/** Fold at a legal cut. */
export interface Fold extends Counted {
  decision: "fold";
  /** The boundary: entries before it go into the note. */
  cut: number;
  /** How it was found: the target itself, back from it (more is kept), forward (more is freed), or nothing is folded and trimming is enough. */
  way: "at-target" | "back" | "forward" | "in-place";
  /** Entries folded, without the system entries, which stay. */
  entries: number;
  /** Prompts among them. */
  prompts: number;
  /** Calls folded with their results. */
  pairs: number;
  /** Tokens now. */
  before: number;
  /** Tokens after the fold, at most. */
  after: number;
  /** Tokens over the budget now. */
  deficit: number;
  /** Tokens freed, at least. */
  freed: number;
  /** Tokens freed ÷ deficit, a fraction: how much more is folded than the budget asks for. */
  overshoot: number;
  /** Lines of the note: those it shows, and those it only counts. */
  lines: { shown: number; unlisted: number };
  /** The kept entries of which results are cut down in place, or thinking is taken out, with their tokens. */
  trims: { entry: number; before: number; after: number }[];
}

/** Wait: no legal cut is in reach, or a call is in flight and the policy is `quiet`. */
export interface Defer extends Counted {
  decision: "defer";
  /** Tokens of the transcript. */
  total: number;
  /** Tokens over the budget. */
  deficit: number;
  /** The boundary that the budget asks for. */
  wanted: number;
  /** Why it cannot be had. */
  blocking: Reason[];
  /** The nearest legal cut before it. */
  before?: Near;
  /** The nearest legal cut after it. */
  after?: Near;
}

/** A legal cut near the one that is wanted. */
export interface Near {
  /** The boundary. */
  at: number;
  /** Tokens between the two. */
  distance: number;
}

/** No fold can ever reach the budget. */
export interface Stuck extends Counted {
  decision: "stuck";
  /** Tokens of the transcript. */
  total: number;
  /** The fewest tokens that any fold can reach, item by item. */
  floor: { what: string; tokens: number }[];
}

/** The type of a folded transcript: text for text, bytes for bytes, a list for a list, a request for a request. */
export type Folded<T extends Input> = T extends string
  ? string
  : T extends Uint8Array
    ? Uint8Array
    : T extends readonly (infer Entry)[]
      ? Entry[]
      : T;

/** What kind of standing condition a pin of words is. */
export type PinClass = "constraint" | "commitment" | "open-question";

/** What a tool state is about. */
export type Topic = "directory" | "branch" | "worktree" | "file" | "cursor" | "process" | "agent" | "plan";

/** A standing condition, word for word. */
export interface Pin {
  /** It follows from the words: the same sentence is the same pin. */
  id: string;
  class: PinClass | "tool-state";
  /** What a tool state is about. */
  topic?: Topic;
  /** The words, exactly as they stand in their entry. */
  text: string;
  /** Where they were said, oldest first. Of what was folded more than once only the first and the last time. */
  said: Said[];
  /** How often they were said. */
  times: number;
  /** Who made it a pin; `"unanswered"`: nobody yet, its turn was folded before it was classified. */
  origin: "accepted" | "classifier" | "ledger" | "policy" | "selected" | "tools" | "unanswered";
  state: "live" | "retired";
  /** Why it holds no longer. */
  evidence?: Evidence;
}

/** One time that words were said. */
export interface Said {
  /** The number of the prompt, counted from 1 over the whole session, folds included. System text is of turn 0. */
  turn: number;
  /** Where that is in the transcript observed last: in an entry, a system entry, a member of the request, or folded. */
  seat: "entry" | "system" | "fixed" | "folded";
  /** The entry, if it is in one. */
  entry?: number;
  /** The part, counted within its entry. */
  part?: number;
  /** From where to where in the part's text, in UTF-16 code units. A tool state has none. */
  span?: [start: number, end: number];
}

/** Why a pin holds no longer. */
export interface Evidence {
  end: "answered" | "completed" | "dismissed" | "fulfilled" | "revoked" | "superseded" | "withdrawn";
  /** The words that show it, or the reason that was given. */
  quote: string;
  /** The turn in which they stand. */
  turn?: number;
}

/** What ends a pin, for `retire`. */
export interface Retirement {
  /** A constraint ends only as revoked, a commitment as fulfilled, a question as answered, either of them as revoked too. */
  end: "answered" | "completed" | "fulfilled" | "revoked" | "superseded";
  /** For `"revoked"` words of a later prompt, exactly as they stand there; else such words, or a reason. */
  quote: string;
}

/** What to pin: words of a prompt or system entry, or a range of its text. */
export type Place = {
  /** The entry, as the transcript was observed last. */
  entry: number;
  /** The part of the entry. Default: the first that has the words, or the first with text. */
  part?: number | undefined;
} & (
  | { text: string; span?: undefined }
  | {
      /** From where to where in the part's text, in UTF-16 code units. */
      span: readonly [start: number, end: number];
      text?: undefined;
    }
);

/** A sentence that may bind. */
export interface Candidate {
  /** The id of the pin that it would be. */
  id: string;
  /** Its words, exactly as they stand in their entry. */
  text: string;
  /** What flagged it, such as `"prohibition"`, `"ordering"` or `"path"`. */
  signs: string[];
  said: Said;
  verdict: "accepted" | "dismissed" | "waiting";
}

/** Later words that contradict a pin. They are reported and never resolved. */
export interface Conflict {
  /** The pin's id. */
  pin: string;
  /** The later words. */
  text: string;
  said: Said;
  /** One says to ask and the other not to, one forbids what the other asks for, or one rule has two values. */
  why: "asking" | "forbidden" | "value";
}

/** Something to know about what a ledger observed. */
export interface LedgerFinding {
  /** A stable name in kebab-case. */
  code: string;
  weight: "note" | "warning";
  /** The line of a log that it is about. */
  line?: number;
  /** What was found, and what was done about it. */
  message: string;
}

/** The question to a model: does this turn bind the future? */
export interface ClassifyRequest {
  /** The same turn always has the same id. */
  id: string;
  turn: number;
  /** The system text for the model, with the pins that hold now. */
  system: string;
  /** The turn, word for word. */
  message: string;
  /** The JSON schema of the answer. */
  schema: object;
  /** Why the answer before was refused, where a `compactor` asks again. */
  refusal?: string;
}

/** A pin as a fold shows it. */
export interface ShownPin {
  id: string;
  class: PinClass | "tool-state";
  topic?: Topic;
  text: string;
  /** The first and the last turn in which it was said. */
  turns: [first: number, last: number];
  /** How often it was said. */
  times: number;
  /** Whether it stands in system text, which no fold takes away. */
  system: boolean;
  /** `false` for a candidate whose turn was folded before it was classified: kept, because it may bind. */
  classified: boolean;
}

/** As much of an `AbortSignal` as is needed: its own type is not there without the types of a platform. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: any;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** What `compactor` gives. */
export interface Compactor {
  /**
   * Call it before each request. It folds the messages if they are over the budget; kept entries are the caller's own
   * objects. It rejects where `fold` throws, and with the signal's reason.
   */
  prepare<T extends Input>(messages: T, options?: { signal?: Signal | undefined }): Promise<Prepared<T>>;
  /** The ledger that it keeps. */
  readonly ledger: Ledger;
}

/** What `prepare` gives. */
export interface Prepared<T extends Input> {
  /** The messages to send: the same reference if nothing was folded. */
  messages: Folded<T>;
  decision: Decision;
  /** What a fold did; absent if there was none. */
  report?: Report;
  /** The classifications that failed since the last call. Nothing is lost: their candidates stay in the ledger. */
  refusals: ClassifyFailure[];
  /** What `summarise` threw, or a `PinfoldError` with the code `"timeout"`; absent if it did not fail. */
  summaryError?: unknown;
}

/** A classification that failed. */
export interface ClassifyFailure {
  request: ClassifyRequest;
  /** A `PinfoldError` if the answer was refused twice, else what `classify` threw. */
  error: unknown;
}

/** The options of a `Session`: how what it begins with is read, and its ledger. */
export interface SessionOptions extends ReadOptions, FrozenOptions {
  /** How its ledger works, or a `Ledger` of which it takes a copy. */
  ledger?: LedgerOptions | Ledger | undefined;
}

/** The options of a session's `noteRequest`. */
export type SessionNoteRequestOptions = PolicyOptions & SummariserOptions;

/** The options of a session's `fold`. */
export type SessionFoldOptions = PolicyOptions & {
  /** As for `fold`. */
  note?: NoteAnswer | "failed" | undefined;
};

/** What a session's `fold` gives. */
export interface SessionFoldResult extends Omit<FoldResult<object[]>, "transcript"> {
  /** The entries with which the session goes on. */
  entries: any[];
}

/** What `fold` gives. */
export interface FoldResult<T extends Input> {
  /** The folded transcript; the input itself, the same reference, if the decision is not `"fold"`. */
  transcript: Folded<T>;
  decision: Decision;
  /** What was done; absent if the decision is not `"fold"`. */
  report?: Report;
  /** The pins that the ledger block shows; absent if the decision is not `"fold"`. */
  ledger?: ShownPin[];
  /** The proof that every law holds. A fold that breaks one is not given out. */
  proof: Proof;
}

/** What a fold did, counted again on its result. */
export interface Report {
  /** The format of the input. */
  format: Format;
  /** The format of the result: a Claude Code log cannot express a fold, so a fold of it is written as `"anthropic"` messages. */
  written: Format;
  /** Tokens before. */
  before: number;
  /** Tokens after. */
  after: number;
  /** Tokens over the budget before. */
  deficit: number;
  /** Tokens freed. */
  freed: number;
  /** Tokens freed ÷ deficit, a fraction. */
  overshoot: number;
  /** Entries folded and kept. */
  entries: { folded: number; kept: number };
  /** Calls with their results, folded and kept. */
  pairs: { folded: number; kept: number };
  /** Tokens of an exchange on average ÷ deficit: above 1, leaving out whole exchanges frees more than is asked for. */
  coarseness: number;
  /** Tokens that the provider has to read anew, at most: what it may have cached ends where the note begins. */
  cacheLost: number;
  /** How far estimates of tokens were off, as a fraction; absent where the input records no usage to measure it by. */
  countError?: number;
  /** What became of each exchange, and why. */
  exchanges: ExchangeReport[];
  /** The lines of folded output that the note keeps, and why. */
  excerpts: Excerpt[];
  /** What became of thinking in what is kept. */
  keptThinking: KeptThinking;
  /** What the ledger takes of the budget. */
  ledger: LedgerShare;
  /** What came of the summary by a model of yours. */
  summary: SummaryReport;
  /** What `restore` takes the fold back with. */
  undo: Undo;
  /** What there is to know about how the input was read. */
  findings: Finding[];
}

/** What became of an exchange. */
export interface ExchangeReport {
  /** As it was, so but for results that were cut down, its end alone as it was, as lines of the note, in the summary, or only counted. */
  representation: "raw" | "trimmed" | "part" | "digest" | "summary" | "counted";
  /** Why it is not represented otherwise. */
  why: "live-tail" | "newest" | "cut-inside" | "older" | "summarised" | "no-room" | "too-large";
  /** Its first entry, and the one after its last. */
  entries: [number, number];
  /** Their tokens. */
  tokens: number;
  /** The lines that the note has of it, and how many it only counts. */
  lines: { shown: number; unlisted: number };
}

/**
 * What takes a fold back. Of a text, `at` is in UTF-16; of a list, `written` and `removed` are entries, and those that were
 * removed are your own objects. It may be kept as JSON.
 */
export interface Undo {
  at: number;
  written: string | unknown[];
  removed: string | unknown[];
}

/** A line of folded output that the note keeps word for word. */
export interface Excerpt {
  /** The entry that it tells about; that of the note for what an earlier fold kept. */
  entry: number;
  text: string;
  /** The string that it is kept for. */
  string: string;
  /** The last entry with a call that used that string, if one did. */
  used?: number;
  /** What it costs, in tokens. */
  tokens: number;
}

/** What came of a summary. */
export interface SummaryReport {
  /**
   * `"none"`: nobody was asked, or there was no room worth asking for; `"written"`: it stands in the note; `"refused"`: it may
   * not; `"failed"`: the model gave none.
   */
  state: "none" | "written" | "refused" | "failed";
  /** What it costs in the note, if it is written. */
  tokens?: number;
  /** Why it was refused. */
  reason?: SummaryRefusal;
  /** The same in a sentence, with the way out. */
  message?: string;
  /** What became of the summary of an earlier fold; of one that found no room the note says so. */
  earlier: "none" | "kept" | "merged" | "dropped";
}

/** Why a summary may not stand in a note. */
export type SummaryRefusal =
  | "cut-off"
  | "declined"
  | "empty"
  | "forged"
  | "looks-like-an-error"
  | "not-for-this-request"
  | "over-allowance"
  | "tool-call"
  | "unknown-stop";

/** What the ledger takes of the budget. */
export interface LedgerShare {
  /** The number of pins that are shown. */
  pins: number;
  /** What they cost, in tokens. */
  tokens: number;
  /** What they may cost, in tokens. */
  allowed: number;
  /** If they cost more: the ids of the oldest that can be retired without being revoked. Nothing is left out. */
  proposals: string[];
}

/** What a proof found. */
export interface Proof {
  /** Whether every law holds. */
  holds: boolean;
  /** The laws that are broken. */
  broken: Broken[];
}

/** A law that a result breaks. */
export interface Broken {
  /** Its number, 1 to 10. */
  law: number;
  /** The entry of the result that breaks it, or of the input if it is missing from the result. */
  entry: number;
  /** The ids of the calls that it is about. */
  ids: string[];
  /** What was found. */
  message: string;
}

/** The kinds of error, see `PinfoldError`. */
export type ErrorCode =
  /** An option or argument has a value that it cannot have, or one is missing. */
  | "bad-option"
  /** There is no option of that name. */
  | "unknown-option"
  /** The input is neither text nor bytes nor a value. */
  | "bad-input"
  /** The input is a value that JSON cannot carry. */
  | "not-json"
  /** There is nothing but white space. */
  | "empty-input"
  /** No transcript of a known format was found. */
  | "unknown-format"
  /** `pick` is out of range. */
  | "no-such-transcript"
  /** The rules of that provider are not for entries of this format: convert first. */
  | "wrong-provider"
  /** Nothing is written in that format, which is a log. */
  | "not-a-message-format"
  /** The input is a zip archive that cannot be read. */
  | "bad-archive"
  /** The input is larger than 2 GiB, or its boundaries name millions of ids. */
  | "too-large"
  /** The input is UTF-16. */
  | "utf-16"
  /** A fold broke a law and was withheld: a fault of Pinfold. */
  | "unproved"
  /** The wasm stopped: out of memory, or a fault of Pinfold. */
  | "crashed"
  /** The JSON is no ledger. */
  | "bad-ledger"
  /** What a fold wrote does not stand where `restore` would take it back. */
  | "other-transcript"
  /** The JSON is no session. */
  | "bad-session"
  /** What was pushed is neither an entry nor a list of entries. */
  | "not-an-entry"
  /** The request has no list in which an entry could stand. */
  | "no-list"
  /** `summarise` took longer than it may. Never thrown. */
  | "timeout"
  | RefusalCode;

/** Why a `Ledger` does not do what it was asked. Nothing has changed then. */
export type RefusalCode =
  /** The request was answered before, with another answer. */
  | "already-answered"
  /** The text to pin, or the quote, is empty. */
  | "empty-text"
  /** The answer is not JSON, or not of the schema's shape. */
  | "malformed-answer"
  /** Only words of a later prompt end this pin. */
  | "needs-prompt"
  /** What is to be pinned stands in no prompt and no system entry. */
  | "not-a-prompt"
  /** The text does not stand there word for word; `nearest` has the words that come nearest. */
  | "not-verbatim"
  /** System text holds as long as it stands in the request. */
  | "system-pin"
  /** There is no such class of words. */
  | "unknown-class"
  /** There is no such live pin, or no such candidate. */
  | "unknown-pin"
  /** The ledger asked nothing of that id. */
  | "unknown-request"
  /** A pin of this class does not end so. */
  | "wrong-end";
