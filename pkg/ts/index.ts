import { version as versionOfWasm } from "../wasm/pinfold.js";

/** The version of Pinfold. */
export function version(): string {
  return versionOfWasm();
}
