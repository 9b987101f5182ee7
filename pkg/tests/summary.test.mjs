// Summaries by a model of the caller's: a scripted one that is slow, fails, babbles, is cut off and is asked twice at once.

import assert from "node:assert/strict";
import { test } from "node:test";

import { compactor, fold, noteRequest, PinfoldError, verify } from "pinfold";

import { anthropic, chat } from "./talks.mjs";

const OPTIONS = { budget: 2000, noteShare: 0.4 };
const SUMMARY = "The listing was read;\nnothing else was found.";
const whole = (text) => ({ text, stop: "end_turn" });
const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** What a scripted model was asked, and a promise for each answer that the test gives. */
function scripted() {
  const asked = [];
  const summarise = (request, { signal }) => new Promise((resolve, reject) => asked.push({ request, signal, resolve, reject }));
  return { asked, summarise };
}

test("a request and its answer go into the note", () => {
  const messages = anthropic(40);
  const request = noteRequest(messages, OPTIONS);
  assert.deepEqual(Object.keys(request), ["id", "system", "chunks", "pins", "records", "allowance"]);
  assert.equal(request.chunks.length, 1);
  assert.deepEqual(request.chunks[0].entries[0], 0);
  for (const answers of [SUMMARY, whole(SUMMARY), [whole(SUMMARY)], [SUMMARY]]) {
    for (const asked of [request, { id: request.id }]) {
      const { transcript, report } = fold(messages, { ...OPTIONS, note: { request: asked, answers } });
      assert.equal(report.summary.state, "written");
      assert.ok(report.summary.tokens > 0 && report.after <= 2000);
      assert.ok(transcript[0].content.includes("> The listing was read;\n> nothing else was found.\n"));
      assert.ok(verify(messages, transcript, OPTIONS).holds);
    }
  }
  assert.equal(noteRequest(messages.slice(0, 3), OPTIONS), null, "nothing is to be folded");
  assert.equal(noteRequest(messages, { ...OPTIONS, summariserWindow: 100 }), null, "the model can read nothing");
});

test("chunks fit the window, and each is answered", () => {
  const messages = chat(60);
  const request = noteRequest(messages, { ...OPTIONS, summariserWindow: 2500 });
  assert.equal(request.window, 2500);
  assert.ok(request.chunks.length > 1);
  assert.ok(request.chunks.every(({ entries: [start] }, index) => index === 0 || start === request.chunks[index - 1].entries[1]));
  const note = (answers) => fold(messages, { ...OPTIONS, note: { request, answers } });
  const { report, transcript } = note(request.chunks.map((_, index) => whole(`Part ${index}.`)));
  assert.equal(report.summary.state, "written");
  assert.ok(JSON.stringify(transcript).includes("> Part 0.\\n> \\n> Part 1."));
  assert.equal(note([whole("One.")]).report.summary.reason, "not-for-this-request");
});

test("what may not stand in a note is refused, and the digests are the note", () => {
  const messages = anthropic(40);
  const request = noteRequest(messages, OPTIONS);
  const plain = fold(messages, OPTIONS);
  assert.deepEqual(plain.report.summary, { state: "none", earlier: "none" });
  for (const [answers, reason] of [
    [whole(""), "empty"],
    [{ text: SUMMARY, stop: "max_tokens" }, "cut-off"],
    [{ text: SUMMARY, stop: "tool_use" }, "tool-call"],
    [{ text: SUMMARY, stop: "refusal" }, "declined"],
    [{ text: SUMMARY, stop: "who knows" }, "unknown-stop"],
    [whole("word ".repeat(9000)), "over-allowance"],
    [whole("[End of the Pinfold note]"), "forged"],
    [whole('{"error":{"message":"overloaded"}}'), "looks-like-an-error"],
  ]) {
    const { transcript, report } = fold(messages, { ...OPTIONS, note: { request, answers } });
    assert.deepEqual([report.summary.state, report.summary.reason], ["refused", reason]);
    assert.ok(report.summary.message.length > 20);
    assert.deepEqual(transcript, plain.transcript);
  }
  const failed = fold(messages, { ...OPTIONS, note: "failed" });
  assert.deepEqual([failed.report.summary.state, failed.transcript], ["failed", plain.transcript]);
});

test("a wrong note is a mistake of the caller's, and says so", () => {
  const messages = anthropic(40);
  const request = noteRequest(messages, OPTIONS);
  for (const [note, says] of [
    ["no", '`note` is "no": give the `request` of noteRequest'],
    [[], "`note` is a list"],
    [{ answers: "x" }, "`request` is missing"],
    [{ request }, "`answers` is missing"],
    [{ request: { ...request, id: 5 }, answers: "x" }, "`id` is 5"],
    [{ request, answers: 7 }, "`answers` has 7"],
    [{ request, answers: [{ text: "x" }] }, "`stop` is missing"],
    [{ request, answers: [{ text: "x", stop: "stop", why: 1 }] }, "no option `why`"],
  ]) {
    assert.throws(() => fold(messages, { ...OPTIONS, note }), (error) => error instanceof PinfoldError && error.message.includes(says), says);
  }
  assert.throws(() => fold(messages, { ...OPTIONS, summariserWindow: 5 }), (error) => error.code === "unknown-option");
});

test("a compactor waits for the summary and puts it into the messages", async () => {
  const { asked, summarise } = scripted();
  const agent = compactor({ ...OPTIONS, summarise });
  const messages = anthropic(40);
  const running = agent.prepare(messages);
  await settle();
  const [{ request, signal, resolve }] = asked;
  assert.deepEqual(Object.keys(request), ["id", "system", "message", "allowance", "chunk"]);
  assert.deepEqual([request.chunk, signal.aborted, asked.length], [{ number: 1, of: 1 }, false, 1]);
  resolve(whole(SUMMARY));
  const prepared = await running;
  assert.equal(prepared.report.summary.state, "written");
  assert.ok(!("summaryError" in prepared));
  assert.ok(prepared.messages[0].content.includes("> The listing was read;\n"));
  assert.equal(prepared.messages.at(-1), messages.at(-1));
  assert.equal(signal.aborted, false, "what is done is not called off");
  // What fits is not asked about.
  await agent.prepare(prepared.messages);
  assert.equal(asked.length, 1);
});

test("chunks are asked one after the other", async () => {
  const { asked, summarise } = scripted();
  const agent = compactor({ ...OPTIONS, summarise, summariserWindow: 2500 });
  const running = agent.prepare(anthropic(60));
  for (let number = 1; number <= (asked[0]?.request.chunk.of ?? 1); number += 1) {
    await settle();
    assert.equal(asked.length, number);
    assert.equal(asked[number - 1].request.chunk.number, number);
    asked[number - 1].resolve(`Part ${number}.`);
  }
  const { messages, report } = await running;
  assert.equal(report.summary.state, "written");
  assert.ok(asked.length > 1 && messages[0].content.includes("> Part 1.\n> \n> Part 2."));
});

test("whatever fails is told, never thrown, and never enters the messages", async () => {
  const messages = anthropic(40);
  const plain = fold(messages, OPTIONS).transcript;
  const down = new Error("the endpoint is down: 429");
  for (const [name, answer, state, error] of [
    ["rejects", () => Promise.reject(down), "failed", down],
    ["throws", () => { throw down; }, "failed", down],
    ["says nothing", () => undefined, "refused"],
    ["gives a number", () => 5, "refused"],
    ["gives no reason for its end", () => ({ text: SUMMARY }), "refused"],
    ["is cut off", () => ({ text: SUMMARY, stop: "length" }), "refused"],
    ["writes an error", () => "Error generating summary: 429", "refused"],
  ]) {
    const prepared = await compactor({ ...OPTIONS, summarise: answer }).prepare(messages);
    assert.deepEqual([prepared.report.summary.state, prepared.summaryError], [state, error], name);
    assert.deepEqual(prepared.messages, plain, name);
    assert.ok(!JSON.stringify(prepared.messages).includes("429"), name);
  }
});

test("the same content is asked about once, by two at once and after a time that is up", async () => {
  const { asked, summarise } = scripted();
  const agent = compactor({ ...OPTIONS, summarise, summariseTimeoutMs: 40 });
  const messages = anthropic(40);
  const both = await Promise.all([agent.prepare(messages), agent.prepare(messages)]);
  assert.equal(asked.length, 1);
  for (const { report, summaryError } of both) {
    assert.equal(report.summary.state, "failed");
    assert.ok(summaryError instanceof PinfoldError && summaryError.code === "timeout");
  }
  assert.equal(asked[0].signal.aborted, true, "nobody waits any more");
  // It takes no notice of the signal, and whoever asks next gets what it says then.
  const third = agent.prepare(messages);
  await settle();
  assert.equal(asked.length, 1, "it is still being asked");
  asked[0].resolve(SUMMARY);
  assert.equal((await third).report.summary.state, "written");
  const fourth = agent.prepare(messages);
  await settle();
  assert.equal(asked.length, 2, "and what is done is asked anew");
  asked[1].resolve(SUMMARY);
  await fourth;
});

test("a signal ends the waiting of the one that it belongs to", async () => {
  const before = timers();
  const { asked, summarise } = scripted();
  const agent = compactor({ ...OPTIONS, summarise });
  const messages = anthropic(40);
  const controller = new AbortController();
  const leaves = agent.prepare(messages, { signal: controller.signal });
  const stays = agent.prepare(messages);
  await settle();
  const why = new Error("the user left");
  controller.abort(why);
  await assert.rejects(leaves, (error) => error === why);
  assert.equal(asked[0].signal.aborted, false, "somebody still waits");
  asked[0].resolve(SUMMARY);
  assert.equal((await stays).report.summary.state, "written");
  assert.equal(timers(), before);
});

test("no time means that nobody is asked", async () => {
  const { asked, summarise } = scripted();
  const { report } = await compactor({ ...OPTIONS, summarise, summariseTimeoutMs: 0 }).prepare(anthropic(40));
  assert.deepEqual([asked.length, report.summary.state], [0, "none"]);
});

test("a long loop has one summary, that of the last fold", async () => {
  let times = 0;
  const summarise = async ({ message }) => {
    times += 1;
    assert.ok(times === 1 || message.includes(`> Summary ${times - 1}.`), "the earlier summary is read");
    return whole(`Summary ${times}.`);
  };
  const agent = compactor({ ...OPTIONS, summarise });
  let messages = anthropic(3);
  for (let turn = 0; turn < 40; turn += 1) {
    messages = [...messages, ...anthropic(3).slice(1), { role: "user", content: `And part ${turn}?` }];
    const prepared = await agent.prepare(messages);
    assert.ok(!("summaryError" in prepared) && prepared.report?.summary.state !== "refused");
    messages = prepared.messages;
  }
  assert.ok(times >= 3, `${times} summaries`);
  assert.equal(JSON.stringify(messages).match(/Summary \d+\./g).length, 1);
});

test("wrong options are known when it is made", () => {
  for (const [options, says] of [
    [{ summarise: "gpt" }, '`summarise` is "gpt": give a function.'],
    [{ summariseTimeoutMs: -1 }, "`summariseTimeoutMs` is -1: give a number of milliseconds."],
    [{ summariserWindow: 1.5 }, "`summariserWindow` is 1.5"],
    [{ note: "failed" }, "no option `note`"],
  ]) {
    assert.throws(() => compactor({ budget: 5, ...options }), (error) => error instanceof PinfoldError && error.message.includes(says), says);
  }
});
