// Tests the package as people get it: packed, installed without a network, imported in both module kinds.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const pkg = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
const temp = mkdtempSync(join(tmpdir(), "pinfold-packed-"));
let tarball;

before(() => {
  const [packed] = JSON.parse(npm(["pack", "--json", "--pack-destination", temp], pkg));
  tarball = join(temp, packed.filename);
});
after(() => rmSync(temp, { recursive: true }));

for (const [kind, type, source] of [
  ["import", "module", 'import { version } from "pinfold";\nconsole.log(version());\n'],
  ["require", "commonjs", 'const { version } = require("pinfold");\nconsole.log(version());\n'],
]) {
  test(`works with ${kind}`, () => {
    const project = consumer(`run-${type}`, type);
    writeFileSync(join(project, "main.js"), source);
    assert.equal(node([join(project, "main.js")], project).trim(), version);
  });

  test(`has types for ${kind}`, () => {
    const project = consumer(`types-${type}`, type);
    // The import keyword in both: under node16 TypeScript makes a `require` of it in a CommonJS project.
    writeFileSync(join(project, "main.ts"), 'import { version } from "pinfold";\nexport const text: string = version();\n');
    const options = ["--noEmit", "--strict", "--module", "node16", "--target", "es2022", "--lib", "es2022"];
    node([require.resolve("typescript/bin/tsc"), ...options, "main.ts"], project);
  });
}

test("publint has no objection", () => node([program("publint"), "run", tarball, "--strict"], pkg));

test("types agree with the code for every resolution", () => {
  // Without the flag it asks the registry whether the types are published as a package of their own.
  node([program("@arethetypeswrong/cli", "attw"), tarball, "--no-definitely-typed"], pkg);
});

/** A project that has installed the tarball. */
function consumer(name, type) {
  const project = join(temp, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true, type }));
  npm(["install", "--offline", "--no-audit", "--no-fund", tarball], project);
  return project;
}

/** The script behind a command of an installed package. */
function program(name, command = name) {
  const manifest = join(pkg, "node_modules", name, "package.json");
  const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
  return join(dirname(manifest), typeof bin === "string" ? bin : bin[command]);
}

function npm(args, cwd) {
  // On Windows npm is a script, which only a shell can start.
  return run("npm", args, { cwd, shell: process.platform === "win32" });
}

function node(args, cwd) {
  return run(process.execPath, args, { cwd });
}

/** Runs a program; if it fails, the error holds what it printed. */
function run(command, args, options) {
  try {
    return execFileSync(command, args, { ...options, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    throw new Error(`${command} ${args.join(" ")}\n${error.stdout}${error.stderr}`);
  }
}
