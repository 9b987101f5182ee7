// The conformance cases of the core, through the built package: as text and as a value.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { check, cuts, repair } from "pinfold";

const cases = JSON.parse(readFileSync(new URL("../../core/tests/cases.json", import.meta.url), "utf8"));
const bugs = ["a", "b", "c", "d", "e", "f", "l", "m"].flatMap((name) =>
  JSON.parse(readFileSync(new URL(`../../core/tests/cases/bugs-${name}.json`, import.meta.url), "utf8")),
);

test("no case is forgotten in silence", () => {
  assert.deepEqual([cases.length, bugs.length], [36, 100]);
});

for (const { id, format, transcript, expect } of cases) {
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

for (const { id, format, provider, model, mode, transcript, repaired } of bugs) {
  test(`${id} is mended, as text and as a value`, () => {
    const options = { format, provider, model, mode };
    const text = JSON.stringify(transcript);
    const asText = repair(text, options);
    const asValue = repair(transcript, options);
    assert.equal(JSON.stringify(transcript), text, "the input is not changed");
    assert.deepEqual(JSON.parse(asText.transcript), asValue.transcript);
    assert.deepEqual(asText.changes, asValue.changes);
    const made = ({ kind, ids }) => JSON.stringify({ kind, ids });
    assert.deepEqual(asValue.changes.map(made).sort(), repaired.changes.map(made).sort());
    const errors = asValue.left.filter(({ severity }) => severity === "error").map(({ code }) => code);
    assert.deepEqual(errors, repaired.left);
    if (asValue.changes.length === 0) {
      assert.equal(asValue.transcript, transcript);
      assert.equal(asText.transcript, text);
    }
  });
}

/** What a case says about a violation, in an order that does not matter. */
function plain(violations) {
  return violations.map(({ code, entry, ids }) => JSON.stringify({ code, entry, ids })).sort();
}
