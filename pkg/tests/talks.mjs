// Transcripts of tool-using agents as long as a test wants them, in each format that the package reads as a value.

const LISTING = "total 48 drwxr-xr-x 2 src, -rw-r--r-- 1 Cargo.toml, -rw-r--r-- 1 README.md; nothing else was found here. ";

/** A talk of `rounds` calls with their results, a prompt before every fifth, that the model has answered. */
export function anthropic(rounds) {
  return talk(rounds, {
    prompt: (text) => [{ role: "user", content: text }],
    round: (id, command) => [
      {
        role: "assistant",
        content: [
          { type: "text", text: `Looking (${id}).` },
          { type: "tool_use", id, name: "run", input: { command } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: LISTING.repeat(4) }] },
    ],
    answer: (text) => [{ role: "assistant", content: [{ type: "text", text }] }],
  });
}

export function chat(rounds) {
  return talk(rounds, {
    start: [{ role: "system", content: "Be brief." }],
    prompt: (text) => [{ role: "user", content: text }],
    round: (id, command) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name: "run", arguments: JSON.stringify({ command }) } }],
      },
      { role: "tool", tool_call_id: id, content: LISTING.repeat(4) },
    ],
    answer: (text) => [{ role: "assistant", content: text }],
  });
}

export function responses(rounds) {
  return talk(rounds, {
    prompt: (text) => [{ type: "message", role: "user", content: [{ type: "input_text", text }] }],
    round: (id, command) => [
      { type: "function_call", call_id: id, name: "run", arguments: JSON.stringify({ command }) },
      { type: "function_call_output", call_id: id, output: LISTING.repeat(4) },
    ],
    answer: (text) => [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }],
  });
}

/** The lines of a Claude Code session log, as objects. */
export function claudeCode(rounds) {
  return anthropic(rounds).map((message, index) => ({
    type: message.role,
    uuid: `u${index}`,
    parentUuid: index === 0 ? null : `u${index - 1}`,
    sessionId: "s",
    message: message.role === "user" ? message : { id: `msg_${index}`, model: "claude", ...message },
  }));
}

function talk(rounds, { start = [], prompt, round, answer }) {
  const entries = [...start];
  for (let index = 0; index < rounds; index += 1) {
    if (index % 5 === 0) {
      entries.push(...(index === 0 ? [] : answer(`Part ${index / 5} is done.`)), ...prompt(`Please do part ${index / 5 + 1}.`));
    }
    entries.push(...round(`call_${index}`, `ls -la part${index}`));
  }
  return [...entries, ...answer("All done.")];
}
