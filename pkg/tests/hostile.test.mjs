// Inputs that nobody means: an error or findings, never a wasm instance that has stopped.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { check, cuts, detect, fold, Ledger, PinfoldError, plan, transcripts, verify } from "pinfold";

import { anthropic, chat, claudeCode, responses } from "./talks.mjs";

const sound = chat(40);
const soundFold = JSON.stringify(fold(sound, { budget: 2000 }));

afterEach(() => {
  assert.equal(JSON.stringify(fold(sound, { budget: 2000 })), soundFold, "the instance still works, and works the same");
});

/** A ledger that has seen everything. */
const kept = new Ledger({ classify: true });

/** Calls everything with an input; what is thrown must be a PinfoldError that does not speak of a stop. */
function everything(input) {
  const thrown = [];
  for (const call of [
    () => detect(input),
    () => transcripts(input),
    () => check(input),
    () => cuts(input),
    () => plan(input, { budget: 100 }),
    () => fold(input, { budget: 100 }),
    () => verify(input, input),
    () => JSON.stringify(kept.observe(input)),
  ]) {
    try {
      call();
    } catch (error) {
      assert.ok(error instanceof PinfoldError, String(error));
      assert.notEqual(error.code, "crashed", error.message);
      thrown.push(error.code);
    }
  }
  return thrown;
}

const text = JSON.stringify(anthropic(4));
const lines = claudeCode(4).map((line) => JSON.stringify(line)).join("\n");

test("truncated at every byte", () => {
  for (const whole of [text, JSON.stringify({ model: "gpt", input: responses(3) }), lines]) {
    const bytes = new TextEncoder().encode(whole);
    for (let end = 0; end <= bytes.length; end += 7) {
      everything(bytes.subarray(0, end));
    }
  }
});

test("a ledger that has seen it all is still itself", () => {
  const json = JSON.stringify(kept);
  assert.equal(JSON.stringify(Ledger.fromJSON(json)), json);
  kept.observe(sound);
  assert.ok(Array.isArray(kept.pins) && Array.isArray(kept.conflicts) && typeof kept.render() === "string");
});

test("an answer of any shape is refused or taken, and nothing else", () => {
  const ledger = new Ledger({ classify: true, accept: "nothing" });
  const message = "Never touch main, \ud800 please.";
  const [{ id }] = ledger.observe([{ role: "user", content: message }]);
  const values = [null, true, 5, "", "x", [], {}, message, { text: message }, [[]], "[".repeat(100_000), '{"found":'.repeat(10_000), "\0", "```json\n```"];
  for (const found of [...values, ...values.map((value) => [value])]) {
    for (const answer of [found, { found }, { found: [], retires: found }, { binding: found, class: found, text: found }, { found: [{ binding: true, class: "constraint", text: found }] }]) {
      try {
        ledger.resolve(id, answer);
      } catch (error) {
        assert.ok(error instanceof PinfoldError && error.code !== "crashed", String(error));
      }
    }
  }
  assert.ok(ledger.pins.every(({ text }) => message.includes(text)), JSON.stringify(ledger.pins));
});

test("truncated JSON keeps what stands before the break, and says so", () => {
  const { entries, findings } = check(text.slice(0, -20));
  assert.equal(entries, anthropic(4).length - 1);
  assert.deepEqual(findings.map(({ code, weight, line }) => [code, weight, line]), [["broken-json", "warning", 1]]);
  const broken = JSON.stringify(anthropic(40)).slice(0, -20);
  const { transcript, report } = fold(broken, { budget: 2000 });
  assert.ok(Array.isArray(JSON.parse(transcript)), "the result is whole again");
  assert.equal(report.findings[0].code, "broken-json");
});

test("broken JSON Lines keep the sound ones, and say which are not", () => {
  const all = claudeCode(40).map((line) => JSON.stringify(line));
  all.splice(3, 0, "not JSON at all", '{"type": "user", "mess');
  const { findings, entries } = check(all.join("\n"));
  assert.deepEqual(findings.map(({ code, line, offset }) => [code, line, offset]), [
    ["broken-line", 4, all.slice(0, 3).join("\n").length + 1],
    ["broken-line", 5, all.slice(0, 4).join("\n").length + 1],
  ]);
  assert.equal(entries, anthropic(40).length);
  assert.deepEqual(everything(all.join("\r\n")), []);
});

test("offsets are UTF-16", () => {
  const first = { role: "user", content: "Grüße, 世界 👋" };
  const start = JSON.stringify([first]).slice(0, -1);
  const { findings } = check(`${start}, {"role": "nobody", "content": ""}]`, { format: "anthropic" });
  assert.deepEqual(findings.map(({ code, offset }) => [code, offset]), [["unknown-role", start.length + 2]]);
});

test("bytes that are not UTF-8 are named", () => {
  const bytes = new TextEncoder().encode(JSON.stringify([{ role: "user", content: "aXb" }]));
  bytes[bytes.indexOf(0x58)] = 0xff;
  assert.equal(check(bytes).findings[0].code, "not-utf-8");
  everything(bytes);
});

for (const depth of [200, 100_000]) {
  test(`${depth} levels of nesting`, () => {
    const deep = "[".repeat(depth) + "]".repeat(depth);
    const object = '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
    for (const value of [deep, object]) {
      everything(value);
      const input = `[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"run","input":{"x":${value}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":${value}}]}]`;
      everything(input);
      assert.equal(check(input).entries, 3);
    }
    everything("[".repeat(depth));
    everything('{"messages":'.repeat(depth));
    everything('[{"role":"user","content":'.repeat(depth));
    everything('{"request":{"body":'.repeat(depth));
  });
}

test("a cassette within a cassette within a cassette", () => {
  let inner = JSON.stringify({ messages: anthropic(2) });
  for (let depth = 0; depth < 8; depth += 1) {
    inner = JSON.stringify({ body: inner });
  }
  everything(inner);
  const wide = JSON.stringify({ interactions: Array.from({ length: 500 }, () => ({ request: { interactions: [{}] } })) });
  everything(wide);
});

test("lone surrogates are kept, as the escapes that JSON has for them", () => {
  const value = anthropic(40);
  const lone = "a \ud800 b \udc00 c";
  value.at(-1).content[0].text = lone;
  const raw = JSON.stringify(value).replaceAll("\\ud800", "\ud800").replaceAll("\\udc00", "\udc00");
  assert.ok(raw.includes(lone));
  for (const input of [value, JSON.stringify(value), raw]) {
    const { transcript, decision } = fold(input, { budget: 2000 });
    assert.equal(decision.decision, "fold");
    const list = typeof transcript === "string" ? JSON.parse(transcript) : transcript;
    assert.equal(list.at(-1).content[0].text, lone);
    assert.ok(verify(input, transcript, { budget: 2000 }).holds);
  }
  // In front of the cut, in an id and in the caller's own request too.
  const early = anthropic(40);
  early[0].content = lone;
  early[1].content[1].id = early[2].content[0].tool_use_id = "\ud800";
  assert.equal(everything(early).length, 0);
  assert.equal(fold(early, { budget: 2000 }).decision.decision, "fold");
});

test("64-bit integers are kept digit for digit in text", () => {
  const number = "12345678901234567890.0010e+7";
  const value = JSON.stringify(anthropic(40));
  const at = value.lastIndexOf('{"command":');
  const input = `${value.slice(0, at)}{"n": ${number}, "command":${value.slice(at + '{"command":'.length)}`;
  const { transcript, decision } = fold(input, { budget: 2000 });
  assert.equal(decision.decision, "fold");
  assert.ok(transcript.includes(`{"n": ${number}, "command":`));
});

test("keys that would pollute a prototype are ordinary keys", () => {
  const request = JSON.parse(`{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 2}}, "messages": ${JSON.stringify(anthropic(40))}}`);
  request.messages.at(-1).content[0] = JSON.parse('{"type": "text", "text": "x", "__proto__": {"polluted": 3}}');
  for (const input of [request, JSON.stringify(request)]) {
    const { transcript } = fold(input, { budget: 2000 });
    const value = typeof transcript === "string" ? JSON.parse(transcript) : transcript;
    assert.ok(Object.hasOwn(value, "__proto__") && value.polluted === undefined);
    assert.deepEqual(Object.keys(value), ["__proto__", "constructor", "messages"]);
  }
  assert.equal({}.polluted, undefined);
  const ids = ["__proto__", "constructor", "toString"].flatMap((id) => [
    { role: "assistant", content: [{ type: "tool_use", id, name: id, input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: id }] },
  ]);
  assert.deepEqual(cuts([{ role: "user", content: "Go." }, ...ids])[2].why[0].ids, ["__proto__"]);
});

test("shapes that are nearly a transcript", () => {
  const entries = [null, 1, "x", [], {}, { role: null }, { role: "user" }, { role: "user", content: null }, { role: "user", content: 5 },
    { role: "user", content: [null, 1, "x", [], {}, { type: 5 }, { type: "tool_result" }] }, { role: "assistant", content: [{ type: "tool_use" }] },
    { role: "assistant", tool_calls: [null, 1, {}, { id: 5, function: null }] }, { role: "tool" }, { type: "function_call" },
    { type: "function_call_output", call_id: null }, { type: "reasoning", summary: 5 }, { role: "user", content: [{ type: "image", source: { data: "AAAA" } }] }];
  for (const format of [undefined, "anthropic", "openai-chat", "openai-responses", "claude-code"]) {
    for (const first of entries) {
      for (const second of entries) {
        const input = [first, second, { role: "user", content: "Go on." }];
        for (const call of [() => check(input, { format, mode: "request" }), () => cuts(input, { format }), () => fold(input, { format, budget: 5 })]) {
          try {
            call();
          } catch (error) {
            assert.ok(error instanceof PinfoldError && error.code === "unknown-format", `${error.stack} on ${JSON.stringify(input)}`);
          }
        }
      }
    }
  }
  for (const empty of [[], "[]", { messages: [] }, { input: [] }, { model: "m", input: "Hi" }, { input: "Hi", messages: [] }]) {
    for (const budget of [0, 1, 1000]) {
      assert.equal(fold(empty, { budget }).transcript, empty);
    }
  }
});

test("thousands of calls at once", () => {
  const talk = (calls) => {
    const ids = Array.from({ length: calls }, (_, index) => `c${index}`);
    return [
      { role: "user", content: "Go." },
      { role: "assistant", tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "run", arguments: "{}" } })) },
      ...ids.map((id) => ({ role: "tool", tool_call_id: id, content: "" })),
    ];
  };
  assert.equal(cuts(talk(500))[500].why[0].ids.length, 500 - 498);
  // At each of 8,000 boundaries some thousands of ids: more than a process can hold.
  assert.throws(() => cuts(talk(8000)), (error) => error instanceof PinfoldError && error.code === "too-large");
  assert.equal(plan(talk(8000), { budget: 1e6 }).decision, "fits");
});

test("50 MB of talk", () => {
  const long = "word ".repeat(20_000);
  const value = anthropic(4000).map((entry, index) => (index % 16 === 2 ? { role: "user", content: [{ ...entry.content[0], content: long }] } : entry));
  const input = JSON.stringify(value);
  assert.ok(input.length > 50e6, String(input.length));
  const { transcript, decision } = fold(input, { budget: 100_000 });
  assert.equal(decision.decision, "fold");
  assert.ok(verify(input, transcript, { budget: 100_000 }).holds);
});

test("50 MB that are no talk", () => {
  for (const [start, piece] of [["", "["], ["[", "1,"], ["", '{"a":1}\n']]) {
    const input = start + piece.repeat(50e6 / piece.length);
    assert.throws(() => check(input), (error) => error instanceof PinfoldError && error.code === "unknown-format");
  }
});
