// What Pinfold costs on Node, as ratios measured in one run. `cargo xtask bench` builds the package and calls it.
//
// Each row is the median of interleaved runs, so that a slow moment of the machine falls on all of them alike.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, gzipSync } from "node:zlib";

import * as pinfold from "../dist/index.mjs";

const MESSAGES = 10_000;
const RUNS = 9;

const request = longTalk(MESSAGES);
const text = JSON.stringify(request);
const budget = Math.round(pinfold.plan(request, { budget: 2 ** 31 }).total / 4);

const tasks = {
  "JSON.parse": () => JSON.parse(text),
  "check": () => pinfold.check(text),
  "cuts": () => pinfold.cuts(text),
  "check + cuts": () => [pinfold.check(text), pinfold.cuts(text)],
  "check + cuts, from objects": () => [pinfold.check(request), pinfold.cuts(request)],
  "plan": () => pinfold.plan(text, { budget }),
  "fold, with its proof": () => pinfold.fold(text, { budget }),
  "fold, with its proof, from objects": () => pinfold.fold(request, { budget }),
};

const times = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
for (let run = 0; run < RUNS + 2; run += 1) {
  for (const [name, task] of Object.entries(tasks)) {
    const start = performance.now();
    task();
    // The first two runs warm the compilers up.
    if (run > 1) times[name].push(performance.now() - start);
  }
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const parse = median(times["JSON.parse"]);
console.log(`\n${MESSAGES.toLocaleString("en")} messages, ${(text.length / 1e6).toFixed(1)} MB of JSON, Node ${process.versions.node}, medians of ${RUNS} runs`);
for (const [name, list] of Object.entries(times)) {
  const time = median(list);
  console.log(`  ${name.padEnd(36)} ${time.toFixed(1).padStart(8)} ms ${(time / parse).toFixed(2).padStart(7)} × JSON.parse`);
}

const folded = pinfold.fold(text, { budget });
console.log(`  the fold: ${folded.decision.before} to ${folded.report.after} tokens at a budget of ${budget}`);

console.log("\nsize of the package");
for (const file of ["pinfold_bg.wasm", "index.mjs"]) {
  const bytes = readFileSync(new URL(`../dist/${file}`, import.meta.url));
  const [gzip, brotli] = [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  console.log(`  ${file.padEnd(36)} ${bytes.length} bytes, ${gzip} gzip, ${brotli} brotli`);
}

console.log("\nthe estimator against a real tokenizer (o200k_base)");
for (const [name, sample] of Object.entries(samples())) {
  const { countTokens } = createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base");
  const counted = countTokens(sample);
  const frame = estimate("");
  console.log(`  ${name.padEnd(36)} ${String(counted).padStart(8)} counted, ${((estimate(sample) - frame) / counted).toFixed(2)} × estimated`);
}

/** The estimate of one user message. */
function estimate(content) {
  return pinfold.plan([{ role: "user", content: content || "" }], { budget: 2 ** 31, format: "anthropic" }).total;
}

/** A coding session of that many messages: one prompt for every twenty rounds, results of every size. */
function longTalk(count) {
  let state = 4711;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
  const words = "the of parser src/lib.rs test fails because index range invoice total returns None when empty list const await handler 1042 error warning".split(" ");
  const prose = (length) => Array.from({ length }, () => words[random(words.length)]).join(" ");
  const lines = (length) => Array.from({ length }, (_, line) => `${line + 1}\t${prose(4 + random(9))}`).join("\n");
  const messages = [];
  while (messages.length + 2 <= count) {
    if (messages.length % 40 === 0) {
      messages.push({ role: "user", content: `Please ${prose(30)}.` });
      messages.push({ role: "assistant", content: [{ type: "text", text: prose(20) }] });
      continue;
    }
    const id = `toolu_${messages.length}`;
    messages.push({
      role: "assistant",
      content: [
        { type: "text", text: prose(10) },
        { type: "tool_use", id, name: "bash", input: { command: `grep -rn ${prose(3)}`, timeout: 60000 } },
      ],
    });
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: lines(2 + random(45)) }] });
  }
  const tools = [{ name: "bash", description: "Runs a command.", input_schema: { type: "object", properties: { command: { type: "string" } } } }];
  return { model: "claude-sonnet-4-5", max_tokens: 4096, system: "You are a careful engineer.", tools, messages };
}

/** Texts of the kinds that transcripts are made of. */
function samples() {
  const own = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
  return {
    "Rust source": own("../../core/src/cut.rs"),
    "prose": own("../../ARCHITECTURE.md"),
    "JSON": own("../../core/tests/cases.json").slice(0, 40_000),
    "JavaScript": own("costs.mjs"),
    "numbered lines": longTalk(200).messages.map((message) => message.content.at?.(-1).content ?? "").join("\n"),
  };
}
