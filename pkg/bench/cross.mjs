// How a transcript should cross into the wasm: as a string, which the glue of wasm-bindgen writes into the memory, or as
// the bytes that a TextEncoder makes. Run it after a build: node pkg/bench/cross.mjs
//
// The crossing is timed alone: each call is refused as soon as it has its arguments. The one string that a call takes is
// its name, so that is where a transcript can go in as a string.

import { readFileSync } from "node:fs";

import { initSync, Reading } from "../wasm/pinfold.js";
import { anthropic } from "../tests/talks.mjs";

initSync({ module: readFileSync(new URL("../wasm/pinfold_bg.wasm", import.meta.url)) });

const ROUNDS = 30;
const NOTHING = new Uint8Array();
const encoder = new TextEncoder();
const talk = anthropic(10_600);

console.log(`Node ${process.version}, median of ${ROUNDS}`);
for (const [name, words] of [["ASCII", "Done."], ["Latin-1", "Voilà."], ["other", "完了。"]]) {
  const value = [...talk];
  // One such string decides how the engine stores the whole text; the rest is what transcripts mostly are.
  for (let index = 2; index < value.length; index += 50) {
    value[index] = { role: "user", content: words };
  }
  const text = JSON.stringify(value);
  console.log(`\n${(text.length / 1e6).toFixed(1)} million code units, ${name}`);
  measure("text as a string", () => refused(text, NOTHING));
  measure("text as bytes", () => refused("check", encoder.encode(text), { no: "such option" }));
  measure("value as a string", () => refused(JSON.stringify(value), NOTHING));
  measure("value as bytes", () => refused("check", encoder.encode(JSON.stringify(value)), { no: "such option" }));
  measure("to compare: check", () => new Reading("check", encoder.encode(text), undefined).check());
  measure("to compare: JSON.parse", () => JSON.parse(text));
}

function refused(call, bytes, options) {
  try {
    new Reading(call, bytes, options);
  } catch {
    return;
  }
  throw new Error("a call that was to be refused went through");
}

function measure(name, work) {
  const times = [];
  for (let round = -3; round < ROUNDS; round += 1) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  const sorted = times.slice(3).sort((a, b) => a - b);
  console.log(`  ${name.padEnd(24)} ${sorted[ROUNDS / 2].toFixed(1).padStart(6)} ms`);
}
