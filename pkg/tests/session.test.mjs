// A session knows what the functions know of the same entries, and hands back the objects that it was given.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cuts, fold, Ledger, PinfoldError, plan, Session } from "pinfold";

import { anthropic, chat, claudeCode, responses } from "./talks.mjs";

const BUDGET = 2000;
const RULE = "Never push to main.";
const ruled = () => [{ role: "user", content: `Please find the parser. ${RULE}` }, ...anthropic(40).slice(1)];

/** The code of the error that a call throws. */
function code(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof PinfoldError, String(error));
    return error.code;
  }
  return assert.fail("nothing was refused");
}

for (const [format, talk] of [["anthropic", ruled()], ["openai-chat", chat(40)], ["openai-responses", responses(40)]]) {
  test(`${format}: after every push it knows what the whole pass knows`, () => {
    const session = new Session([], { format });
    for (const [index, entry] of talk.entries()) {
      assert.deepEqual(session.push(index % 3 === 0 ? JSON.stringify(entry) : entry), []);
      const all = talk.slice(0, index + 1);
      const options = { budget: BUDGET };
      assert.deepEqual(session.plan(options), plan(all, { ...options, format }), `after ${index + 1}`);
      if (index % 10 === 0) {
        assert.deepEqual(session.cuts(), cuts(all, { format }));
      }
    }
    assert.equal(session.length, talk.length);
    assert.deepEqual(session.entries, talk);
    assert.equal(session.entries[1], talk[1], "the caller's own object");
    assert.notEqual(session.entries[0], talk[0], "it was given as text");
    const whole = fold(talk, { budget: BUDGET, format });
    const { entries, ...result } = session.fold({ budget: BUDGET });
    assert.deepEqual(entries, whole.transcript);
    const { transcript, ...rest } = whole;
    assert.deepEqual(result, rest);
    assert.deepEqual(session.entries, entries);
    assert.equal(session.entries.at(-2), talk.at(-2), "the caller's own object");
    assert.deepEqual(JSON.parse(session.text), entries);
    assert.equal(session.plan({ budget: BUDGET }).decision, "fits");
  });
}

test("it comes back from JSON, and goes on", () => {
  const talk = ruled();
  const session = new Session(talk.slice(0, 10), { ledger: { classify: true } });
  const asked = session.push(talk.slice(10));
  assert.deepEqual(asked, session.ledger.open().slice(-asked.length || session.ledger.open().length));
  const stored = JSON.stringify(session);
  for (const json of [stored, JSON.parse(stored)]) {
    const restored = Session.fromJSON(json, { classify: true });
    assert.equal(JSON.stringify(restored), stored);
    assert.deepEqual(restored.entries, talk);
    restored.push({ role: "user", content: "From now on answer in French." });
    assert.equal(restored.length, talk.length + 1);
  }
  assert.equal(code(() => Session.fromJSON("{}")), "bad-session");
});

test("its ledger is the session's own", () => {
  const session = new Session(ruled());
  assert.equal(session.ledger, session.ledger, "the same object");
  assert.deepEqual(session.ledger.pins.filter(({ class: kind }) => kind === "constraint").map(({ text }) => text), [RULE]);
  session.push({ role: "user", content: "You may push to main. Which branch is next?" });
  session.ledger.pin({ entry: session.length - 1, text: "Which branch is next?" }, "open-question");
  session.push([{ role: "assistant", content: "release/2" }, { role: "user", content: "Thanks." }, { role: "assistant", content: "Done." }]);
  const { ledger } = session.fold({ budget: 600 });
  assert.ok(ledger.some(({ text }) => text === RULE));
  const copy = new Session(ruled(), { ledger: session.ledger });
  copy.ledger.retire(copy.ledger.pins.find(({ text }) => text === "Which branch is next?").id, { end: "answered", quote: "release/2" });
  assert.equal(session.ledger.pins.find(({ text }) => text === "Which branch is next?").state, "live", "it was a copy");
  assert.ok(new Ledger() instanceof Ledger && session.ledger instanceof Ledger);
});

test("a model may write the summary", () => {
  const session = new Session(ruled());
  const options = { budget: BUDGET, noteShare: 0.3 };
  const request = session.noteRequest(options);
  const { report, entries } = session.fold({ ...options, note: { request, answers: "The tests were run; they pass." } });
  assert.equal(report.summary.state, "written");
  assert.ok(JSON.stringify(entries[0]).includes("The tests were run; they pass."));
});

test("a log goes on as the messages that it holds", () => {
  const session = new Session(claudeCode(10));
  const before = session.length;
  session.push({ role: "user", content: "And now?" });
  assert.equal(session.length, before + 1);
  assert.equal(session.entries.at(-1).content, "And now?");
});

test("what is no entry is refused and changes nothing", () => {
  const session = new Session(ruled());
  const before = JSON.stringify(session);
  const cycle = {};
  cycle.self = cycle;
  for (const [value, wanted] of [["{", "not-json"], [[1], "not-an-entry"], ["7", "not-an-entry"], [7, "bad-input"], [cycle, "not-json"], [new Uint8Array(1), "bad-input"]]) {
    assert.equal(code(() => session.push(value)), wanted);
    assert.equal(JSON.stringify(session), before);
  }
  assert.equal(code(() => session.plan()), "bad-option");
  assert.equal(code(() => session.plan({ budget: 1, format: "anthropic" })), "unknown-option");
  assert.equal(code(() => new Session([], { format: "anthropic", budget: 1 })), "unknown-option");
  assert.equal(code(() => new Session(ruled(), { ledger: { acept: "nothing" } })), "unknown-option");
});
