// Results that are cut down in place: the caller's objects stay as they are, and only the trimmed entries are new ones.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fold, plan, restore, Session, verify } from "pinfold";

const long = Array.from({ length: 900 }, (_, at) => `line ${at} of the output`).join("\n");
const talk = [
  { role: "user", content: "Find the leak." },
  { role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: { path: "a" } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "small" }] },
  { role: "assistant", content: [{ type: "tool_use", id: "b", name: "read", input: { path: "b" } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "b", content: long }] },
];

test("where nothing else keeps to the budget, the largest result is cut down", () => {
  const was = JSON.stringify(talk);
  const { transcript, decision, report, proof } = fold(talk, { budget: 800 });
  assert.equal(JSON.stringify(talk), was);
  assert.equal(decision.decision, "fold");
  assert.deepEqual(decision.trims.map(({ entry }) => entry), [4]);
  assert.deepEqual(decision, plan(talk, { budget: 800 }));
  const { before, after } = decision.trims[0];
  assert.ok(after < before && report.after <= 800 && proof.holds);
  const last = transcript.at(-1);
  assert.notEqual(last, talk[4]);
  assert.match(last.content[0].content, /^line 0 of the output\n[^]*\n\[… \d+ tokens cut\]\n[^]*\nline 899 of the output$/);
  assert.equal(last.content[0].tool_use_id, "b");
  assert.ok(transcript.includes(talk[3]), "an entry that is not trimmed is the caller's own");
  assert.ok(verify(talk, transcript, { budget: 800 }).holds);

  // The number of tokens that are gone is proved too.
  const forged = JSON.parse(JSON.stringify(transcript).replace(/… (\d)/, (_, digit) => `… ${9 - digit}`));
  assert.equal(verify(talk, forged, { budget: 800 }).holds, false);

  for (const input of [talk, was]) {
    const { transcript, report } = fold(input, { budget: 800 });
    assert.deepEqual(restore(transcript, report.undo), input);
  }
});

test("`hard: false` and `keepRecent` say what is not to be cut down", () => {
  for (const options of [{ hard: false }, { keepRecent: 1 }]) {
    const { transcript, decision } = fold(talk, { budget: 800, ...options });
    assert.equal(decision.decision, "stuck");
    assert.equal(transcript, talk);
  }
});

test("a fold may fold nothing", () => {
  // A call is in flight, and the policy asks for quiet.
  const flying = [...talk, { role: "assistant", content: [{ type: "tool_use", id: "c", name: "read", input: {} }] }];
  const { transcript, decision, report } = fold(flying, { budget: 3000, quiet: true });
  assert.deepEqual([decision.decision, decision.way, decision.cut, report.entries.folded], ["fold", "in-place", 0, 0]);
  assert.equal(transcript.length, flying.length);
  flying.forEach((entry, index) => assert.equal(transcript[index] === entry, index !== 4, `entry ${index}`));
  assert.deepEqual(report.exchanges.map(({ representation, why }) => [representation, why]), [["trimmed", "too-large"]]);
  assert.deepEqual(restore(transcript, report.undo), flying);
});

test("a session goes on with what was trimmed", () => {
  const session = new Session(talk);
  const decision = session.plan({ budget: 800 });
  const { entries, report } = session.fold({ budget: 800 });
  assert.deepEqual(decision.trims.map(({ entry }) => entry), [4]);
  assert.deepEqual(entries, fold(talk, { budget: 800 }).transcript);
  assert.equal(session.text, JSON.stringify(session.entries));
  assert.deepEqual(restore(entries, report.undo), talk);
  assert.equal(session.plan({ budget: 800 }).decision, "fits");
});

test("a budget may be what a window leaves", () => {
  const whole = plan(talk, { budget: 800 });
  assert.deepEqual(plan(talk, { window: 1000, reserve: 200 }), whole);
  assert.deepEqual(plan(talk, { window: 800 }), whole);
  assert.deepEqual(new Session(talk).plan({ window: 1000, reserve: 200 }), whole);
});

test("thinking that would be refused behind a note is taken out, by the model or as you say", () => {
  const thinking = { type: "thinking", thinking: "Let me see. ".repeat(30), signature: "c2ln" };
  const rounds = Array.from({ length: 8 }, (_, at) => [
    { role: "assistant", content: [thinking, { type: "tool_use", id: `c${at}`, name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `c${at}`, content: "many words ".repeat(40) }] },
  ]);
  const messages = [talk[0], ...rounds.flat(), { role: "assistant", content: "Done." }];
  for (const [options, wanted] of [
    [{ model: "claude-opus-5-5" }, "strip"],
    [{ model: "claude-opus-5-5", keptThinking: "keep" }, "keep"],
    [{ model: "claude-opus-5-5", keptThinking: "drop-block" }, "drop-block"],
    [{ model: "claude-sonnet-5" }, "keep"],
    [{}, "keep"],
  ]) {
    const { transcript, report, decision } = fold(messages, { budget: 900, ...options });
    assert.equal(report.keptThinking, wanted);
    assert.equal(JSON.stringify(transcript).includes('"thinking"'), wanted !== "strip");
    assert.equal(decision.trims.length > 0, wanted === "strip");
    assert.ok(verify(messages, transcript, { budget: 900, ...options }).holds);
    assert.deepEqual(restore(transcript, report.undo), messages);
  }
});
