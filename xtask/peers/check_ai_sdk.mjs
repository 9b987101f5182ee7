// Sends every transcript through the AI SDK as far as a model that answers at once: what the SDK checks, it checks here.
import { readFileSync } from "node:fs";

import { generateText } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = new MockLanguageModelV3({
  doGenerate: async () => ({ content: [{ type: "text", text: "ok" }], finishReason: { unified: "stop", raw: "stop" }, usage, warnings: [] }),
});

let objections = 0;
const lines = readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean);
for (const line of lines) {
  const { name, messages } = JSON.parse(line);
  try {
    await generateText({ model, messages, maxRetries: 0, allowSystemInMessages: true });
  } catch (error) {
    objections += 1;
    console.log(`${name}: ${error.name}: ${String(error.message).slice(0, 300)}`);
  }
}
console.log(`ai: ${lines.length} transcripts, ${objections} objections`);
process.exit(objections === 0 ? 0 : 1);
