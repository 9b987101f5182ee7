// Checked by tsc, never run: what a TypeScript user may and may not write.

import { check, compactor, cuts, detect, fold, Ledger, noteRequest, PinfoldError, plan, transcripts, verify } from "pinfold";
import type {
  Candidate,
  Checked,
  ClassifyFailure,
  ClassifyRequest,
  Compactor,
  Conflict,
  Cut,
  Decision,
  Detected,
  ErrorCode,
  FoldOptions,
  LedgerFinding,
  LedgerShare,
  NoteRequest,
  Pin,
  Proof,
  RefusalCode,
  Report,
  ShownPin,
  SummaryRefusal,
  TranscriptInfo,
} from "pinfold";

type Message = { role: "user" | "assistant"; content: string | { type: string }[] };
declare const messages: Message[];
declare const frozen: readonly Message[];
declare const request: { model: string; max_tokens: number; messages: Message[] };
declare const bytes: Uint8Array;
declare const either: string | Message[];

function is<Wanted>(value: Wanted): Wanted {
  return value;
}

// Every result has its type.
is<Detected | null>(detect("[]"));
is<TranscriptInfo[]>(transcripts(bytes));
is<Checked>(check(messages, { mode: "request" }));
is<Cut[]>(cuts(request, { format: "openai-chat", pick: undefined }));
is<Proof>(verify(messages, messages));
is<Proof>(verify(messages, messages, { budget: 10, tokens: [1, 2] }));

// What goes in comes out.
is<string>(fold("[]", { budget: 10 }).transcript);
is<Uint8Array>(fold(bytes, { budget: 10 }).transcript);
is<Message[]>(fold(messages, { budget: 10 }).transcript);
is<Message[]>(fold(frozen, { budget: 10 }).transcript);
is<{ model: string; max_tokens: number; messages: Message[] }>(fold(request, { budget: 10 }).transcript);
is<string | Message[]>(fold(either, { budget: 10 }).transcript);
is<Report | undefined>(fold(messages, { budget: 10 }).report);

// The decision is told apart by its name.
const decision: Decision = plan(messages, { budget: 10, tokens: (entry: Message) => entry.content.length });
switch (decision.decision) {
  case "fits":
    is<number>(decision.total);
    break;
  case "fold":
    is<number>(decision.cut + decision.lines.unlisted);
    is<"at-target" | "back" | "forward" | "in-place">(decision.way);
    break;
  case "defer":
    is<number | undefined>(decision.before?.distance);
    break;
  case "stuck":
    is<{ what: string; tokens: number }[]>(decision.floor);
    break;
  default:
    is<never>(decision);
}

const error = new PinfoldError("bad-option", "…");
is<ErrorCode>(error.code);
is<Error>(error);
is<FoldOptions>({ budget: 1, quiet: true, noteShare: 0.2 });

// The ledger.
const ledger = new Ledger({ classify: true, repeat: "system", recognisers: [{ tool: "run*", path: "cwd", topic: "directory" }] });
is<ClassifyRequest[]>(ledger.observe(messages, { format: "anthropic" }));
is<string[]>(ledger.resolve(ledger.open()[0]!, { found: [] }));
is<string[]>(ledger.resolve("id", '{ "found": [] }'));
is<string>(ledger.accept("id", "open-question"));
is<void>(ledger.dismiss("id"));
is<string>(ledger.pin({ entry: 0, text: "words" }));
is<string>(ledger.pin({ entry: 0, part: 1, span: [0, 5] }, "commitment"));
is<void>(ledger.retire("id", { end: "revoked", quote: "words" }));
is<Pin[]>(ledger.pins);
is<Candidate[]>(ledger.candidates);
is<Conflict[]>(ledger.conflicts);
is<LedgerFinding[]>(ledger.findings);
is<string>(ledger.render());
is<Ledger>(Ledger.fromJSON(ledger.toJSON(), { share: 0.1 }));
is<[number, number] | undefined>(ledger.pins[0]?.said[0]?.span);
is<ShownPin[] | undefined>(fold(messages, { budget: 10, ledger }).ledger);
is<LedgerShare | undefined>(fold(messages, { budget: 10, ledger: "prohibitions" }).report?.ledger);
is<Proof>(verify(messages, messages, { ledger: false }));
is<RefusalCode>("not-verbatim");
is<string | undefined>(error.nearest);

const agent: Compactor = compactor({ budget: 10, ledger, classify: async ({ message, refusal }) => message + refusal, classifyTimeoutMs: 0 });
is<Ledger>(agent.ledger);
agent.prepare(frozen, { signal: undefined }).then((prepared) => {
  is<Message[]>(prepared.messages);
  is<Decision>(prepared.decision);
  is<ClassifyFailure[]>(prepared.refusals);
});

const asked: NoteRequest | null = noteRequest(messages, { budget: 10, summariserWindow: 8000 });
if (asked !== null) {
  const told = fold(messages, { budget: 10, note: { request: asked, answers: [{ text: "It works.", stop: "end_turn" }, "So it does."] } });
  is<SummaryRefusal | undefined>(told.report?.summary.reason);
  fold(messages, { budget: 10, note: "failed" });
}
compactor({ budget: 10, summarise: async ({ message, chunk }, { signal }) => (signal.aborted ? message : `${chunk.number}`), summariseTimeoutMs: 5 });

// @ts-expect-error: an answer says why it ended
fold(messages, { budget: 10, note: { request: { id: "x" }, answers: { text: "It works." } } });
// @ts-expect-error: nothing is planned by what a model wrote
plan(messages, { budget: 10, note: "failed" });
// @ts-expect-error: either words or a span
ledger.pin({ entry: 0, text: "words", span: [0, 5] });
// @ts-expect-error: a tool state comes from calls and results alone
ledger.accept("id", "tool-state");
// @ts-expect-error: something that looks like a ledger is none
plan(messages, { budget: 10, ledger: { ...ledger } });
// @ts-expect-error: a compactor needs a budget
compactor({ classify: async () => "" });
// @ts-expect-error: a list of counts is right for one list of messages only
compactor({ budget: 10, tokens: [1, 2] });
// @ts-expect-error: a budget there must be
plan(messages, {});
// @ts-expect-error: options there must be
fold(messages);
// @ts-expect-error: no such option
check(messages, { modes: "log" });
// @ts-expect-error: no such mode
check(messages, { mode: "both" });
// @ts-expect-error: no such format
cuts(messages, { format: "cohere" });
// @ts-expect-error: a null is no transcript
detect(null);
// @ts-expect-error: nor is a number
fold(5, { budget: 10 });
// @ts-expect-error: only a decision to fold has a cut
is<number>(plan(messages, { budget: 10 }).cut);
// @ts-expect-error: a policy without a budget means nothing
verify(messages, messages, { quiet: true });
