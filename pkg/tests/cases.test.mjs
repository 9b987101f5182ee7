// The conformance cases of the core, through the built package: as text and as a value.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { check, cuts } from "pinfold";

const cases = JSON.parse(readFileSync(new URL("../../core/tests/cases.json", import.meta.url), "utf8"));
const FORMATS = ["anthropic", "openai-chat", "openai-responses"];
const now = cases.filter(({ format }) => FORMATS.includes(format));

test("no case is forgotten in silence", () => {
  assert.deepEqual([now.length, cases.length - now.length], [29, 7]);
});

for (const { id, format, transcript, expect } of now) {
  for (const [form, input] of [["text", JSON.stringify(transcript)], ["value", transcript]]) {
    test(`${id}, as ${form}`, () => {
      const boundaries = cuts(input, { format });
      assert.deepEqual(
        boundaries.map(({ at }) => at),
        Array.from({ length: transcript.length + 1 }, (_, at) => at),
      );
      const legal = boundaries.filter((cut) => cut.legal).map(({ at }) => at);
      assert.deepEqual(legal, expect.legal);
      const illegal = boundaries.filter(({ why }) => why.length > 0).map(({ at, why }) => [at, why]);
      assert.deepEqual(Object.fromEntries(illegal), expect.illegal);

      const checked = check(input, { format });
      assert.equal(checked.format, format);
      assert.equal(checked.entries, transcript.length);
      assert.deepEqual(plain(checked.violations), plain(expect.violations));
    });
  }
}

/** What a case says about a violation, in an order that does not matter. */
function plain(violations) {
  return violations.map(({ code, entry, ids }) => JSON.stringify({ code, entry, ids })).sort();
}
