// What a session costs on Node while it grows, and a fold against LangChain.js `trimMessages` on the same messages.
// `cargo xtask bench` calls it.

import { AIMessage, HumanMessage, ToolMessage, trimMessages } from "@langchain/core/messages";

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

import { fold, plan, Session } from "../dist/index.mjs";

const PUSHED = 2000;

console.log("\na session on Node");
const pushes = [1000, 100_000].map(grown);
console.log(`  push at 100,000 entries ÷ at 1,000: ${(pushes[1] / pushes[0]).toFixed(2)}`);
await trimmed(10_000);

/** Grows a session to `length` entries; gives what the push of one more costs, in µs. */
function grown(length) {
  const talk = longTalk(length + PUSHED);
  const session = new Session(talk.slice(0, length), { format: "anthropic" });
  const total = session.plan({ budget: 2 ** 40 }).total;
  const start = performance.now();
  for (const entry of talk.slice(length)) {
    session.push(entry);
  }
  const push = ((performance.now() - start) * 1000) / PUSHED;
  const times = Array.from({ length: 200 }, (_, step) => {
    const start = performance.now();
    session.plan({ budget: Math.round((total * (step + 1)) / 200) });
    return (performance.now() - start) * 1000;
  });
  console.log(`  ${String(length).padStart(7)} entries: push ${push.toFixed(1)} µs, replan ${median(times).toFixed(1)} µs`);
  return push;
}

/** Folds so many messages, and trims the same ones. */
async function trimmed(count) {
  const talk = longTalk(count);
  const budget = Math.round(plan(talk, { budget: 2 ** 40, format: "anthropic" }).total / 4);
  const folds = Array.from({ length: 5 }, () => timed(() => fold(talk, { budget, format: "anthropic" })));
  const session = new Session(talk, { format: "anthropic" });
  const inSession = timed(() => session.fold({ budget }));
  const messages = talk.map(inLangChain);
  console.log(`  ${count} messages, a budget of ${budget}: fold ${median(folds).toFixed(0)} ms, in a session ${inSession.toFixed(0)} ms`);
  const known = new Map();
  const counted = (text) => {
    const tokens = known.get(text) ?? countTokens(text);
    known.set(text, tokens);
    return tokens;
  };
  // The cheapest counter that there is, and a real one that counts each message once; `trimMessages` asks for sums very often.
  for (const [name, count] of [["length ÷ 4", (text) => Math.ceil(text.length / 4)], ["a tokenizer, each message once", counted]]) {
    const tokenCounter = (list) => list.reduce((sum, message) => sum + count(message.content) + 4, 0);
    const start = performance.now();
    const kept = await trimMessages(messages, { maxTokens: budget, strategy: "last", tokenCounter });
    const trim = performance.now() - start;
    console.log(`  trimMessages, counting by ${name}: ${trim.toFixed(0)} ms, ${kept.length} kept; fold ÷ it ${(median(folds) / trim).toFixed(2)}, in a session ${(inSession / trim).toFixed(2)}`);
  }
}

function timed(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}

/** A message as LangChain has it. */
function inLangChain({ role, content }) {
  if (typeof content === "string") {
    return role === "user" ? new HumanMessage(content) : new AIMessage(content);
  }
  const [part] = content;
  return part.type === "tool_use"
    ? new AIMessage({ content: "", tool_calls: [{ id: part.id, name: part.name, args: part.input }] })
    : new ToolMessage({ content: part.content, tool_call_id: part.tool_use_id });
}

/** A session of so many entries: a prompt for every twenty rounds, results of every size. */
function longTalk(count) {
  return Array.from({ length: count }, (_, at) => {
    if (at % 41 === 0) {
      return { role: "user", content: `Please look at part ${at} of the work.` };
    }
    if ((at % 41) % 2 === 1) {
      return { role: "assistant", content: [{ type: "tool_use", id: `toolu_${at}`, name: "bash", input: { command: `step ${at}` } }] };
    }
    const content = `part ${at}: a line of output with a path src/lib.rs\n`.repeat(1 + ((at * 7) % 50));
    return { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${at - 1}`, content }] };
  });
}
