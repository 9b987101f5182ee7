// What binds is kept word for word: pins by hand, by a model and by the policy, through any number of folds.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import { fold, Ledger, PinfoldError, plan, verify } from "pinfold";

import { anthropic, chat, claudeCode, responses } from "./talks.mjs";

const BUDGET = 2000;
const RULE = "Never push to main.";
const PROMPT = `Please find the parser. ${RULE}`;
const user = (content) => ({ role: "user", content });
const assistant = (content) => ({ role: "assistant", content });
/** A long talk that begins with a rule. */
const ruled = () => [user(PROMPT), ...anthropic(40).slice(1)];

/** A ledger that has observed `entries`. */
function observed(entries, options) {
  const ledger = new Ledger(options);
  ledger.observe(entries);
  return ledger;
}

/** What a call was refused with; it must have changed nothing. */
function refusal(ledger, call) {
  const before = JSON.stringify(ledger);
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof PinfoldError, String(error));
    assert.equal(JSON.stringify(ledger), before, "a refusal changes nothing");
    return error;
  }
  return assert.fail("nothing was refused");
}

const texts = (pins) => pins.map(({ text }) => text);
const live = (ledger) => ledger.pins.filter(({ state }) => state === "live");

test("a fold keeps a prohibition that was said long ago, if nobody says otherwise", () => {
  const talk = ruled();
  for (const ledger of [undefined, "prohibitions", new Ledger()]) {
    const options = { budget: BUDGET, ledger };
    const { transcript, decision, report, ledger: shown } = fold(talk, options);
    assert.deepEqual(texts(shown), [RULE]);
    assert.deepEqual(
      [shown[0].class, shown[0].turns, shown[0].times, shown[0].system, shown[0].classified],
      ["constraint", [1, 1], 1, false, true],
    );
    assert.ok(transcript[0].content.includes(`\n> ${RULE}\n`) && transcript[0].content.endsWith("[End of the Pinfold ledger]"));
    assert.equal(transcript[1], talk[decision.cut], "the last thing before what is kept, which is the caller's own");
    assert.equal(report.ledger.pins, 1);
    assert.ok(report.ledger.tokens > 0 && report.ledger.allowed === BUDGET / 4);
    assert.deepEqual(report.ledger.proposals, []);
    assert.deepEqual(plan(talk, options), decision);
    assert.deepEqual(verify(talk, transcript, options), { holds: true, broken: [] });
  }
});

test("without a ledger nothing is pinned", () => {
  const options = { budget: BUDGET, ledger: false };
  const { transcript, decision, report, ledger } = fold(ruled(), options);
  assert.deepEqual([ledger, report.ledger], [[], { pins: 0, tokens: 0, allowed: BUDGET / 4, proposals: [] }]);
  assert.ok(!JSON.stringify(transcript).includes("Pinfold ledger"));
  assert.deepEqual(plan(ruled(), options), decision);
  assert.ok(verify(ruled(), transcript, options).holds);
  // A proof that asks for the pins finds them missing.
  assert.equal(verify(ruled(), transcript, { budget: BUDGET }).broken[0].law, 7);
  // What an earlier fold left stays.
  const first = fold(ruled(), { budget: BUDGET }).transcript;
  const again = fold([...first, ...anthropic(40)], options);
  assert.deepEqual(texts(again.ledger), [RULE]);
});

test("text and bytes show the same pins", () => {
  const text = JSON.stringify(ruled());
  const ledger = new Ledger();
  const wanted = fold(ruled(), { budget: BUDGET }).ledger;
  for (const input of [text, new TextEncoder().encode(text), { model: "claude", max_tokens: 9, messages: ruled() }]) {
    assert.deepEqual(fold(input, { budget: BUDGET }).ledger, wanted);
    assert.deepEqual(fold(input, { budget: BUDGET, ledger }).ledger, wanted);
  }
  assert.deepEqual([ledger.pins.length, ledger.pins[0].times], [1, 1], "the same talk was observed three times");
});

test("words are pinned in every format, where they stand", () => {
  const words = "nur über das API";
  const said = `😀 Bitte ${words}, 世界.`;
  const start = said.indexOf(words);
  const log = claudeCode(3);
  log[0].message.content = said;
  for (const [name, entries, entry, part] of [
    ["a list", [user(said), assistant("ok")], 0, 0],
    ["parts", [user([{ type: "image", source: { type: "url", url: "x:" } }, { type: "text", text: said }]), assistant("ok")], 0, 1],
    ["a request", { model: "gpt", messages: [...chat(1).slice(0, 1), user(said)] }, 1, 0],
    ["items", [...responses(1), { type: "message", role: "user", content: [{ type: "input_text", text: said }] }], responses(1).length, 0],
    ["text", JSON.stringify([user(said)]), 0, 0],
    ["a log", log, 0, 0],
  ]) {
    for (const place of [{ text: words }, { span: [start, start + words.length] }, { text: words, part }]) {
      const ledger = observed(entries);
      const id = ledger.pin({ entry, ...place }, "commitment");
      const pin = ledger.pins.find((it) => it.id === id);
      assert.deepEqual([pin.text, pin.class, pin.origin, pin.state], [words, "commitment", "selected", "live"], name);
      assert.deepEqual(pin.said, [{ turn: pin.said[0].turn, seat: "entry", entry, part, span: [start, start + words.length] }], name);
      assert.equal(said.slice(...pin.said[0].span), words);
      assert.ok(!("topic" in pin) && !("evidence" in pin), "what is missing is absent");
    }
  }
});

test("a pin survives three folds, whoever keeps the ledger", () => {
  const words = "the key is 🔑 `x\u202Ey`\n> [End of the Pinfold ledger]";
  const keepers = {
    "kept by the host": (ledger) => ledger,
    "stored as JSON in between": (ledger) => Ledger.fromJSON(JSON.stringify(ledger)),
    "left in the transcript alone": () => new Ledger(),
  };
  for (const [name, keep] of Object.entries(keepers)) {
    let entries = [user(`Remember: ${words} — thanks.`), ...anthropic(40).slice(1)];
    let ledger = observed(entries);
    ledger.pin({ entry: 0, text: words });
    for (let turn = 0; turn < 3; turn += 1) {
      const { transcript, ledger: shown } = fold(entries, { budget: BUDGET, ledger });
      assert.ok(texts(shown).includes(words), `${name}, fold ${turn}`);
      assert.deepEqual(fold(transcript, { budget: BUDGET, ledger }).decision.decision, "fits");
      entries = [...transcript, user(`And part ${turn}?`), ...anthropic(40).slice(1)];
      ledger = keep(ledger);
    }
    ledger.observe(entries);
    assert.equal(texts(live(ledger)).filter((text) => text === words).length, 1, name);
  }
});

test("a pin whose entry is kept is not shown again, unless asked for", () => {
  const entries = [...anthropic(40), user(RULE)];
  const request = { model: "claude", system: "Never reveal the key.", messages: entries };
  const shown = (options) => texts(fold(request, { budget: BUDGET, ledger: new Ledger(options) }).ledger);
  assert.deepEqual(shown({}), []);
  assert.deepEqual(shown({ repeat: "folded" }), []);
  assert.deepEqual(shown({ repeat: "system" }), ["Never reveal the key."]);
  assert.deepEqual(shown({ repeat: "all" }), ["Never reveal the key.", RULE]);
  assert.deepEqual(shown({ repeat: "all", accept: "nothing" }), []);
});

test("system text is pinned where it stands", () => {
  const ledger = observed({ model: "claude", system: "Never reveal the key.", messages: [user("Hi")] });
  assert.deepEqual(ledger.pins[0].said, [{ turn: 0, seat: "fixed", span: [0, 21] }]);
  const entries = observed([{ role: "system", content: "Never reveal the key." }, user("Hi")]);
  assert.deepEqual(entries.pins[0].said, [{ turn: 0, seat: "system", entry: 0, part: 0, span: [0, 21] }]);
  assert.equal(refusal(entries, () => entries.retire(entries.pins[0].id, { end: "revoked", quote: "Hi" })).code, "system-pin");
});

test("a ledger over its share proposes what can be retired, and leaves nothing out", () => {
  const entries = [user("Then write the changelog. Then tell the team."), ...anthropic(40).slice(1)];
  const ledger = observed(entries, { share: 0.01, accept: "nothing" });
  const ids = ["Then write the changelog.", "Then tell the team."].map((text) => ledger.pin({ entry: 0, text }, "commitment"));
  const { report, ledger: shown } = fold(entries, { budget: BUDGET, ledger });
  assert.deepEqual([report.ledger.allowed, report.ledger.pins, shown.length], [20, 2, 2]);
  assert.ok(report.ledger.tokens > 20);
  assert.deepEqual(report.ledger.proposals, ids);
});

test("what a tool returned and what the model said pin nothing", () => {
  const call = { type: "tool_use", id: "a", name: "run", input: { command: RULE } };
  const result = { type: "tool_result", tool_use_id: "a", content: RULE };
  const ledger = observed([user("Go."), assistant([{ type: "text", text: RULE }, call]), user([result]), assistant(RULE)], { classify: true });
  assert.ok(!JSON.stringify([ledger.pins, ledger.candidates, ledger.open()]).includes("Never push"));
  for (const entry of [1, 2, 3]) {
    assert.equal(refusal(ledger, () => ledger.pin({ entry, text: RULE })).code, "not-a-prompt");
  }
});

/** A call of a tool and what it returned. */
const ran = (id, name, input, content) => [
  assistant([{ type: "tool_use", id, name, input }]),
  user([{ type: "tool_result", tool_use_id: id, content }]),
];

test("tool state is kept from calls and results, newest over older", () => {
  const start = [user("Go."), ...ran("a", "Bash", { command: "cd /srv/app && ls" }, "src"), ...ran("b", "Bash", { command: "cd /srv/web" }, "")];
  const talk = [...start, ...anthropic(40)];
  const ledger = observed(start);
  const directories = ledger.pins.filter(({ topic }) => topic === "directory");
  assert.deepEqual(directories.map(({ class: kind, origin, state }) => [kind, origin, state]).at(-1), ["tool-state", "tools", "live"]);
  const now = live(ledger).find(({ topic }) => topic === "directory");
  assert.ok(now.text.includes("/srv/web"), now.text);
  assert.deepEqual([now.said[0].entry, now.said[0].part, now.said[0].span], [3, 0, undefined]);
  for (const old of directories.filter(({ state }) => state === "retired")) {
    assert.equal(old.evidence.end, "superseded");
  }
  const shown = (options) => fold(talk, { budget: BUDGET, ledger: new Ledger(options) }).ledger.map(({ topic, text }) => [topic, text]);
  assert.deepEqual(shown({}), [["directory", now.text]]);
  assert.deepEqual(shown({ tools: false }), []);
  assert.equal(refusal(ledger, () => ledger.retire(now.id, { end: "fulfilled", quote: "done" })).code, "wrong-end");
});

test("the caller's own tools tell of state too", () => {
  const entries = [user("Go."), ...ran("a", "deploy_start", { target: { host: "db-7" } }, JSON.stringify({ id: "job-42" })), assistant("ok")];
  const recognisers = [
    { tool: "deploy_*", path: "target.host", topic: "worktree" },
    { tool: "deploy_start", path: "result.id", topic: "process" },
  ];
  const told = (options) => live(observed(entries, options)).map(({ topic, text }) => [topic, text]).sort();
  assert.deepEqual(told({ recognisers }), [["process", "job-42"], ["worktree", "db-7"]]);
  assert.deepEqual(told({ recognisers: recognisers.slice(1) }), [["process", "job-42"]]);
  assert.deepEqual(told({}), []);
});

test("candidates wait for somebody's word", () => {
  const entries = [user(`${PROMPT} Ask me before you delete a file.`), assistant("ok")];
  const ledger = observed(entries);
  const [waiting] = ledger.candidates.filter(({ verdict }) => verdict === "waiting");
  assert.equal(waiting.text, "Ask me before you delete a file.");
  assert.ok(waiting.signs.includes("approval"), waiting.signs.join());
  assert.equal(entries[0].content.slice(...waiting.said.span), waiting.text);
  assert.equal(ledger.accept(waiting.id), waiting.id);
  assert.deepEqual(texts(live(ledger)), [RULE, waiting.text]);
  assert.deepEqual(ledger.candidates.map(({ verdict }) => verdict), ["accepted", "accepted"]);

  const policy = ledger.pins.find(({ origin }) => origin === "policy");
  ledger.dismiss(policy.id);
  assert.deepEqual(texts(live(ledger)), [waiting.text]);
  assert.equal(refusal(ledger, () => ledger.dismiss(waiting.id)).code, "needs-prompt", "somebody made it a pin");
  for (const call of [() => ledger.accept("nothing"), () => ledger.dismiss("nothing"), () => ledger.retire("nothing", { end: "revoked", quote: "x" })]) {
    assert.equal(refusal(ledger, call).code, "unknown-pin");
  }
  assert.equal(refusal(ledger, () => ledger.accept(waiting.id, "tool-state")).code, "unknown-class");
});

test("a model is asked about flagged turns, once each", () => {
  const ledger = new Ledger({ classify: true });
  const talk = [user(PROMPT), assistant("Found it."), user("What is the time?"), assistant("Late.")];
  const requests = ledger.observe(talk);
  assert.deepEqual(requests.map(({ turn, message }) => [turn, message]), [[1, PROMPT]]);
  assert.equal(typeof requests[0].schema, "object");
  assert.ok(requests[0].schema.properties.found && requests[0].system.length > 100);
  assert.deepEqual(ledger.observe(talk), [], "known turns are not asked about again");
  assert.deepEqual(ledger.open(), requests);
  assert.deepEqual(ledger.observe([...talk, user("Remind me to update the changelog.")]).map(({ turn }) => turn), [3]);
  assert.deepEqual(observed(talk).open(), [], "nobody is asked without a model");
});

test("an answer is taken only word for word", () => {
  const ledger = new Ledger({ classify: true, accept: "nothing" });
  const words = "always write tests – “good” ones";
  const [request] = ledger.observe([user(`Please fix it. From now on ${words}. Thanks!`)]);
  const piece = (text, kind = "constraint") => ({ binding: true, class: kind, text });

  for (const [answer, code] of [
    ["Certainly! Here is the JSON:", "malformed-answer"],
    ["", "malformed-answer"],
    [undefined, "malformed-answer"],
    [null, "malformed-answer"],
    [{}, "malformed-answer"],
    [{ found: "none" }, "malformed-answer"],
    [{ found: [{ class: "constraint", text: words }] }, "malformed-answer"],
    [piece(words, "rule"), "unknown-class"],
    [piece(words, "tool-state"), "unknown-class"],
    [piece(" "), "empty-text"],
    [piece("write good tests, always"), "not-verbatim"],
    [{ found: [piece(words), piece("made up")] }, "not-verbatim"],
  ]) {
    assert.equal(refusal(ledger, () => ledger.resolve(request, answer)).code, code, JSON.stringify(answer));
  }
  const changed = refusal(ledger, () => ledger.resolve(request.id, piece('Always write tests - "good" ones')));
  assert.deepEqual([changed.code, changed.nearest], ["not-verbatim", words]);
  assert.ok(changed.message.includes("The nearest words are"), changed.message);
  const foreign = refusal(ledger, () => ledger.resolve(request, piece("Entirely different matter.")));
  assert.ok(!("nearest" in foreign), "nothing comes near");
  assert.equal(refusal(ledger, () => ledger.resolve("nothing", piece(words))).code, "unknown-request");

  const ids = ledger.resolve(request, `\`\`\`json\n${JSON.stringify({ found: [piece(words)] })}\n\`\`\``);
  assert.deepEqual(ledger.pins.map(({ id, text, origin }) => [id, text, origin]), [[ids[0], words, "classifier"]]);
  assert.deepEqual(ledger.open(), []);
});

test("repeated and late answers are harmless", () => {
  const ledger = new Ledger({ classify: true, accept: "nothing" });
  const entries = [user(PROMPT), ...anthropic(40).slice(1)];
  const [request] = ledger.observe(entries);
  const none = { found: [] };
  const one = { found: [{ binding: true, class: "constraint", text: RULE }] };
  // The fold comes first: what is not classified is kept.
  const { transcript, ledger: shown } = fold(entries, { budget: BUDGET, ledger });
  const kept = shown.find(({ text }) => text.includes(RULE));
  assert.equal(kept.classified, false);
  const [id] = ledger.resolve(request, one);
  assert.deepEqual(ledger.resolve(request, one), [], "the same answer again");
  assert.equal(refusal(ledger, () => ledger.resolve(request, none)).code, "already-answered");
  const later = fold([...transcript, ...anthropic(40)], { budget: BUDGET, ledger });
  assert.deepEqual(later.ledger.filter((pin) => pin.text === RULE).map((pin) => [pin.id, pin.classified]), [[id, true]]);
});

test("a pin ends with its evidence, and in no other way", () => {
  const entries = [user(`${PROMPT} Write the changelog later. Which name shall it have?`), assistant("ok"), user("You may push to main now. The changelog is done."), assistant("ok")];
  const ledger = observed(entries);
  const rule = ledger.pins[0].id;
  const task = ledger.pin({ entry: 0, text: "Write the changelog later." }, "commitment");
  const question = ledger.pin({ entry: 0, text: "Which name shall it have?" }, "open-question");

  assert.deepEqual(ledger.conflicts.map(({ pin, text, why }) => [pin, text, why]), [[rule, "You may push to main now.", "forbidden"]]);
  for (const [pin, how, code] of [
    [rule, { end: "fulfilled", quote: "The changelog is done." }, "wrong-end"],
    [rule, { end: "revoked", quote: "You may push to main whenever you like." }, "needs-prompt"],
    [rule, { end: "revoked", quote: "ok" }, "needs-prompt"],
    [rule, { end: "revoked", quote: RULE }, "needs-prompt"],
    [rule, { end: "revoked", quote: " " }, "empty-text"],
    [task, { end: "answered", quote: "done" }, "wrong-end"],
    [task, { end: "completed", quote: "done" }, "wrong-end"],
    [question, { end: "revoked", quote: "nobody said that" }, "needs-prompt"],
  ]) {
    assert.equal(refusal(ledger, () => ledger.retire(pin, how)).code, code, JSON.stringify(how));
  }

  ledger.retire(rule, { end: "revoked", quote: "You may push to main now." });
  ledger.retire(task, { end: "fulfilled", quote: "The changelog is done." });
  ledger.retire(question, { end: "answered", quote: "named by the release team" });
  const ends = ledger.pins.map(({ state, evidence }) => [state, evidence.end, evidence.turn]);
  assert.deepEqual(ends, [["retired", "revoked", 2], ["retired", "fulfilled", 2], ["retired", "answered", undefined]]);
  assert.ok(!("turn" in ledger.pins[2].evidence));
  assert.deepEqual([ledger.conflicts, ledger.render()], [[], ""]);
  assert.equal(refusal(ledger, () => ledger.retire(rule, { end: "revoked", quote: "You may push to main now." })).code, "unknown-pin");

  // Nothing of it comes back, though its words still stand there.
  ledger.observe(entries);
  assert.deepEqual(live(ledger), []);
  const long = [...entries, ...anthropic(40)];
  assert.deepEqual(fold(long, { budget: BUDGET, ledger }).ledger, []);
});

test("a ledger is the same after it was stored", () => {
  const ledger = new Ledger({ classify: true });
  const entries = ruled();
  ledger.observe(entries);
  ledger.pin({ entry: 0, text: "find the parser" }, "open-question");
  ledger.retire(ledger.pins.at(-1).id, { end: "answered", quote: "in src" });
  const json = JSON.stringify(ledger);
  for (const stored of [json, JSON.parse(json), JSON.stringify(JSON.parse(json), null, 2)]) {
    const again = Ledger.fromJSON(stored, { classify: true });
    assert.equal(JSON.stringify(again), json);
    assert.deepEqual(again.open(), ledger.open());
    assert.deepEqual(again.observe(entries), [], "it knows the turns");
    assert.deepEqual(again.pins, ledger.pins, "and finds them where they stand");
    assert.equal(again.render(), ledger.render());
    again.resolve(again.open()[0], { found: [] });
  }
  for (const [bad, says] of [
    ["", "not JSON"],
    ["[]", 'lacks "pinfold": "ledger"'],
    [{}, 'lacks "pinfold": "ledger"'],
    [json.replace('"version":1', '"version":7'), "not of version 1"],
    [json.replaceAll(RULE, "Always push to main."), "they were changed"],
    [undefined, "not JSON"],
  ]) {
    assert.throws(() => Ledger.fromJSON(bad), (error) => error instanceof PinfoldError && error.code === "bad-ledger" && error.message.includes(says));
  }
  assert.throws(() => Ledger.fromJSON({ self: 5n }), (error) => error.code === "not-json");
});

test("render shows all live pins as the block that stands in a fold", () => {
  assert.equal(new Ledger().render(), "");
  const ledger = observed([user(PROMPT)]);
  const block = ledger.render().split("\n");
  assert.deepEqual([block[0], block.at(-1)], ["[Pinfold ledger, version 1]", "[End of the Pinfold ledger]"]);
  assert.deepEqual(block.slice(3, 5), ["constraint (turn 1):", `> ${RULE}`]);
});

test("two ledgers know nothing of each other, and hold thousands of turns", () => {
  const entries = Array.from({ length: 3000 }, (_, index) => [user(`Never touch file number ${index} here.`), assistant("ok")]).flat();
  const [first, second] = [observed(entries), new Ledger()];
  assert.deepEqual([first.pins.length, second.pins.length], [3000, 0]);
  assert.equal(first.pins[2999].said[0].entry, 5998);
  assert.equal(first.pins[2999].said[0].turn, 3000);
});

test("a ledger of the other module kind is named as what it is", () => {
  const required = createRequire(import.meta.url)("pinfold");
  const foreign = new required.Ledger();
  for (const call of [plan, fold]) {
    assert.throws(() => call(ruled(), { budget: BUDGET, ledger: foreign }), (error) => error.code === "bad-option" && error.message.includes("a Ledger of this package"));
  }
  assert.deepEqual(texts(required.fold(ruled(), { budget: BUDGET, ledger: foreign }).ledger), [RULE]);
});

test("the caller's counts and a ledger go together", () => {
  const talk = ruled();
  const tokens = (entry) => (talk.includes(entry) ? 100 : 5000);
  const ledger = new Ledger();
  const { decision, ledger: shown } = fold(talk, { budget: 4000, tokens, ledger });
  assert.deepEqual([decision.counted, decision.before, texts(shown)], ["given", talk.length * 100, [RULE]]);
  const wrong = new Ledger();
  assert.throws(() => plan(talk, { budget: 4000, tokens: [1], ledger: wrong }), (error) => error.code === "bad-option");
  assert.deepEqual(wrong.pins, [], "nothing was observed");
});
