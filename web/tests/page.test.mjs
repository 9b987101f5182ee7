// The page as people use it: what it shows, what it does, and what it never does.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { launch, onFreshPage, paste, readSample, sample, serious, serve, slideTo } from "./page.mjs";

const axe = createRequire(import.meta.url)("axe-core");
let site;
let browser;

before(async () => {
  site = await serve();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  site?.close();
});

const chosen = (page, id) => page.locator(`#${id} option:checked`).innerText();
const headline = (page) => page.locator(".headline").innerText();

const on = (name, check, options = {}) => test(name, () => onFreshPage(browser, site.address, options, check));

on("a pasted transcript is read, and its facts are shown", async (page) => {
  await paste(page, await readSample("clean"));
  const facts = (await page.locator(".facts").innerText()).replace(/\s+/g, " ");
  assert.match(facts, /entries 12/);
  assert.match(facts, /exchanges 2/);
  assert.match(facts, /tokens [\d,]+ ?estimated/);
  assert.match(facts, /violations 0/);
  assert.match(await chosen(page, "read-as"), /^Anthropic Messages \(detected, 100 %\)$/);
  assert.match(await page.locator(".settings").innerText(), /judged by\s+Anthropic/);
  assert.equal(await page.locator(".row").count(), 13);
});

on("text that is typed is read with a button, and a format can be told", async (page) => {
  await page.locator("#transcript").fill('[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]');
  await page.getByRole("button", { name: "Read it" }).click();
  await page.locator(".desk").waitFor();
  assert.equal(await chosen(page, "read-as"), "OpenAI Chat (a guess)");
  await page.getByLabel("read as").selectOption("anthropic");
  await page.locator(".settings", { hasText: "as told" }).waitFor();
  assert.match(await page.locator(".settings").innerText(), /judged by\s+Anthropic/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "read-as");
  await page.getByLabel("read as").selectOption("");
  await page.locator("#judged-by").waitFor();
  assert.equal(await chosen(page, "read-as"), "OpenAI Chat (a guess)");
});

on("a format that does not fit says so, and leaves what is open as it is", async (page) => {
  await sample(page, "broken");
  await page.getByLabel("read as").selectOption("codex");
  assert.match(await page.getByRole("alert").innerText(), /unknown-format[\s\S]*to be read as Codex rollout, but it is written as OpenAI Chat/);
  assert.match(await chosen(page, "read-as"), /^OpenAI Chat \(detected/);
  await page.getByRole("button", { name: "Back to OpenAI Chat" }).click();
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.equal(await page.locator(".row").count(), 11);
});

on("provider, model and use are told, and judge anew; the desk stays as it was", async (page) => {
  await sample(page, "broken");
  await page.getByRole("tab", { name: /Violations/ }).click();
  await page.getByRole("button", { name: "25 %" }).click();
  await page.getByLabel("judged by").selectOption("mistral");
  await page.locator(".violations-head", { hasText: "Mistral" }).waitFor();
  const list = await page.locator(".violations").innerText();
  assert.match(list, /Mistral (may )?says?:[\s\S]*Not the same number of function calls and responses/);
  assert.doesNotMatch(list, /OpenAI/);
  assert.match(await page.locator(".unit").innerText(), /25 %/);
  await page.getByLabel("judged by").selectOption("openai-chat");
  await page.locator(".violations-head", { hasText: "OpenAI Chat" }).waitFor();
  assert.match(await page.locator(".says").first().innerText(), /^OpenAI Chat says:\s*Invalid parameter/);

  await paste(page, JSON.stringify({ model: "claude-opus-4-6", system: "x", messages: [{ role: "user", content: "a" }, { role: "assistant", content: "b" }] }));
  const violations = page.locator(".fact-link").first();
  assert.equal(await violations.innerText(), "0");
  await page.getByRole("button", { name: "to be sent" }).click();
  await page.locator(".fact-link.bad").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "mode-request");
  assert.equal(await chosen(page, "model"), "claude-opus-4-6 (Claude, no prefill)");
  await page.locator("#model").selectOption({ label: "as: Claude, prefill allowed" });
  await page.locator(".fact-link.bad").waitFor({ state: "detached" });
  assert.equal(await violations.innerText(), "0");
});

on("a broken transcript is repaired by keyboard, used, saved, and given back", async (page) => {
  const original = JSON.parse(await readSample("broken"));
  await sample(page, "broken");
  await page.getByRole("tab", { name: /Violations/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Repair 4 faults" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("#repair-title:focus").waitFor();
  const report = await page.locator(".repair").innerText();
  assert.match(report, /violations before\s+4 errors\s+violations after\s+none/);
  assert.match(report, /result added[\s\S]*unanswered-call[\s\S]*call_s6Vd/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
  assert.equal(download.suggestedFilename(), "broken.repaired.json");
  const mended = JSON.parse(await readFile(await download.path(), "utf8"));
  assert.deepEqual(mended.messages.at(-1), original.messages.at(-1));
  assert.deepEqual(mended.tools, original.tools);
  await page.locator(".changes .where").first().click();
  assert.ok(await page.locator(".row.selected").count());
  await page.getByRole("button", { name: "Use the repaired transcript" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".top .made", { hasText: "repaired" }).waitFor();
  await page.locator("#tab-Violations:focus").waitFor();
  assert.match(await page.locator(".panel").innerText(), /repaired[\s\S]*No violations/);
  assert.match(await page.locator(".facts").innerText(), /violations\s+0/);
  await page.getByRole("tab", { name: "Fold" }).click();
  await page.getByRole("button", { name: "100 %" }).click();
  await page.locator(".panel", { hasText: "nothing to export" }).waitFor();
  await page.locator(".top").getByRole("button", { name: "Back to the original" }).click();
  await page.locator(".repair").waitFor();
  assert.match(await page.locator(".facts").innerText(), /violations\s+4/);
  assert.equal(await page.locator(".top .made").count(), 0);
  await page.getByRole("button", { name: "← Violations" }).click();
  assert.equal(await page.locator(".violation").count(), 4);
});

on("what only a person can mend is said to be so", async (page) => {
  const call = { type: "tool_use", id: "toolu_1", name: "look", input: {} };
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "seen" };
  const messages = [{ role: "user", content: "Look." }, { role: "assistant", content: [call] }, { role: "user", content: [result] }];
  await paste(page, JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 1, system: "x", messages }));
  await page.getByRole("tab", { name: /Violations/ }).click();
  await page.getByRole("button", { name: "Repair 1 fault" }).click();
  assert.match(await page.locator(".repair").innerText(), /Nothing can be mended without a person[\s\S]*Left for a person[\s\S]*no-tools/);
  assert.equal(await page.getByRole("button", { name: "Use the repaired transcript" }).count(), 0);
});

on("the slider changes the decision by keyboard and by pointer", async (page) => {
  await sample(page, "loop");
  assert.match(await headline(page), /^Fold at boundary \d+/);
  const slider = page.locator("#budget");
  const first = await headline(page);
  await slider.focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press("PageDown");
  assert.notEqual(await headline(page), first);
  await page.keyboard.press("End");
  assert.match(await headline(page), /^Fits/);
  await page.keyboard.press("Home");
  assert.match(await headline(page), /^Stuck/);
  assert.match(await slider.getAttribute("aria-valuetext"), /tokens/);
  const box = await slider.boundingBox();
  await page.mouse.move(box.x + 9, box.y + box.height / 2);
  await page.mouse.down();
  const seen = new Set();
  for (let step = 1; step <= 20; step++) {
    await page.mouse.move(box.x + 9 + ((box.width - 18) * step) / 20, box.y + box.height / 2);
    seen.add(await headline(page));
  }
  await page.mouse.up();
  assert.ok(seen.size > 5, `only ${[...seen]}`);
  assert.match(await headline(page), /^Fits/);
  assert.match(await page.locator('.verdict [role="status"]').textContent(), /^Fits\./);
});

on("a budget can be written, and shares can be chosen", async (page) => {
  await sample(page, "loop");
  const field = page.getByLabel("Budget in tokens");
  await field.fill("12k");
  await field.press("Enter");
  assert.equal(await field.inputValue(), "12,000");
  await page.getByRole("button", { name: "25 %" }).click();
  assert.match(await page.locator(".unit").innerText(), /25 %/);
});

on("a pending call defers when the policy asks for quiet, and the floor is itemised when stuck", async (page) => {
  await sample(page, "loop");
  await page.getByLabel("wait for pending calls").check();
  assert.match(await headline(page), /^Defer/);
  assert.match(await page.locator(".waiting").innerText(), /pending-call[\s\S]*toolu_last_check[\s\S]*Legal cut \d+/);
  await page.locator(".waiting .link").first().click();
  assert.match(await page.locator(".detail h2").innerText(), /Boundary \d+/);
  await slideTo(page, 1);
  assert.match(await page.locator(".floor").first().innerText(), /live tail/);
});

on("where the fold would wait, results may be cut down instead", async (page) => {
  await sample(page, "loop");
  await slideTo(page, 900);
  await page.getByLabel("wait for pending calls").check();
  assert.match(await headline(page), /^Defer/);
  await page.getByLabel("may trim results").check();
  await page.locator(".headline", { hasText: "Trim in place" }).waitFor();
  assert.match(await page.locator(".sentence").innerText(), /largest results cut down; nothing is folded/);
  assert.match(await page.locator(".verdict .numbers").innerText(), /trimmed\s+\d+ entr(y|ies), −[\d,]+/);
  await page.getByRole("tab", { name: "Fold" }).click();
  assert.match(await page.locator(".panel").innerText(), /Every law holds/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /Download/ }).click()]);
  const saved = await readFile(await download.path(), "utf8");
  assert.match(saved, /\[… \d+ tokens cut\]/);
  assert.doesNotMatch(saved, /Pinfold note/);
});

on("an illegal boundary says why, in its name and in its tooltip", async (page) => {
  await paste(page, await readSample("clean"));
  const mark = page.locator("#boundary-2");
  assert.equal(
    await mark.getAttribute("aria-label"),
    "Boundary 2, illegal: severs-pair toolu_01A7, toolu_01B2, toolu_01C9",
  );
  await mark.focus();
  const tooltip = page.getByRole("tooltip");
  assert.match(await tooltip.innerText(), /illegal[\s\S]*severs-pair[\s\S]*toolu_01A7/);
  await page.keyboard.press("Escape");
  assert.equal(await tooltip.count(), 0);
  await page.locator("#boundary-3").hover();
  assert.match(await tooltip.innerText(), /legal[\s\S]*tokens of entries are kept/);
  await page.locator("#boundary-3").click();
  assert.match(await page.locator(".detail").innerText(), /Boundary 3\s*legal/);
});

on("the fold can be read in place, copied, saved, looked at, and is one", async (page) => {
  await sample(page, "loop");
  const original = JSON.parse(await readSample("loop"));
  await page.getByRole("tab", { name: "Fold" }).click();
  assert.match(await page.locator(".proof").innerText(), /Every law holds/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator(".detail-tools").getByRole("button", { name: "Copy" }).click();
  await page.getByText("Copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "loop.folded.json");
  const saved = await readFile(await download.path(), "utf8");
  assert.equal(saved, copied);
  const folded = JSON.parse(saved);
  assert.match(folded.messages[0].content, /^\[Pinfold note, version 1\]/);
  assert.match(folded.messages[0].content, /Never touch \/migrations/);
  assert.deepEqual(folded.messages.slice(1), original.messages.slice(-(folded.messages.length - 1)));
  assert.deepEqual(folded.tools, original.tools);
  await page.getByRole("button", { name: "Go on with the folded transcript" }).click();
  await page.locator(".top .made", { hasText: "folded" }).waitFor();
  assert.match(await page.locator(".facts").innerText(), /violations\s+0/);
  await page.getByRole("button", { name: "← Unfolded" }).click();
  await page.locator(".facts", { hasText: "128" }).waitFor();
});

on("the note stands at the cut and can be read there", async (page) => {
  await sample(page, "loop");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.locator(".note-head").click();
  await page.locator(".note-text", { hasText: "Never touch /migrations" }).waitFor();
  const [note, cut] = await page.evaluate(() => {
    const note = document.querySelector(".note-block");
    return [note.previousElementSibling.querySelector(".row-open").id, note.nextElementSibling.querySelector(".row-open").id];
  });
  assert.equal(Number(cut.split("-")[1]), Number(note.split("-")[1]) + 1);
  assert.ok(await page.locator(".row.folded").count());
  assert.equal(await page.evaluate(() => scrollY + document.body.scrollTop), 0);
});

on("violations lead to their rows, by click and by key", async (page) => {
  await sample(page, "broken");
  await page.locator(".fact-link.bad").click();
  const list = await page.locator(".violations").innerText();
  assert.match(list, /orphan-result[\s\S]*call_k2Xw/);
  assert.match(list, /unanswered-call/);
  assert.match(list, /must be a response to a preceeding message/);
  await page.locator(".violation").first().click();
  assert.equal(await page.locator(".row.selected .row-open").getAttribute("id"), "entry-1");
  await page.keyboard.press("n");
  assert.equal(await page.locator(".row.selected .row-open").getAttribute("id"), "entry-4");
  await page.keyboard.press("p");
  assert.equal(await page.locator(".row.selected .row-open").getAttribute("id"), "entry-1");
});

on("keys walk entries and legal cuts, find text that is not drawn, and open the help", async (page) => {
  await sample(page, "loop");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.locator("#entry-1:focus").waitFor();
  await page.keyboard.press("]");
  await page.locator("#boundary-3:focus").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator("#boundary-4:focus").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("list_rounding");
  assert.match(await page.locator(".found").innerText(), /\d+ found/);
  await page.keyboard.press("Enter");
  await page.locator(".row.selected.hit").waitFor();
  assert.match(await page.locator(".found").innerText(), /1 of \d+/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys and signs" }).waitFor();
});

on("call and result lead to each other", async (page) => {
  await sample(page, "clean");
  await page.locator(".row", { has: page.locator("#entry-1") }).locator(".chip").first().click();
  assert.equal(await page.locator(".row.selected .row-open").getAttribute("id"), "entry-2");
  await page.locator(".detail .chip").first().click();
  assert.equal(await page.locator(".row.selected .row-open").getAttribute("id"), "entry-1");
});

on("broken inputs say what is wrong and leave a way out", async (page) => {
  await paste(page, "Dear diary, today the agent broke.");
  assert.match(await page.getByRole("alert").innerText(), /unknown-format[\s\S]*Read it as/);
  await paste(page, '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"us');
  await page.locator(".desk").waitFor();
  await page.getByRole("tab", { name: /Reader/ }).click();
  assert.match(await page.locator(".findings").innerText(), /line 1/);
  assert.equal(await page.getByRole("alert").count(), 0);
});

on("a newer drop beats an older, slower read", async (page) => {
  const [first, second] = [await readSample("loop"), await readSample("clean")];
  await page.evaluate(
    ([first, second]) => {
      const drop = (file) => {
        const data = new DataTransfer();
        data.items.add(file);
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      };
      const read = Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer = async function () {
        if (this.name === "slow.json") await new Promise((later) => setTimeout(later, 400));
        return read.call(this);
      };
      drop(new File([first], "slow.json"));
      drop(new File([second], "quick.json"));
    },
    [first, second],
  );
  await page.locator(".source", { hasText: "quick.json" }).waitFor();
  await page.waitForTimeout(600);
  assert.equal(await page.locator(".source").innerText(), "quick.json");
  assert.equal(await page.locator(".reading.on").count(), 0);
});

on("one of several transcripts can be chosen", async (page) => {
  const line = (word) => JSON.stringify({ messages: [{ role: "user", content: word }, { role: "assistant", content: "ok" }] });
  await paste(page, `${line("first words")}\n${line("second words")}\n`);
  await page.getByRole("combobox", { name: /^transcript/ }).selectOption("0");
  await page.locator(".preview", { hasText: "first words" }).waitFor();
});

test("hostile text stays text, and no request leaves the page", async () => {
  const hostile = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(2)</script>",
    "</textarea></li><svg onload=alert(3)>",
    "javascript:alert(4)",
    "https://evil.example/pixel.png",
    "\u202Eevil\u2066\u200B",
  ].join(" ");
  const transcript = JSON.stringify({
    model: hostile,
    system: hostile,
    tools: [{ name: hostile, description: hostile, input_schema: { type: "object" } }],
    messages: [
      { role: "user", content: hostile },
      { role: "assistant", content: [{ type: "text", text: hostile }, { type: "tool_use", id: hostile, name: hostile, input: { [hostile]: hostile } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: hostile, content: hostile }, { type: "image", source: { type: "url", url: "https://evil.example/x.png" } }] },
      { role: "assistant", content: hostile },
      { role: hostile, content: hostile },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `${hostile} orphan`, content: hostile }, { type: hostile, [hostile]: hostile }] },
    ],
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const [early, late, dialogs] = [[], [], []];
  let loaded = false;
  page.on("request", (request) => request.url().startsWith("http") && (loaded ? late : early).push(request.url()));
  page.on("dialog", (dialog) => dialogs.push(dialog.message()) && dialog.dismiss());
  await page.goto(site.address);
  await page.locator("meta[http-equiv]").nth(1).waitFor({ state: "attached" });
  loaded = true;
  const elements = () =>
    page.evaluate(() => document.querySelectorAll("body script, body img, body iframe, body object, body embed, body a, [onerror], [onload]").length);
  const before = await elements();
  await paste(page, transcript);
  for (const entry of [0, 1, 2, 3, 5]) {
    await page.locator(`#entry-${entry}`).click();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.locator(`#boundary-${entry}`).hover();
  }
  for (const name of [/Violations/, /Reader/, /Fold/]) await page.getByRole("tab", { name }).click();
  await page.locator("#entry-1").click();
  const details = await page.locator(".detail").innerText();
  assert.ok(details.includes("<img src=x onerror=alert(1)>"), "it is shown as it is");
  assert.ok(details.includes("⟨U+202E⟩") && !details.includes("\u202E"), "direction marks are written out");
  await paste(page, hostile);
  await page.getByRole("alert").waitFor();
  assert.equal(await elements(), before);
  assert.deepEqual(dialogs, []);
  const refused = await page.evaluate(() => fetch("./index.html").then(() => "sent", () => "refused"));
  assert.equal(refused, "refused");
  assert.deepEqual(late, []);
  assert.ok(early.length > 3 && early.every((url) => url.startsWith(site.address)), `${early}`);
  await context.close();
});

for (const colorScheme of ["light", "dark"]) {
  on(
    `no serious accessibility violation in the ${colorScheme} theme`,
    async (page) => {
      await page.evaluate(axe.source);
      const check = async (where) => assert.deepEqual(await serious(page), [], where);
      await check("landing");
      await sample(page, "broken");
      await page.getByRole("tab", { name: /Violations/ }).click();
      await check("violations");
      await page.getByRole("button", { name: /^Repair/ }).click();
      await page.locator(".repair").waitFor();
      await check("repair");
      await page.getByRole("button", { name: "Use the repaired transcript" }).click();
      await page.locator(".top .made").waitFor();
      await check("repaired");
      await page.getByLabel("read as").selectOption("codex");
      await page.locator(".failure summary").click();
      await check("failure");
      await page.getByRole("button", { name: "Open…" }).click();
      await check("opening");
      await page.getByRole("dialog").locator(".samples button", { hasText: "loop" }).click();
      await page.locator(".facts", { hasText: "128" }).waitFor();
      await page.locator("#entry-3").click();
      await page.locator("#boundary-4").focus();
      await check("details and tooltip");
      await page.getByRole("button", { name: "Show", exact: true }).click();
      await page.locator(".note-head").click();
      await page.getByRole("tab", { name: "Fold" }).click();
      await page.locator(".proof").waitFor();
      await check("note and fold");
      await page.getByLabel("wait for pending calls").check();
      await check("defer");
      await slideTo(page, 1);
      await check("stuck");
      await page.keyboard.press("?");
      await check("help");
    },
    { colorScheme, reducedMotion: "reduce" },
  );
}

on("the theme is remembered", async (page) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByRole("button", { name: "Theme: Dark" }).click();
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  await page.locator(".intake").waitFor();
  assert.equal(await paper(), dark);
  await page.getByRole("button", { name: "Theme: As the system" }).click();
  assert.equal(await paper(), light);
});

on("100,000 entries: only the rows in sight are drawn, and the slider keeps up", async (page) => {
  await page.evaluate(() => {
    const messages = [];
    for (let round = 0; messages.length < 100_000; round++) {
      if (round % 20 === 0) messages.push({ role: "user", content: `Prompt ${round}: look at file ${round} and mend it.` });
      const id = `toolu_${round}`;
      messages.push({ role: "assistant", content: [{ type: "text", text: `Round ${round}.` }, { type: "tool_use", id, name: "read_file", input: { path: `src/file_${round}.rs` } }] });
      messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: `line one of ${round}\n${"x ".repeat(round % 50)}` }] });
    }
    const file = new File([JSON.stringify({ model: "claude-sonnet-4-5", messages: messages.slice(0, 100_000) })], "large.json");
    const data = new DataTransfer();
    data.items.add(file);
    globalThis.started = performance.now();
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.locator(".reading.on").waitFor({ timeout: 20_000 });
  await page.locator(".facts", { hasText: "100,000" }).waitFor({ timeout: 60_000 });
  const opened = await page.evaluate(() => performance.now() - globalThis.started);
  const rows = () => page.locator(".row").count();
  assert.ok((await rows()) < 80, `${await rows()} rows are drawn`);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.locator(".note-block").waitFor();
  assert.ok((await rows()) < 80);
  assert.match(await page.locator(".row").first().getAttribute("aria-setsize"), /100001/);

  // What a step of a drag costs the page: its own work and the layout that follows, without the wait for the screen.
  const times = await page.evaluate(async () => {
    const slider = document.querySelector("#budget");
    const list = document.querySelector(".list");
    const times = [];
    for (let step = 0; step < 120; step++) {
      await new Promise((next) => requestAnimationFrame(next));
      const start = performance.now();
      slider.value = String(450 + ((step * 7) % 300));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((done) => setTimeout(done));
      void list.getBoundingClientRect().height;
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
  });
  const at = (share) => times[Math.floor(times.length * share)].toFixed(1);
  console.log(`# 100,000 entries: opened in ${opened.toFixed(0)} ms; a step of the slider: median ${at(0.5)} ms, p95 ${at(0.95)} ms`);
  await page.mouse.move(400, 700);
  for (let turn = 0; turn < 5; turn++) await page.mouse.wheel(0, 4000);
  await page.waitForTimeout(100);
  assert.ok((await rows()) > 10 && (await rows()) < 80);
});

on(
  "a telephone shows the list, and the details as a sheet",
  async (page) => {
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth);
    await page.locator(".formats summary").click();
    assert.ok(await fits());
    await sample(page, "broken");
    await page.locator(".settings-open").click();
    await page.getByLabel("judged by").selectOption("groq");
    await page.locator(".settings-told", { hasText: "Groq" }).waitFor();
    assert.ok(await fits());
    await page.locator(".settings-open").click();
    await page.locator(".fact-link.bad").click();
    await page.getByRole("button", { name: /^Repair/ }).click();
    await page.locator(".repair").waitFor();
    assert.ok(await fits());
    await page.getByRole("button", { name: "Use the repaired transcript" }).click();
    await page.locator(".top .made").waitFor();
    assert.ok(await fits());
    await page.getByRole("button", { name: "Close the panel" }).click();
    await page.getByRole("button", { name: "Open…" }).click();
    await page.getByRole("dialog").locator(".samples button", { hasText: "loop" }).click();
    await page.locator(".facts", { hasText: "128" }).waitFor();
    assert.ok(await fits());
    await page.locator("#entry-1").click();
    const panel = await page.locator(".panel").boundingBox();
    assert.ok(panel.height > 200 && panel.y + panel.height <= 845);
    await page.getByRole("button", { name: "Close the panel" }).click();
    assert.ok(await page.locator(".panel").isHidden());
    assert.ok((await page.locator(".list-frame").boundingBox()).height > 250);
  },
  { viewport: { width: 390, height: 844 } },
);
