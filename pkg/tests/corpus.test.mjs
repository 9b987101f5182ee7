// Real transcripts, if a folder of them is named: every fold is proved again from its text.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { check, fold, plan, transcripts, verify } from "pinfold";

const folder = process.env.PINFOLD_CORPUS;
const skip = folder ? false : "PINFOLD_CORPUS names no folder of transcripts";
const FORMATS = ["anthropic-messages", "openai-chat", "openai-responses", "claude-code"];
const SHARES = [0.1, 0.3, 0.5, 0.7, 0.9];
/** The largest ones take a while and say no more than the others. */
const LARGEST = 1_000_000;
/** Transcripts of a file that are looked at. */
const SAMPLE = 5;

for (const format of FORMATS) {
  test(`folds of ${format} hold`, { skip }, (t) => {
    const path = join(folder, format);
    const files = readdirSync(path).filter((file) => /\.jsonl?$/.test(file) && statSync(join(path, file)).size <= LARGEST);
    assert.ok(files.length > 0, `${path} has transcripts`);
    let [read, folded] = [0, 0];
    for (const file of files) {
      const text = readFileSync(join(path, file), "utf8");
      const found = readable(text);
      for (let pick = 0; pick < Math.min(found, SAMPLE); pick += 1) {
        read += 1;
        for (const share of SHARES) {
          folded += foldsLawfully(text, pick, share, file);
        }
      }
    }
    t.diagnostic(`${files.length} files, ${read} transcripts, ${folded} folds`);
    assert.ok(read > 0 && folded > 0, "something was read and folded");
  });
}

/** The number of transcripts in a file; some hold none on purpose. */
function readable(text) {
  try {
    return transcripts(text).length;
  } catch (error) {
    assert.ok(["unknown-format", "empty-input"].includes(error.code), error.message);
    return 0;
  }
}

/** Folds to a share of its tokens; 1 if it was folded. */
function foldsLawfully(text, pick, share, file) {
  const now = plan(text, { pick, budget: Number.MAX_SAFE_INTEGER });
  const options = { pick, budget: Math.floor(now.total * share) };
  const where = `${file}, transcript ${pick}, budget ${options.budget}`;
  const { transcript, decision, report } = fold(text, options);
  if (decision.decision !== "fold") {
    assert.equal(transcript, text, where);
    return 0;
  }
  assert.deepEqual(verify(text, transcript, options).broken, [], where);
  assert.ok(report.after <= options.budget, where);
  assert.equal(check(transcript, { format: report.written }).entries > 0, true, where);
  return 1;
}
