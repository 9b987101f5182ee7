// Real transcripts, if a folder of them is named: every fold is proved again from its text.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { check, fold, plan, repair, transcripts, verify } from "pinfold";

const folder = process.env.PINFOLD_CORPUS;
const skip = folder ? false : "PINFOLD_CORPUS names no folder of transcripts";
const SHARES = [0.1, 0.3, 0.5, 0.7, 0.9];
/** The largest ones take a while and say no more than the others. */
const LARGEST = 1_000_000;
/** Transcripts of a file that are looked at. */
const SAMPLE = 5;

const folders = folder ? readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory()) : ["a corpus"];

for (const name of folders) {
  test(`folds of ${name} hold, and what is repaired is clean`, { skip }, (t) => {
    const path = join(folder, name);
    const files = readdirSync(path).filter((file) => statSync(join(path, file)).size <= LARGEST);
    let [read, folded, changes] = [0, 0, 0];
    for (const file of files) {
      const input = new Uint8Array(readFileSync(join(path, file)));
      const found = transcripts(input).length;
      for (let pick = 0; pick < Math.min(found, SAMPLE); pick += 1) {
        read += 1;
        changes += mended(input, pick, file);
        for (const share of SHARES) {
          folded += foldsLawfully(input, pick, share, file);
        }
      }
    }
    t.diagnostic(`${files.length} files, ${read} transcripts, ${folded} folds, ${changes} changes of repairs`);
    assert.ok(files.length === 0 || read > 0, "something was read");
  });
}

/** The number of changes that a repair made, after which nothing is left and a second one changes nothing. */
function mended(input, pick, file) {
  const { transcript, changes, left } = repair(input, { pick });
  const errors = left.filter(({ severity }) => severity === "error");
  assert.deepEqual(errors.filter(({ code }) => code !== "no-tools"), [], `${file}, transcript ${pick}`);
  if (changes.length > 0) {
    const { format, provider } = check(input, { pick });
    const wire = WIRES.includes(format) ? format : undefined;
    assert.deepEqual(repair(transcript, { format: wire, provider }).changes, [], `${file}, transcript ${pick}`);
  }
  return changes.length;
}

/** The formats whose transcripts are written as they are. */
const WIRES = ["anthropic", "openai-chat", "openai-responses", "gemini", "bedrock", "ai-sdk", "ai-sdk-ui", "langchain"];

/** Folds to a share of its tokens; 1 if it was folded. */
function foldsLawfully(input, pick, share, file) {
  const now = plan(input, { pick, budget: Number.MAX_SAFE_INTEGER });
  const options = { pick, budget: Math.floor(now.total * share) };
  const where = `${file}, transcript ${pick}, budget ${options.budget}`;
  const { transcript, decision, report } = fold(input, options);
  if (decision.decision !== "fold") {
    assert.equal(transcript, input, where);
    return 0;
  }
  assert.deepEqual(verify(input, transcript, options).broken, [], where);
  assert.ok(report.after <= options.budget, where);
  assert.equal(check(transcript, { format: report.written }).entries > 0, true, where);
  return 1;
}
