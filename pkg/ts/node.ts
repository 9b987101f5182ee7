// The entry for Node: reads the module from the disk before anything can be called, so that everything is synchronous.
import { readFileSync } from "node:fs";

import { initSync } from "../wasm/pinfold.js";

initSync({ module: readFileSync(new URL("./pinfold_bg.wasm", import.meta.url)) });

export * from "./index.js";
