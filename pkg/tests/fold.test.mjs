// What comes back: the caller's own objects, text for text, bytes for bytes, and the input itself where nothing is folded.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import * as pinfold from "pinfold";
import { check, cuts, detect, fold, plan, restore, transcripts, verify } from "pinfold";

import { anthropic, chat, claudeCode, responses } from "./talks.mjs";

const BUDGET = 2000;
const tools = [{ name: "run", input_schema: { type: "object" } }];
const system = [{ type: "text", text: "Be brief." }];

// Each value, where its list is, and how many system entries it begins with.
const VALUES = [
  ["an Anthropic list", anthropic(40), (it) => it, 0],
  ["a Chat list", chat(40), (it) => it, 1],
  ["a Responses list", responses(40), (it) => it, 0],
  ["an Anthropic request", { model: "claude", system, tools, messages: anthropic(40), metadata: undefined }, (it) => it.messages, 0],
  ["a Chat request", { model: "gpt", messages: chat(40), stream: true }, (it) => it.messages, 1],
  ["a Responses request", { model: "gpt", input: responses(40), store: false }, (it) => it.input, 0],
];

for (const [name, value, list, leading] of VALUES) {
  test(`${name}: kept entries are the caller's own`, () => {
    deepFreeze(value);
    const before = JSON.stringify(value);
    const { transcript, decision, report, proof } = fold(value, { budget: BUDGET });

    assert.equal(decision.decision, "fold");
    assert.notEqual(transcript, value);
    const [was, is] = [list(value), list(transcript)];
    assert.ok(is.length > leading + 1, "something is kept");
    assert.equal(is.length, was.length - decision.cut + leading + 1);
    for (let index = 0; index < leading; index += 1) {
      assert.equal(is[index], was[index], "a system entry");
    }
    for (let index = decision.cut; index < was.length; index += 1) {
      assert.equal(is[index - decision.cut + leading + 1], was[index], `entry ${index}`);
    }
    assert.equal(is[leading].role, "user");
    assert.match(JSON.stringify(is[leading]), /Pinfold note/);
    if (!Array.isArray(value)) {
      assert.deepEqual(Object.keys(transcript), Object.keys(value));
      const others = Object.keys(value).filter((key) => value[key] !== was);
      assert.ok(others.every((key) => transcript[key] === value[key]), "every other member is the same reference");
    }
    assert.equal(JSON.stringify(value), before);
    assert.deepEqual(proof, { holds: true, broken: [] });
    assert.deepEqual([report.entries.kept, report.before], [was.length - decision.cut, decision.before]);
    assert.ok(report.after <= decision.after && report.after <= BUDGET);
    assert.deepEqual(verify(value, transcript, { budget: BUDGET }), proof);
    assert.deepEqual(check(transcript).violations, check(value).violations);
  });

  test(`${name}: the same as text and as bytes`, () => {
    const text = JSON.stringify(value, null, 2);
    const fromText = fold(text, { budget: BUDGET });
    const fromBytes = fold(new TextEncoder().encode(text), { budget: BUDGET });
    assert.equal(typeof fromText.transcript, "string");
    assert.ok(fromBytes.transcript instanceof Uint8Array);
    assert.equal(new TextDecoder().decode(fromBytes.transcript), fromText.transcript);
    // As JSON has it: a member that is `undefined` is not there.
    const fromValue = JSON.parse(JSON.stringify(fold(value, { budget: BUDGET }).transcript));
    assert.deepEqual(list(JSON.parse(fromText.transcript)).slice(leading + 1), list(fromValue).slice(leading + 1));
    assert.ok(verify(text, fromText.transcript, { budget: BUDGET }).holds);
  });

  test(`${name}: what is not folded is the input itself`, () => {
    for (const [input, budget, decision] of [
      [value, 1e6, "fits"],
      [JSON.stringify(value), 1e6, "fits"],
      [new TextEncoder().encode(JSON.stringify(value)), 1e6, "fits"],
      [value, 1, "stuck"],
    ]) {
      const result = fold(input, { budget });
      assert.equal(result.transcript, input);
      assert.equal(result.decision.decision, decision);
      assert.deepEqual(result.proof, { holds: true, broken: [] });
      assert.deepEqual(Object.keys(result).sort(), ["decision", "proof", "transcript"], "no report");
      assert.deepEqual(plan(input, { budget }), result.decision);
    }
  });
}

test("a Claude Code log becomes Anthropic messages", () => {
  const lines = claudeCode(40);
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const bytes = new TextEncoder().encode(text);
  const results = [lines, text, bytes].map((input) => fold(input, { budget: BUDGET }));
  const [list, fromText, fromBytes] = results.map(({ transcript }) => transcript);
  for (const { report } of results) {
    assert.deepEqual([report.format, report.written], ["claude-code", "anthropic"]);
  }
  assert.ok(Array.isArray(list) && list.every((message) => "role" in message && !("uuid" in message)));
  assert.deepEqual(JSON.parse(fromText), list);
  assert.equal(new TextDecoder().decode(fromBytes), fromText);
  assert.ok(verify(text, fromText, { budget: BUDGET }).holds);
  assert.ok(verify(lines, list, { budget: BUDGET }).holds);
  assert.equal(check(list, { format: "anthropic" }).violations.length, 0);
});

test("of several transcripts the picked one comes back", () => {
  const set = [{ messages: anthropic(10), tools }, { messages: anthropic(40), tools }];
  const text = set.map((request) => JSON.stringify(request)).join("\n");
  assert.deepEqual(
    transcripts(text).map(({ label, format, entries }) => [label, format, entries]),
    [["line 1", "anthropic", set[0].messages.length], ["line 2", "anthropic", set[1].messages.length]],
  );
  for (const [pick, budget] of [[0, 1000], [1, BUDGET]]) {
    const { transcript, report } = fold(text, { budget, pick });
    assert.ok(verify(text, transcript, { budget, pick }).holds);
    const kept = JSON.parse(transcript).messages;
    assert.deepEqual(kept.slice(1), set[pick].messages.slice(1 - kept.length));
    assert.deepEqual(report.findings.map(({ code }) => code), ["several-transcripts"]);
    // Inside a larger value the entries are new objects of the same content.
    assert.deepEqual(fold(set, { budget, pick }).transcript.messages.slice(1), kept.slice(1));
  }
  assert.equal(check(text).entries, set[1].messages.length, "the longest, if nobody picks");
});

test("the caller's counts win", () => {
  const value = anthropic(40);
  const tokens = value.map((_, index) => index + 1);
  const sum = tokens.reduce((total, count) => total + count);
  const seen = [];
  const counted = (entry, index) => {
    seen.push(entry);
    return tokens[index];
  };
  for (const [input, fixedTokens] of [[value, 0], [value, 500], [JSON.stringify(value), 0]]) {
    const given = plan(input, { budget: 1e6, tokens, fixedTokens });
    assert.deepEqual(given, { counted: "given", decision: "fits", total: sum + fixedTokens });
    seen.length = 0;
    assert.deepEqual(plan(input, { budget: 1e6, tokens: counted, fixedTokens }), given);
    assert.equal(seen.length, value.length);
    assert.ok(typeof input === "string" || seen.every((entry, index) => entry === value[index]), "its own elements");
    assert.deepEqual(seen, value);
  }
  const fixed = plan(value, { budget: 1e6, fixedTokens: 7 }).total - plan(value, { budget: 1e6, fixedTokens: 0 }).total;
  assert.equal(fixed, 7, "the fixed part alone can be given");
  const folded = fold(value, { budget: 4000, tokens: value.map(() => 100) });
  assert.equal(folded.decision.before, value.length * 100);
  assert.ok(verify(value, folded.transcript, { budget: 4000, tokens: value.map(() => 100) }).holds);
  // For a log the function gets the messages that were rebuilt from its lines.
  const lines = claudeCode(3);
  assert.equal(plan(lines, { budget: 1e6, tokens: (entry) => entry.content.length, fixedTokens: 0 }).counted, "given");
});

test("each policy option reaches the plan", () => {
  const value = anthropic(40);
  const base = plan(value, { budget: BUDGET });
  assert.equal(base.decision, "fold");
  const recent = plan(value, { budget: BUDGET, select: "recency" });
  const open = [...value, { role: "assistant", content: [{ type: "tool_use", id: "open", name: "run", input: {} }] }];
  for (const [input, options, differs] of [
    [value, { trigger: 1e6 }, (it) => it.decision === "fits"],
    [value, { target: 1000 }, (it) => it.cut > base.cut],
    [value, { lookback: 0.5 }, (it) => it.cut !== base.cut],
    [value, { noteShare: 0, select: "recency" }, (it) => it.lines.shown < recent.lines.shown],
    [value, { hard: false, window: BUDGET + 100, reserve: 100, budget: undefined }, (it) => it.cut === base.cut],
    [open, { quiet: true, hard: false }, (it) => it.decision === "defer" && it.blocking[0].ids[0] === "open" && it.before.at > 0],
    [open, { quiet: false }, (it) => it.decision === "fold"],
    [value, { keepRecent: 1e6 }, (it) => it.decision === "stuck"],
    [value, { trigger: 10, budget: 1e6, minGain: 1e9 }, (it) => it.decision === "stuck"],
    [value, { trigger: BUDGET, budget: 1e6, minGain: 1e9 }, (it) => it.decision === "fits"],
    [value, { trigger: BUDGET, budget: 1e6 }, (it) => it.decision === "fold"],
  ]) {
    const decision = plan(input, { budget: BUDGET, ...options });
    assert.ok(differs(decision), `${JSON.stringify(options)} gave ${JSON.stringify(decision)}`);
  }
});

test("stuck names the floor", () => {
  const decision = plan({ system: "x ".repeat(5000), messages: anthropic(2), tools }, { budget: 100 });
  assert.equal(decision.decision, "stuck");
  const sum = decision.floor.reduce((total, { tokens }) => total + tokens, 0);
  assert.ok(sum > 100 && decision.floor.some(({ what }) => what === "system"), JSON.stringify(decision.floor));
});

test("a broken fold is named by its law", () => {
  const value = anthropic(40);
  const { transcript } = fold(value, { budget: BUDGET });
  const changed = transcript.map((entry, index) => (index === 2 ? { ...entry, content: "other" } : entry));
  const proof = verify(value, changed);
  assert.equal(proof.holds, false);
  assert.deepEqual([proof.broken[0].law, proof.broken[0].ids], [6, []]);
  assert.ok(Number.isInteger(proof.broken[0].entry) && proof.broken[0].message.length > 0);
  assert.equal(verify(value, value.slice(4)).broken[0].law, 6);
  assert.deepEqual(verify(value, value), { holds: true, broken: [] });
  assert.equal(verify(value, "no transcript").broken[0].law, 10);
});

test("what is missing is absent, not null", () => {
  const dangling = [{ role: "user", content: "Go." }, { role: "assistant", content: [{ type: "tool_use", id: "a", name: "run", input: {} }] }, { role: "user", content: "And?" }];
  const { violations } = check({ tools, messages: dangling });
  assert.equal(violations[0].code, "unanswered-call");
  assert.deepEqual(violations[0].ids, ["a"]);
  const results = [violations, check(responses(3)), plan(chat(9), { budget: 400 }), fold(chat(40), { budget: BUDGET }), cuts(dangling)];
  // What takes a fold back holds the caller's own entries.
  const own = (key, value) => (key === "undo" ? undefined : value);
  assert.ok(!JSON.stringify(results.map(({ transcript, ...result }) => result), own).includes("null"));
  assert.equal("part" in check({ messages: [] , tools }).violations, false);
});

test("a fold is taken back in every form, also after growth, and nothing else is", () => {
  const talk = chat(40);
  const text = JSON.stringify(talk, null, 1);
  const bytes = new TextEncoder().encode(text);
  const undone = (input) => {
    const { transcript, report } = fold(input, { budget: BUDGET });
    return restore(transcript, JSON.parse(JSON.stringify(report.undo)));
  };
  assert.equal(undone(text), text);
  assert.deepEqual(undone(bytes), bytes);
  assert.deepEqual(undone(talk), talk);
  const { transcript, report } = fold(talk, { budget: BUDGET });
  const grown = [...transcript, { role: "user", content: "And now?" }];
  const back = restore(grown, report.undo);
  assert.deepEqual(back, [...talk, grown.at(-1)]);
  assert.ok(talk.every((entry, index) => back[index] === entry));
  for (const [other, undo] of [[talk, report.undo], ["[]", report.undo], [transcript, undefined], [grown.slice(1), report.undo], [text, fold(text, { budget: BUDGET }).report.undo]]) {
    assert.throws(() => restore(other, undo), { name: "PinfoldError", code: "other-transcript" });
  }
});

test("mode tells a log from a request", () => {
  const open = [{ role: "user", content: "Go." }, { role: "assistant", content: [{ type: "tool_use", id: "a", name: "run", input: {} }] }];
  const codes = (options) => check({ tools, messages: open }, options).violations.map(({ code }) => code);
  assert.deepEqual(codes({ mode: "log" }), codes());
  assert.ok(!codes().includes("unanswered-call"));
  assert.ok(codes({ mode: "request" }).includes("unanswered-call"));
});

test("formats are told apart", () => {
  for (const [input, format] of [
    [anthropic(3), "anthropic"],
    [chat(3), "openai-chat"],
    [responses(3), "openai-responses"],
    [claudeCode(3), "claude-code"],
  ]) {
    const detected = detect(input);
    assert.equal(detected.format, format);
    assert.ok(detected.confidence > 0.5 && detected.confidence <= 1);
    assert.deepEqual(detect(JSON.stringify(input)), detected);
  }
  assert.equal(detect([{ role: "user", content: "Hi" }]).confidence, 0.3);
  for (const nothing of ["", "   ", "hello", "[1, 2]", {}, { a: 1 }, new Uint8Array()]) {
    assert.equal(detect(nothing), null);
  }
});

test("require gives the same functions", () => {
  const required = createRequire(import.meta.url)("pinfold");
  assert.deepEqual(Object.keys(required).sort(), Object.keys(pinfold).sort());
  const value = chat(40);
  const { transcript } = required.fold(value, { budget: BUDGET });
  assert.equal(transcript.at(-1), value.at(-1));
  assert.throws(() => required.check(null), (error) => error instanceof required.PinfoldError && error.code === "bad-input");
});

function deepFreeze(value) {
  for (const child of Object.values(value)) {
    if (typeof child === "object" && child !== null) {
      deepFreeze(child);
    }
  }
  Object.freeze(value);
}
