// The README cannot lie: its examples run, as one program, and print what their comments say.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import * as pinfold from "pinfold";

const pkg = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(pkg, "README.md"), "utf8");
const source = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code).join("\n");
const FUNCTIONS = ["check", "convert", "cuts", "detect", "fold", "noteRequest", "plan", "repair", "restore", "transcripts", "verify"];
const LEDGER = ["Ledger", "Session", "compactor"];

test("every example prints what it says", () => {
  const said = [...source.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line);
  assert.equal(said.length, source.match(/console\.log\(/g).length, "every line that is printed says what");
  const project = mkdtempSync(join(tmpdir(), "pinfold-readme-"));
  try {
    mkdirSync(join(project, "node_modules"));
    symlinkSync(pkg, join(project, "node_modules/pinfold"), "junction");
    writeFileSync(join(project, "main.mjs"), source);
    const printed = execFileSync(process.execPath, [join(project, "main.mjs")], { encoding: "utf8" });
    assert.deepEqual(printed.trimEnd().split("\n"), said);
  } finally {
    rmSync(project, { recursive: true });
  }
});

test("every function has an example, and every option and error a row", () => {
  for (const name of [...FUNCTIONS, ...LEDGER]) {
    assert.match(source, new RegExp(`import \\{[^}]*\\b${name}\\b`), name);
    assert.match(readme, new RegExp(`^### \`(?:new )?${name}\\(`, "m"), name);
  }
  assert.deepEqual(Object.keys(pinfold).sort(), [...FUNCTIONS, ...LEDGER, "PinfoldError", "version"].sort(), "all that is exported");
  const { constructor, ...methods } = Object.getOwnPropertyDescriptors(pinfold.Ledger.prototype);
  assert.equal(Object.keys(methods).length, 13);
  for (const name of [...Object.keys(methods), "fromJSON"]) {
    assert.match(readme, new RegExp(`^\\|.*\\b${name}\\b.*\\|`, "m"), name);
  }
  const own = Object.keys(Object.getOwnPropertyDescriptors(pinfold.Session.prototype)).filter((name) => name !== "constructor");
  assert.equal(own.length, 10);
  for (const name of own) {
    assert.match(readme, new RegExp(`^\\|.*\\b${name}\\b.*\\|`, "m"), name);
  }
  const types = readFileSync(join(pkg, "ts/types.ts"), "utf8");
  const options = [...types.matchAll(/(?:interface|type) (?:(?:Read|Check|Count|Frozen|Reach|Convert|Pin|Ledger|Compactor|Fold|Summariser)Options|OwnBudget|WindowBudget)[^{]*\{(.*?)^\}/gms)].flatMap(([, body]) =>
    [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name));
  const codes = [...types.slice(types.indexOf("export type ErrorCode")).matchAll(/\| "([a-z0-9-]+)"/g)].map(([, code]) => code);
  assert.deepEqual([new Set(options).size, codes.length], [38, 31]);
  for (const name of [...options, ...codes]) {
    assert.match(readme, new RegExp(`^\\|.*\`${name}\``, "m"), name);
  }
});
