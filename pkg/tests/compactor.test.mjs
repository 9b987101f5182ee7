// The line in an agent's loop: a scripted model that is slow, fails, babbles, comes late and answers twice.

import assert from "node:assert/strict";
import { test } from "node:test";

import { compactor, fold, Ledger, PinfoldError, verify } from "pinfold";

import { anthropic, chat } from "./talks.mjs";

const BUDGET = 2000;
const RULE = "Keep the public API as it is.";
const user = (content) => ({ role: "user", content });
const short = () => [user(RULE)];
/** Far over the budget; the rule is folded. */
const long = () => [user(RULE), ...anthropic(40).slice(1)];
/** The same without a prompt, so that there is nothing new to ask about. */
const work = () => anthropic(40).filter(({ role, content }) => role === "assistant" || typeof content !== "string");
const binding = { found: [{ binding: true, class: "constraint", text: RULE }] };
const nothing = { found: [] };
/** Answers for the rule and finds nothing in any other turn. */
const sound = ({ message }) => (message === RULE ? binding : nothing);

/** What a scripted model was asked, and a promise for each answer that the test gives. */
function scripted() {
  const asked = [];
  const classify = (request) => new Promise((resolve, reject) => asked.push({ request, resolve, reject }));
  /** Lets what is answered reach the ledger. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { asked, classify, settle };
}

const shownIn = (messages) => JSON.stringify(messages[0]).includes("Pinfold ledger");
const ruleOf = (ledger) => ledger.pins.find(({ text }) => text === RULE);
const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("what fits comes back at once, as it is", async () => {
  const { asked, classify } = scripted();
  const agent = compactor({ budget: BUDGET, classify });
  const messages = short();
  const prepared = await agent.prepare(messages);
  assert.equal(prepared.messages, messages);
  assert.deepEqual([prepared.decision.decision, prepared.refusals, "report" in prepared], ["fits", [], false]);
  assert.deepEqual(asked.map(({ request }) => request.message), [RULE], "asked, and not waited for");
  await agent.prepare([...messages, { role: "assistant", content: "ok" }]);
  assert.equal(asked.length, 1, "and asked once");
  assert.ok(!("refusal" in asked[0].request));
});

test("a fold that is due waits for the answers, and keeps the caller's own messages", async () => {
  const { asked, classify, settle } = scripted();
  const agent = compactor({ budget: BUDGET, classify });
  const messages = long();
  const running = agent.prepare(messages);
  let done = false;
  running.then(() => (done = true));
  await settle();
  assert.equal(done, false, "it waits");
  // In the wrong order, and as text or object.
  for (const { request, resolve } of asked.toReversed()) {
    resolve(request.turn % 2 === 0 ? JSON.stringify(sound(request)) : sound(request));
  }
  const { messages: folded, decision, report, refusals } = await running;
  assert.deepEqual([decision.decision, refusals], ["fold", []]);
  assert.ok(report.after <= BUDGET && report.ledger.pins === 1);
  assert.ok(folded[0].content.includes(`constraint (turn 1):\n> ${RULE}\n`), folded[0].content);
  folded.slice(1).forEach((entry, index) => assert.equal(entry, messages[decision.cut + index]));
  assert.deepEqual([ruleOf(agent.ledger).origin, agent.ledger.open()], ["classifier", []]);
  assert.ok(verify(messages, folded, { budget: BUDGET, ledger: agent.ledger }).holds);
});

for (const [name, classifyTimeoutMs] of [["after the time that it may take", 30], ["never, at 0", 0]]) {
  test(`a slow model is waited for no longer: ${name}`, async () => {
    const { asked, classify, settle } = scripted();
    const agent = compactor({ budget: BUDGET, classify, classifyTimeoutMs });
    const start = performance.now();
    const first = await agent.prepare(long());
    assert.ok(performance.now() - start < 5000);
    assert.ok(performance.now() - start >= classifyTimeoutMs - 2, "not before its time");
    assert.equal(first.decision.decision, "fold");
    assert.ok(first.messages[0].content.includes(`constraint (turn 1, not classified yet):\n> ${RULE}\n`));
    assert.deepEqual(first.refusals, []);

    // The late answers are taken when they come.
    for (const { request, resolve } of asked) {
      resolve(sound(request));
    }
    await settle();
    assert.deepEqual(agent.ledger.open(), []);
    const next = await agent.prepare([...first.messages, ...work()]);
    assert.ok(next.messages[0].content.includes(`constraint (turn 1):\n> ${RULE}\n`), next.messages[0].content);
    assert.equal(next.report.ledger.pins, 1, "the other candidates were found not to bind");
  });
}

test("no timer is left behind", async () => {
  const before = timers();
  const { asked, classify, settle } = scripted();
  const running = compactor({ budget: BUDGET, classify, classifyTimeoutMs: 60_000 }).prepare(long());
  await settle();
  assert.equal(timers(), before + 1);
  asked.forEach(({ request, resolve }) => resolve(sound(request)));
  await running;
  assert.equal(timers(), before);
  // A time that no timer can hold is not taken for none.
  for (const classifyTimeoutMs of [Infinity, 2 ** 40]) {
    const slow = scripted();
    const waiting = compactor({ budget: BUDGET, classify: slow.classify, classifyTimeoutMs }).prepare(long());
    await new Promise((resolve) => setTimeout(resolve, 20));
    slow.asked.forEach(({ request, resolve }) => resolve(sound(request)));
    assert.equal((await waiting).report.ledger.pins, 1);
  }
  assert.equal(timers(), before);
});

test("a refused answer is asked for again once, with the reason", async () => {
  const asked = [];
  const classify = async (request) => {
    asked.push(request);
    if (request.message !== RULE) {
      return nothing;
    }
    return request.refusal === undefined ? { found: [{ binding: true, class: "constraint", text: "Keep the API" }] } : binding;
  };
  const agent = compactor({ budget: BUDGET, classify });
  const { refusals, report } = await agent.prepare(long());
  const [first, second] = asked.filter(({ message }) => message === RULE);
  assert.ok(second.refusal.includes('"Keep the API" does not stand in the turn word for word.'), second.refusal);
  assert.deepEqual({ ...second, refusal: undefined }, { ...first, refusal: undefined });
  assert.deepEqual([refusals, report.ledger.pins, ruleOf(agent.ledger).origin], [[], 1, "classifier"]);
});

test("what fails is told, never thrown and never lost", async () => {
  const down = new Error("the endpoint is down");
  const cycle = {};
  cycle.self = cycle;
  for (const [name, answer, wanted] of [
    ["rejects", () => Promise.reject(down), down],
    ["throws", () => { throw down; }, down],
    ["babbles", () => "Certainly! Here you are.", "malformed-answer"],
    ["says nothing", () => undefined, "malformed-answer"],
    ["goes round in circles", () => cycle, "not-json"],
    ["makes words up", () => ({ found: [{ binding: true, class: "constraint", text: "Be kind." }] }), "not-verbatim"],
  ]) {
    let calls = 0;
    const classify = (request) => {
      calls += request.message === RULE ? 1 : 0;
      return request.message === RULE ? answer() : nothing;
    };
    const agent = compactor({ budget: BUDGET, classify });
    const { messages, refusals } = await agent.prepare(long());
    assert.deepEqual(refusals.map(({ request }) => request.message), [RULE], name);
    const [{ error }] = refusals;
    if (typeof wanted === "string") {
      assert.ok(error instanceof PinfoldError, name);
      assert.deepEqual([error.code, calls], [wanted, 2], name);
    } else {
      assert.deepEqual([error, calls], [wanted, 1], name);
    }
    assert.ok(messages[0].content.includes(`not classified yet):\n> ${RULE}\n`), name);
    assert.deepEqual(agent.ledger.open().map(({ message }) => message), [RULE], "somebody may still answer");
    const next = await agent.prepare([...messages, ...work()]);
    assert.deepEqual(next.refusals, [], "told once");
    assert.ok(next.messages[0].content.includes(`> ${RULE}\n`), name);
  }
});

test("a failure after the call is told by the next one", async () => {
  const { asked, classify, settle } = scripted();
  const agent = compactor({ budget: BUDGET, classify });
  assert.deepEqual((await agent.prepare(short())).refusals, []);
  asked[0].reject(new Error("later"));
  await settle();
  assert.deepEqual((await agent.prepare(short())).refusals.map(({ error }) => error.message), ["later"]);
});

test("an answer by hand and one by the model do not quarrel", async () => {
  const { asked, classify, settle } = scripted();
  const agent = compactor({ budget: BUDGET, classify });
  await agent.prepare(short());
  agent.ledger.resolve(asked[0].request, binding);
  asked[0].resolve(nothing);
  await settle();
  assert.deepEqual((await agent.prepare(short())).refusals, []);
  assert.equal(ruleOf(agent.ledger).state, "live", "the first answer stands");
});

test("two calls at once ask once and give the same", async () => {
  const { asked, classify } = scripted();
  const agent = compactor({ budget: BUDGET, classify });
  const messages = long();
  const both = Promise.all([agent.prepare(messages), agent.prepare(messages)]);
  assert.equal(new Set(asked.map(({ request }) => request.id)).size, asked.length);
  asked.forEach(({ request, resolve }) => resolve(sound(request)));
  const [first, second] = await both;
  assert.deepEqual(first.messages, second.messages);
});

test("a signal ends the waiting", async () => {
  const before = timers();
  const { asked, classify } = scripted();
  const agent = compactor({ budget: BUDGET, classify });
  const controller = new AbortController();
  const running = agent.prepare(long(), { signal: controller.signal });
  const why = new Error("the user left");
  controller.abort(why);
  await assert.rejects(running, (error) => error === why);
  assert.equal(timers(), before);
  await assert.rejects(agent.prepare(short(), { signal: AbortSignal.abort(why) }), (error) => error === why);
  // The classification goes on, and the next call has the answer.
  asked.forEach(({ request, resolve }) => resolve(sound(request)));
  const { report } = await agent.prepare(long(), { signal: new AbortController().signal });
  assert.equal(report.ledger.pins, 1);
});

test("a loop of many turns keeps the rule to the end", async () => {
  const agent = compactor({ budget: BUDGET, classify: async (request) => sound(request) });
  let messages = short();
  let folds = 0;
  for (let turn = 0; turn < 60; turn += 1) {
    messages = [...messages, ...anthropic(3).slice(1), user(`And part ${turn}?`)];
    const prepared = await agent.prepare(messages);
    folds += prepared.decision.decision === "fold" ? 1 : 0;
    assert.deepEqual(prepared.refusals, []);
    messages = prepared.messages;
    assert.equal(JSON.stringify(messages).split(RULE).length, 2, `said once, turn ${turn}`);
  }
  assert.ok(folds >= 3, `${folds} folds`);
  assert.equal(shownIn(messages), true);
});

test("without a model it is a fold that keeps its ledger", async () => {
  const messages = [user("Never push to main."), ...anthropic(40).slice(1)];
  const wanted = fold(messages, { budget: BUDGET });
  for (const ledger of [undefined, "prohibitions", new Ledger()]) {
    const agent = compactor({ budget: BUDGET, ledger });
    assert.deepEqual((await agent.prepare(messages)).messages, wanted.transcript);
    assert.equal(agent.ledger.pins[0].text, "Never push to main.");
    assert.ok(!(ledger instanceof Ledger) || agent.ledger === ledger);
  }
  const none = await compactor({ budget: BUDGET, ledger: false }).prepare(messages);
  assert.deepEqual(none.messages, fold(messages, { budget: BUDGET, ledger: false }).transcript);
});

test("other options reach the fold, and every form of input", async () => {
  const request = { model: "gpt", messages: chat(40) };
  const tokens = (entry) => (request.messages.includes(entry) ? 100 : 9);
  const agent = compactor({ budget: 4000, tokens, fixedTokens: 50, noteShare: 0, select: "recency", format: "openai-chat" });
  const { messages, decision } = await agent.prepare(request);
  assert.deepEqual([decision.counted, decision.before, decision.lines.shown], ["given", request.messages.length * 100 + 50, 0]);
  assert.equal(messages.messages.at(-1), request.messages.at(-1));
  const { messages: text } = await compactor({ budget: BUDGET }).prepare(JSON.stringify(long()));
  assert.equal(typeof text, "string");
});

test("what is wrong is said when it is made", async () => {
  const classify = async () => nothing;
  for (const [options, code, says] of [
    [undefined, "bad-option", "`budget` is missing"],
    [{}, "bad-option", "`budget` is missing"],
    [null, "bad-option", "The options of compactor are null"],
    [{ budget: 5, clasify: classify }, "unknown-option", "`clasify`: compactor takes format, pick"],
    [{ budget: 5, classify: "gpt" }, "bad-option", '`classify` is "gpt": give a function.'],
    [{ budget: 5, classify, classifyTimeoutMs: -1 }, "bad-option", "`classifyTimeoutMs` is -1: give a number of milliseconds."],
    [{ budget: 5, classify, classifyTimeoutMs: NaN }, "bad-option", "`classifyTimeoutMs` is NaN"],
    [{ budget: 5, classify, ledger: false }, "bad-option", "there is nothing to classify for"],
    [{ budget: 5, classify, ledger: new Ledger() }, "bad-option", "make it with `classify: true`"],
    [{ budget: 5, ledger: {} }, "bad-option", "`ledger` is an object: give a Ledger of this package"],
  ]) {
    assert.throws(() => compactor(options), (error) => error instanceof PinfoldError && error.code === code && error.message.includes(says), says);
  }
  const agent = compactor({ budget: BUDGET });
  await assert.rejects(agent.prepare(null), (error) => error.code === "bad-input");
  const mine = new Error("no tokenizer");
  const throwing = compactor({ budget: BUDGET, tokens: () => { throw mine; } });
  await assert.rejects(throwing.prepare(short()), (error) => error === mine);
});
