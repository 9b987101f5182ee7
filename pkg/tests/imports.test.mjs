// Nothing but the glue may stand between the module and the machine: an import from "env" would be native code that
// slipped in.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

test("the wasm imports only its own glue", () => {
  const bytes = readFileSync(new URL("../dist/pinfold_bg.wasm", import.meta.url));
  const modules = new Set(WebAssembly.Module.imports(new WebAssembly.Module(bytes)).map(({ module }) => module));
  assert.deepEqual([...modules], ["./pinfold_bg.js"]);
});
