// Makes pkg/dist, all that the npm package carries, from pkg/ts and pkg/wasm. `cargo xtask build` calls it.
//
// Each entry is one bundle for `import` and one for `require`, beside the wasm that both read. The declarations exist twice
// too: TypeScript takes a `.d.ts` for whatever module kind the package has, which would be wrong for one of the two.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const dist = join(here, "dist");

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
copyFileSync(join(here, "wasm/pinfold_bg.wasm"), join(dist, "pinfold_bg.wasm"));
// The licences ask to go where the code goes.
for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) {
  copyFileSync(join(here, "..", licence), join(dist, licence));
}
await bundle("index", "node.ts");
declare();
report();

/** Bundles one source into dist/NAME.mjs and dist/NAME.cjs. */
async function bundle(name, source) {
  const common = {
    entryPoints: [join(here, "ts", source)],
    bundle: true,
    platform: "node",
    target: "es2022",
    logLevel: "warning",
  };
  await build({ ...common, format: "esm", outfile: join(dist, `${name}.mjs`) });
  await build({
    ...common,
    format: "cjs",
    outfile: join(dist, `${name}.cjs`),
    // A CommonJS module has no `import.meta`.
    define: { "import.meta.url": "moduleUrl" },
    banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
  });
}

/** Writes the declarations of every module of pkg/ts as .d.mts and .d.cts. */
function declare() {
  const types = mkdtempSync(join(tmpdir(), "pinfold-types-"));
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [tsc, "--project", here, "--outDir", types], { stdio: "inherit" });
    for (const file of readdirSync(types, { recursive: true }).filter((file) => file.endsWith(".d.ts"))) {
      const text = readFileSync(join(types, file), "utf8");
      if (/["'][./]+\/wasm\//.test(text)) {
        throw new Error(`ts/${file.replace(".d.ts", ".ts")}: a public type comes from pkg/wasm, which is not published. Declare it in pkg/ts.`);
      }
      for (const kind of ["m", "c"]) {
        const target = join(dist, file.replace(/\.d\.ts$/, `.d.${kind}ts`));
        mkdirSync(join(target, ".."), { recursive: true });
        writeFileSync(target, text.replace(/(["'])(\.{1,2}\/[^"']+)\.js\1/g, `$1$2.${kind}js$1`));
      }
    }
  } finally {
    rmSync(types, { recursive: true });
  }
  // Users import the entry for their platform, and its types are those of the neutral index.
  for (const kind of ["m", "c"]) {
    rmSync(join(dist, `node.d.${kind}ts`));
  }
}

function report() {
  for (const file of readdirSync(dist).filter((file) => /\.(wasm|mjs|cjs)$/.test(file)).sort()) {
    const path = join(dist, file);
    const compressed = brotliCompressSync(readFileSync(path)).length;
    console.log(`  ok pkg/dist/${file}: ${statSync(path).size} bytes, ${compressed} with brotli`);
  }
}
