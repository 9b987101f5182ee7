// Calls that cannot be right: each is answered by a PinfoldError whose message names the bad value and the way out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { check, convert, cuts, detect, fold, Ledger, PinfoldError, plan, repair, transcripts, verify } from "pinfold";

const talk = [{ role: "user", content: "Hi" }, { role: "assistant", content: "Hello." }];
const cycle = { role: "user", content: [{}] };
cycle.content[0].back = cycle;
const nested = () => {
  let value = {};
  for (let depth = 0; depth < 100_000; depth += 1) {
    value = { value };
  }
  return [value];
};
const budget = (value) => () => plan(talk, { budget: value });
const ledger = (options) => () => new Ledger(options);
const recogniser = (value) => ledger({ recognisers: [{ tool: "run", path: "cwd", topic: "directory" }, value] });
const held = new Ledger();
held.observe([{ role: "user", content: "Never touch main. Bye!" }, { role: "assistant", content: "ok" }]);
const pin = (place, kind) => () => held.pin(place, kind);
const retire = (how) => () => held.retire(held.pins[0].id, how);
const tokens = (value) => () => plan(talk, { budget: 10, tokens: value });

// The call, the code of its error, and what its message says.
const BAD = [
  // Options
  [() => check(talk, { modes: "log" }), "unknown-option", "`modes`: check takes format, pick, provider, model, thinking, previousResponseId, mode."],
  [() => cuts(talk, { budget: 10 }), "unknown-option", "`budget`: cuts takes format, pick, provider, model, thinking, previousResponseId."],
  [() => plan(talk, { budjet: 10 }), "unknown-option", "`budjet`: plan takes format, pick, provider, model, thinking, previousResponseId, tokens, fixedTokens, frozen, budget, window, reserve, trigger"],
  [() => check(talk, JSON.parse('{"__proto__": 1}')), "unknown-option", "`__proto__`"],
  [() => check(talk, { constructor: 1 }), "unknown-option", "`constructor`"],
  [() => check(talk, null), "bad-option", "The options of check are null: give an object, or nothing."],
  [() => plan(talk, 1000), "bad-option", "The options of plan are 1000: give an object"],
  [() => plan(talk, [1000]), "bad-option", "The options of plan are a list"],
  [() => fold(talk), "bad-option", "`budget` is missing: give the most tokens"],
  [() => fold(talk, {}), "bad-option", "`budget` is missing"],
  [() => plan(talk, { trigger: 5 }), "bad-option", "`budget` is missing"],
  [() => verify(talk, talk, { quiet: true }), "bad-option", "`budget` is missing"],
  [budget(undefined), "bad-option", "`budget` is missing"],
  [() => plan(talk, { budget: 10, window: 20 }), "bad-option", "There are two budgets, the options `budget` and `window`: give one."],
  [() => plan(talk, { budget: 10, reserve: 2 }), "bad-option", "`window` is missing: give the tokens of the model, of which `reserve` are kept free."],
  [() => plan(talk, { reserve: 2 }), "bad-option", "`budget` is missing"],
  [() => plan(talk, { window: -1 }), "bad-option", "`window` is -1: give"],
  [() => plan(talk, { budget: 10, hard: "no" }), "bad-option", '`hard` is "no": give true or false.'],
  [budget(-1), "bad-option", "`budget` is -1: give a number of tokens, whole, 0 to"],
  [budget(1.5), "bad-option", "`budget` is 1.5: give a number of tokens, whole"],
  [budget(NaN), "bad-option", "`budget` is NaN: give"],
  [budget(Infinity), "bad-option", "`budget` is Infinity: give"],
  [budget(2 ** 53), "bad-option", "`budget` is 9007199254740992: give a number of tokens, whole, 0 to 9007199254740991"],
  [budget("1000"), "bad-option", '`budget` is "1000": give'],
  [budget(10n), "bad-option", "`budget` is a BigInt: give"],
  [budget(null), "bad-option", "`budget` is null: give"],
  [() => plan(talk, { budget: 10, trigger: -5 }), "bad-option", "`trigger` is -5: give"],
  [() => plan(talk, { budget: 10, target: 0.5 }), "bad-option", "`target` is 0.5: give"],
  [() => plan(talk, { budget: 10, lookback: 2 }), "bad-option", "`lookback` is 2: give a share of the budget, 0 to 1."],
  [() => plan(talk, { budget: 10, noteShare: NaN }), "bad-option", "`noteShare` is NaN: give a share"],
  [() => plan(talk, { budget: 10, quiet: "yes" }), "bad-option", '`quiet` is "yes": give true or false.'],
  [() => plan(talk, { budget: 10, overshoot: 1 }), "bad-option", "`overshoot` is 1: give true or false."],
  [() => plan(talk, { budget: 10, fixedTokens: -2 }), "bad-option", "`fixedTokens` is -2: give"],
  [() => check(talk, { mode: "both" }), "bad-option", '`mode` is "both": give one of log, request.'],
  [() => check(talk, { format: "cohere" }), "bad-option", '`format` is "cohere": give one of anthropic, openai-chat, openai-responses, gemini, bedrock'],
  [() => check(talk, { provider: "cohere" }), "bad-option", '`provider` is "cohere": give one of anthropic, openai-chat'],
  [() => check(talk, { format: "openai-chat", provider: "gemini" }), "wrong-provider", "convert the transcript first"],
  [() => check(talk, { model: 4 }), "bad-option", "`model` is 4: give the name of a model."],
  [() => check(talk, { previousResponseId: 4 }), "bad-option", "`previousResponseId` is 4: give the id of a response, or true."],
  [() => check(talk, { format: "codex" }), "unknown-format", "Codex rollout"],
  [() => convert(talk, {}), "bad-option", "`to` is missing: give the name of a format or of a provider."],
  [() => convert(talk, { to: "codex" }), "bad-option", '`to` is "codex": give one of anthropic, openai-chat'],
  [() => repair(talk, { budget: 5 }), "unknown-option", "`budget`: repair takes format"],
  [() => check(new Uint8Array([0x50, 0x4b, 3, 4, 0])), "bad-archive", "archive"],
  [() => check(talk, { format: "x".repeat(9000) }), "bad-option", `"${"x".repeat(60)}…"`],
  [() => check(talk, { pick: -1 }), "bad-option", "`pick` is -1: give a transcript's number"],
  [() => check(talk, { pick: 1 }), "no-such-transcript", "no transcript number 1: the input holds 1, counted from 0."],
  // Tokens
  [tokens([1]), "bad-option", "`tokens`: There are 1 token counts for 2 entries: give one for each entry."],
  [tokens([1, 2, 3]), "bad-option", "There are 3 token counts for 2 entries"],
  [tokens([1, -2]), "bad-option", "`tokens` is wrong: tokens, number 1 is -2. Give a whole number, 0 to"],
  [tokens([1, 2.5]), "bad-option", "number 1 is 2.5"],
  [tokens([NaN, 1]), "bad-option", "number 0 is NaN"],
  [tokens(["1", 1]), "bad-option", 'number 0 is "1"'],
  [tokens([2 ** 32, 1]), "bad-option", "number 0 is 4294967296"],
  [tokens(new Array(2)), "bad-option", "number 0 is undefined"],
  [tokens(7), "bad-option", "`tokens` is 7: give a list with one number of tokens for each entry, or a function"],
  [tokens(() => "many"), "bad-option", 'what `tokens` returned for entry 0 is "many".'],
  [tokens(async () => 5), "bad-option", "what `tokens` returned for entry 0 is an object."],
  // The ledger
  [() => plan(talk, { budget: 10, ledger: true }), "bad-option", '`ledger` is true: give a Ledger of this package, "prohibitions", or false.'],
  [() => fold(talk, { budget: 10, ledger: "all" }), "bad-option", '`ledger` is "all": give a Ledger'],
  [() => verify(talk, talk, { ledger: null }), "bad-option", "`ledger` is null: give"],
  [() => fold(talk, { budget: 10, ledger: Ledger }), "bad-option", "`ledger` is a function: give"],
  [() => check(talk, { ledger: false }), "unknown-option", "`ledger`: check takes"],
  [ledger(null), "bad-option", "The options of a ledger are null: give an object, or nothing."],
  [ledger({ accepts: "nothing" }), "unknown-option", "`accepts`: a ledger takes accept, classify, tools, repeat, share, recognisers."],
  [ledger({ accept: "all" }), "bad-option", '`accept` is "all": give one of prohibitions, nothing.'],
  [ledger({ classify: () => {} }), "bad-option", "`classify` is a function: give true or false."],
  [ledger({ tools: 1 }), "bad-option", "`tools` is 1: give true or false."],
  [ledger({ repeat: true }), "bad-option", "`repeat` is true: give one of folded, system, all."],
  [ledger({ share: 1.5 }), "bad-option", "`share` is 1.5: give a share of the budget, 0 to 1."],
  [ledger({ recognisers: {} }), "bad-option", "`recognisers` is an object: give a list of objects with tool, path and topic."],
  [recogniser(7), "bad-option", "The options of a recogniser are 7"],
  [recogniser({}), "bad-option", "`tool` is missing: give the name of a tool."],
  [recogniser({ tool: "run" }), "bad-option", "`path` is missing: give the path of an argument."],
  [recogniser({ tool: "run", path: "x" }), "bad-option", "`topic` is missing: give what its text is."],
  [recogniser({ tool: "run", path: "x", topic: "mood" }), "bad-option", '`topic` is "mood": give one of directory, branch, worktree, file, cursor, process, agent, plan.'],
  [recogniser({ tool: "run", path: "x", topic: "plan", when: 1 }), "unknown-option", "`when`: a recogniser takes tool, path, topic."],
  [() => held.observe(talk, { budget: 5 }), "unknown-option", "`budget`: observe takes format, pick"],
  [() => held.observe("Dear diary"), "unknown-format", "No transcript was found"],
  [() => held.observe(), "bad-input", "The input is undefined"],
  [pin(), "bad-option", "What to pin is not said: give either the option `text` or the option `span`."],
  [pin({ entry: 0 }), "bad-option", "What to pin is not said"],
  [pin({ entry: 0, text: "Bye!", span: [0, 1] }), "bad-option", "What to pin is not said"],
  [pin({ text: "Bye!" }), "bad-option", "`entry` is missing: give the number of an entry."],
  [pin({ entry: -1, text: "Bye!" }), "bad-option", "`entry` is -1: give the number of an entry."],
  [pin({ entry: 0, part: "0", text: "Bye!" }), "bad-option", '`part` is "0": give the number of a part.'],
  [pin({ entry: 0, text: 5 }), "bad-option", "`text` is 5: give the words to pin."],
  [pin({ entry: 0, span: [0] }), "bad-option", "`span` is a list: give a list of two offsets in UTF-16 units."],
  [pin({ entry: 0, span: [0, 1.5] }), "bad-option", "`span` is a list"],
  [pin({ entry: 0, words: "Bye!" }), "unknown-option", "`words`: pin takes entry, part, span, text."],
  [pin({ entry: 0, text: "Bye!" }, 5), "bad-option", "The class is 5: give constraint, commitment or open-question."],
  [pin({ entry: 0, text: "Bye!" }, "tool-state"), "unknown-class", '"tool-state" is no class of words'],
  [pin({ entry: 0, text: "bye" }), "not-verbatim", 'The nearest words are "Bye"'],
  [pin({ entry: 1, text: "ok" }), "not-a-prompt", "Part 0 of entry 1 is no prompt"],
  [retire(), "bad-option", "`end` is missing: give how it ends."],
  [retire({ end: "revoked" }), "bad-option", "`quote` is missing: give the words that say so."],
  [retire({ end: "dismissed", quote: "x" }), "bad-option", '`end` is "dismissed": give one of answered, completed, fulfilled, revoked, superseded.'],
  [retire("revoked"), "bad-option", 'The options of retire are "revoked"'],
  [() => held.accept(5), "bad-option", "The candidate is 5: give its id, which is a text."],
  [() => held.dismiss(), "bad-option", "The candidate is undefined: give its id"],
  [() => held.retire({}, { end: "revoked", quote: "x" }), "bad-option", "The pin is an object: give its id"],
  [() => held.resolve(null, {}), "bad-option", "The request is null: give its id"],
  [() => held.resolve("nothing", {}), "unknown-request", 'Nothing was asked under the id "nothing"'],
  [() => Ledger.fromJSON("{}"), "bad-ledger", "The JSON is no ledger"],
  [() => Ledger.fromJSON("{}", { share: 2 }), "bad-option", "`share` is 2"],
  // Inputs
  [() => check(null), "bad-input", "The input is null: give JSON text, its bytes as a Uint8Array, a list"],
  [() => check(undefined), "bad-input", "The input is undefined"],
  [() => detect(), "bad-input", "The input is undefined"],
  [() => transcripts(5), "bad-input", "The input is 5"],
  [() => cuts(true), "bad-input", "The input is true"],
  [() => plan(10n, { budget: 1 }), "bad-input", "The input is 10"],
  [() => fold(() => talk, { budget: 1 }), "bad-input", "The input is a function"],
  [() => check(Symbol("x")), "bad-input", "The input is a symbol"],
  [() => verify(talk, null), "bad-input", "The input is null"],
  [() => check(new ArrayBuffer(8)), "bad-input", "wrap it, as in new Uint8Array(buffer)."],
  [() => check(new Uint16Array(8)), "bad-input", "no Uint8Array"],
  [() => check(""), "empty-input", "The input is empty"],
  [() => check("  \n "), "empty-input", "The input is empty"],
  [() => check(new Uint8Array()), "empty-input", "The input is empty"],
  [() => transcripts(""), "empty-input", "The input is empty"],
  [() => check("hello"), "unknown-format", "No transcript was found. Looked for Anthropic Messages"],
  [() => check({}), "unknown-format", "No transcript was found"],
  [() => check([1, 2, 3]), "unknown-format", "No transcript was found"],
  [() => check(Uint8Array.of(0xff, 0xfe, 0x5b, 0)), "utf-16", "save it as UTF-8"],
  [() => transcripts(Uint8Array.of(0xff, 0xfe, 0x5b, 0)), "utf-16", "save it as UTF-8"],
  // Values that JSON cannot carry
  [() => check([{ role: "user", content: [{ text: 5n }] }]), "not-json", "input[0].content[0].text is the BigInt 5n. Make it a string or a number first."],
  [() => check({ messages: [cycle] }), "not-json", "input.messages[0].content[0].back is input.messages[0] again, a cycle."],
  [() => check(nested()), "not-json", "JSON cannot carry the input: Maximum call stack size exceeded"],
  [() => check({ toJSON: () => undefined }), "not-json", "toJSON"],
  [() => check({ get messages() { throw new Error("not today"); } }), "not-json", "not today"],
];

for (const [call, code, says] of BAD) {
  test(`${call.toString().replace(/^\(\) => /, "").slice(0, 90)}: ${says.slice(0, 50)}`, () => {
    const error = thrownBy(call);
    assert.ok(error instanceof PinfoldError && error instanceof Error, String(error));
    assert.equal(error.name, "PinfoldError");
    assert.equal(error.code, code, error.message);
    assert.ok(error.message.includes(says), error.message);
    assert.equal(check(talk).entries, 2, "the next call works");
  });
}

test("an undefined option is no option", () => {
  const none = { format: undefined, pick: undefined, mode: undefined };
  assert.deepEqual(check(talk, none), check(talk));
  assert.deepEqual(check(talk, undefined), check(talk));
  const policy = { tokens: undefined, fixedTokens: undefined, trigger: undefined, target: undefined, lookback: undefined };
  assert.deepEqual(plan(talk, { budget: 10, ...policy }), plan(talk, { budget: 10 }));
  assert.deepEqual(verify(talk, talk, { budget: undefined }), { holds: true, broken: [] });
});

test("the caller's own error comes through as it is", () => {
  const mine = new Error("no tokenizer");
  const throwing = () => {
    throw mine;
  };
  assert.equal(thrownBy(tokens(throwing)), mine);
  assert.equal(thrownBy(() => plan(talk, { get budget() { throw mine; } })), mine);
});

test("a tokens function may call Pinfold", () => {
  assert.equal(plan(talk, { budget: 100, tokens: (entry) => check([entry]).entries }).total, 2);
});

function thrownBy(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}
