// The declarations, as tsc sees them for `import` and for `require`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const pkg = fileURLToPath(new URL("..", import.meta.url));
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const compilerOptions = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  module: "node16",
  target: "es2022",
  lib: ["es2022"],
  types: [],
};

for (const type of ["module", "commonjs"]) {
  test(`the types hold in a project of type ${type}`, () => {
    const project = mkdtempSync(join(tmpdir(), "pinfold-types-"));
    try {
      writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type }));
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["types.ts"] }));
      mkdirSync(join(project, "node_modules"));
      symlinkSync(pkg, join(project, "node_modules/pinfold"), "junction");
      copyFileSync(join(pkg, "tests/types.test-d.ts"), join(project, "types.ts"));
      const { status, stdout } = run([tsc], project);
      assert.equal(status, 0, stdout);
    } finally {
      rmSync(project, { recursive: true });
    }
  });
}

function run(args, cwd) {
  try {
    return { status: 0, stdout: execFileSync(process.execPath, args, { cwd, encoding: "utf8" }) };
  } catch ({ status, stdout }) {
    return { status, stdout };
  }
}
