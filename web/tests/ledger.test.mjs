// The ledger on the page: what is pinned, how it ends, and that no fold loses a word of it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { launch, onFreshPage, paste, readSample, sample, select, serious, serve, slideTo } from "./page.mjs";

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

const on = (name, check, options = {}) => test(name, () => onFreshPage(browser, site.address, options, check));

/** Opens the sample that was written for the ledger, with the ledger's panel. */
async function rules(page) {
  await sample(page, "rules");
  await page.getByRole("tab", { name: /Ledger/ }).click();
  await page.locator(".ledger").waitFor();
}

const region = (page, name) => page.getByRole("region", { name });
const candidate = (page, words) => page.locator("li.candidate", { hasText: words });
const pin = (page, words) => page.locator("li.pin", { hasText: words });
const said = (page) => page.locator(".said").innerText();
const waiting = async (page) => Number(await region(page, "Candidates").locator("h3 .count").innerText());
const fact = (page) => page.locator(".facts").getByRole("button", { name: /pins?, .* tokens/ }).innerText();

/** Folds at a step of the slider, saves the result, and goes on with it. */
async function fold(page, step) {
  const folds = await page.locator(".top .made").count();
  await slideTo(page, step);
  await page.getByRole("tab", { name: "Fold" }).click();
  const folded = JSON.parse(await save(page, "Download"));
  await page.getByRole("button", { name: "Go on with the folded transcript" }).click();
  await page.locator(".top .made").nth(folds).waitFor();
  return folded;
}

/** What a button saves. */
async function save(page, button, name) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, exact: true }).click(),
  ]);
  if (name) assert.equal(download.suggestedFilename(), name);
  return readFile(await download.path(), "utf8");
}

/** The text of the open transcript's first entry. */
async function firstEntry(page) {
  await page.locator("#entry-0").click();
  return page.locator('[data-home="entry-0"]').innerText();
}

on("candidates are decided by key, and a step can be taken back", async (page) => {
  await rules(page);
  const count = await waiting(page);
  assert.ok(count > 4, `${count} candidates`);
  await page.locator("li.candidate .item").first().focus();
  await page.keyboard.press("d");
  await page.locator(".said", { hasText: "Dismissed" }).waitFor();
  assert.equal(await waiting(page), count - 1);
  await page.locator("li.candidate .item:focus").waitFor();
  await candidate(page, "Work on the branch rates-v2.").locator(".item").focus();
  await page.keyboard.press("j");
  await candidate(page, "Ask before you install a dependency.").locator(".item:focus").waitFor();
  await page.keyboard.press("k");
  await page.keyboard.press("m");
  assert.equal(await candidate(page, "Work on the branch").getByLabel("Class of the pin").inputValue(), "commitment");
  await page.keyboard.press("a");
  await region(page, "Commitments").locator(".pin.live, .pin", { hasText: "Work on the branch rates-v2." }).waitFor();
  assert.match(await said(page), /Pinned as a commitment\./);
  assert.match(await pin(page, "Work on the branch").innerText(), /live\s+turn 1\s+\d+ tokens\s+accepted from the candidates/);
  assert.equal(await waiting(page), count - 2);
  await candidate(page, "Ask before you install a dependency.").locator(".item:focus").waitFor();
  await page.keyboard.press("u");
  await page.keyboard.press("u");
  assert.equal(await waiting(page), count);
  assert.equal(await region(page, "Commitments").count(), 0);
  assert.ok(await page.getByRole("button", { name: "Undo" }).last().isDisabled());
});

on("a plain prohibition is pinned by itself and can be dismissed, and taken up again", async (page) => {
  await rules(page);
  await pin(page, "Do not push.").locator(".item").focus();
  await page.keyboard.press("d");
  await region(page, "Constraints").locator(".pin.retired", { hasText: "Do not push." }).waitFor();
  assert.match(await pin(page, "Do not push.").innerText(), /retired[\s\S]*dismissed: “dismissed as a guess that was wrong”/);
  await page.locator(".dismissed summary").click();
  await page.getByRole("button", { name: "Accept after all" }).click();
  await region(page, "Constraints").locator(".pin:not(.retired)", { hasText: "Do not push." }).waitFor();
});

on("words that are selected are pinned by key and by button, and what nobody asked for is refused", async (page) => {
  await rules(page);
  await page.locator("#entry-0").click();
  await select(page, '[data-home="entry-0"]', "then tell me your plan");
  await page.getByRole("button", { name: "Pin this" }).waitFor();
  await page.keyboard.press("p");
  await page.locator(".said", { hasText: "Pinned as a constraint." }).waitFor();
  assert.equal(await page.locator('[data-home="entry-0"] .pinned', { hasText: "then tell me your plan" }).innerText(), "then tell me your plan");
  assert.equal(await page.locator(".chosen-tools").count(), 0);
  await page.locator("#entry-18").click();
  await select(page, '[data-home="entry-18"]', "src/order.test.ts");
  await page.getByRole("button", { name: "Pin this" }).click();
  assert.match(await said(page), /Part \d+ of entry 18 is no prompt and no system text/);
  await page.locator("#entry-10").click();
  await select(page, '[data-home="entry-10"]', "whether refunds before 2026 use the old rates");
  await page.getByRole("button", { name: "as question" }).click();
  await page.getByRole("tab", { name: /Ledger/ }).click();
  assert.match(await region(page, "Open questions").innerText(), /whether refunds before 2026 use the old rates[\s\S]*turn 2[\s\S]*selected by hand/);
});

on("invisible characters and emoji are pinned as they stand", async (page) => {
  const words = "Never\u202E say \u{1F469}\u200D\u{1F4BB} \u2066twice\u2069";
  await paste(page, JSON.stringify([{ role: "user", content: `Hello. ${words}. Thanks \u200B.` }, { role: "assistant", content: "ok" }]));
  await page.locator("#entry-0").click();
  await select(page, '[data-home="entry-0"]', "Never⟨U+202E⟩ say \u{1F469}\u200D\u{1F4BB} ⟨U+2066⟩twice⟨U+2069⟩");
  await page.locator(".chosen-tools").waitFor();
  await page.keyboard.press("p");
  await page.getByRole("tab", { name: /Ledger/ }).click();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator(".ledger-head").getByRole("button", { name: "Copy" }).click();
  await page.getByText("Copied").waitFor();
  const { pins } = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  assert.ok(pins.some(({ text }) => text === words), JSON.stringify(pins));
});

on("a pin leads to its words, and Escape comes back", async (page) => {
  await rules(page);
  const item = pin(page, "packages/legacy").locator(".item");
  await item.focus();
  await page.keyboard.press("Enter");
  await page.locator(".detail .aimed:focus").waitFor();
  const words = "Never edit anything under packages/legacy: it is frozen until the audit.";
  assert.equal(await page.locator(".detail .aimed").innerText(), words);
  assert.equal(await page.locator(".row.selected .row-open").getAttribute("id"), "entry-0");
  assert.ok((await page.locator(".row.selected .aimed").innerText()).startsWith("Never edit anything"));
  await page.keyboard.press("Escape");
  await pin(page, "packages/legacy").locator(".item:focus").waitFor();
  await pin(page, "environment variable").locator(".item").click();
  assert.match(await page.locator(".detail").innerText(), /System text[\s\S]*no fold takes it away/);
  assert.equal(await page.locator(".detail .aimed").innerText(), "Never print the value of an environment variable.");
  await page.getByRole("button", { name: "← Ledger" }).click();
  await pin(page, "Command running in background").locator(".item").click();
  assert.equal(await page.locator(".detail .aimed").innerText(), "Command running in background with ID: preview_1");
});

on("what is pinned by key and by selection outlives three folds, word for word, before the last turns", async (page) => {
  await rules(page);
  await candidate(page, "Work on the branch rates-v2.").locator(".item").focus();
  await page.keyboard.press("a");
  await candidate(page, "From now on keep prices").locator(".item").focus();
  await page.keyboard.press("a");
  await page.locator("#entry-10").click();
  await select(page, '[data-home="entry-10"]', "remind me when the tests pass");
  await page.locator(".chosen-tools").waitFor();
  await page.keyboard.press("p");
  await page.locator(".said", { hasText: "Pinned" }).waitFor();
  const pinned = [
    "Never edit anything under packages/legacy: it is frozen until the audit.",
    "Work on the branch rates-v2.",
    "remind me when the tests pass",
    "From now on keep prices as integers in cents, never as floats.",
  ];
  const facts = [];
  let folded;
  for (const step of [500, 800, 800]) {
    folded = await fold(page, step);
    const note = await firstEntry(page);
    const [, ledger] = note.split("[Pinfold ledger, version 1]");
    const missing = pinned.filter((words) => !ledger?.includes(`> ${words}\n`));
    assert.deepEqual(missing, []);
    assert.ok(note.endsWith("[End of the Pinfold ledger]"), "it is the last before what is kept");
    facts.push(await page.locator(".facts").innerText());
    for (const words of pinned) assert.equal(note.split(words).length, 2, `"${words}" stands there once`);
  }
  assert.equal(await page.locator(".top .made").count(), 3);
  assert.equal(new Set(facts).size, 3, "each fold made it smaller");
  for (const words of pinned) assert.ok(folded.messages[0].content.includes(`> ${words}\n`), words);
  const original = JSON.parse(await readSample("rules"));
  assert.deepEqual(folded.messages.slice(1), original.messages.slice(1 - folded.messages.length));
  for (let back = 0; back < 3; back++) await page.getByRole("button", { name: /← Unfolded/ }).click();
  await page.locator(".facts", { hasText: "39" }).waitFor();
  await page.getByRole("tab", { name: /Ledger/ }).click();
  await pin(page, "remind me when the tests pass").waitFor();
});

on("the fold follows the ledger without reading the transcript again", async (page) => {
  await rules(page);
  const before = await fact(page);
  await page.evaluate(() => {
    globalThis.read = 0;
    const reading = document.querySelector(".reading");
    new MutationObserver(() => (globalThis.read += 1)).observe(reading, { attributes: true });
  });
  await candidate(page, "Ask before you install a dependency.").getByRole("button", { name: "Accept" }).click();
  await page.waitForFunction((before) => !document.querySelector(".facts").innerText.includes(before), before);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.locator(".note-head").click();
  await page.locator(".note-text", { hasText: "> Ask before you install a dependency." }).waitFor();
  assert.match(await page.locator(".note-head").innerText(), /Note and ledger[\s\S]*5 pins word for word/);
  await page.getByRole("tab", { name: "Fold" }).click();
  assert.match(await page.locator(".panel").innerText(), /Every law holds[\s\S]*ledger\s+5 pins, \d+ tokens/);
  assert.equal(await page.evaluate(() => globalThis.read), 0);
});

on("a constraint ends only by the words of a later prompt", async (page) => {
  await rules(page);
  const words = "packages/legacy: it is frozen";
  await pin(page, words).locator(".item").focus();
  await page.keyboard.press("r");
  await page.locator("#retire-quote:focus").waitFor();
  await page.keyboard.type("The audit is over.");
  await page.getByRole("button", { name: "Retire", exact: true }).click();
  assert.equal(await said(page).then((text) => text.split("\n")[0]), "Only a later prompt revokes this pin: quote its words exactly as they stand there.");
  assert.equal(await pin(page, words).locator(".state").innerText(), "live");
  await page.locator(".offers button", { hasText: "The audit is done" }).click();
  assert.equal(await page.locator("#retire-quote").inputValue(), "The audit is done: you can edit packages/legacy again.");
  await page.getByRole("button", { name: "Retire", exact: true }).click();
  await region(page, "Constraints").locator(".pin.retired", { hasText: words }).waitFor();
  assert.match(await pin(page, words).innerText(), /retired[\s\S]*revoked in turn 4: “The audit is done: you can edit packages\/legacy again\.”/);
  const mark = page.locator("#entry-0 .words.retired", { hasText: "Never edit" });
  assert.match(await mark.evaluate((it) => getComputedStyle(it).textDecorationLine), /line-through/);
  await fold(page, 500);
  const note = await firstEntry(page);
  assert.ok(!note.includes("> Never edit anything"), "what is retired is not in the ledger");
});

on("a commitment ends with a reason", async (page) => {
  await rules(page);
  await candidate(page, "Work on the branch").locator(".item").focus();
  await page.keyboard.press("m");
  await page.keyboard.press("a");
  await pin(page, "Work on the branch").getByRole("button", { name: "Retire…" }).click();
  await page.getByRole("button", { name: "Retire", exact: true }).click();
  assert.match(await said(page), /The evidence is empty/);
  await page.getByLabel("The reason").fill("The branch was merged.");
  await page.getByRole("button", { name: "Retire", exact: true }).click();
  await pin(page, "Work on the branch").locator(".evidence", { hasText: "fulfilled: “The branch was merged.”" }).waitFor();
});

on("contradictions are shown, found anew after each step, and left to a person", async (page) => {
  await rules(page);
  const shown = region(page, "Contradictions");
  assert.match(await shown.innerText(), /Never edit anything under packages\/legacy[\s\S]*turn 4\s*The audit is done: you can edit packages\/legacy again\./);
  await candidate(page, "Ask before you install a dependency.").getByRole("button", { name: "Accept" }).click();
  await shown.getByText("You may install dependencies without asking now").waitFor();
  await shown.locator(".contradiction", { hasText: "Never edit anything" }).getByRole("button", { name: "Show the words" }).click();
  assert.equal(await page.locator(".detail .aimed").innerText(), "The audit is done: you can edit packages/legacy again.");
  await page.keyboard.press("Escape");
  await shown.locator(".contradiction", { hasText: "Never edit anything" }).getByRole("button", { name: "Retire the pin…" }).click();
  await page.getByRole("button", { name: "Retire", exact: true }).click();
  await pin(page, "packages/legacy: it is frozen").locator(".evidence").waitFor();
  await shown.getByText("Never edit anything").waitFor({ state: "detached" });
});

on("a ledger is exported and comes back as it was, and anything else is refused", async (page) => {
  await rules(page);
  await candidate(page, "Work on the branch").locator(".item").focus();
  await page.keyboard.press("a");
  await page.locator("li.candidate .item").first().focus();
  await page.keyboard.press("d");
  const exported = () => save(page, "Export", "ledger.json");
  const ledger = await exported();
  await page.getByRole("button", { name: "Open…" }).click();
  await page.getByRole("dialog").locator(".samples button", { hasText: "rules" }).click();
  await page.locator(".desk").waitFor();
  await page.getByRole("tab", { name: /Ledger/ }).click();
  await candidate(page, "Work on the branch").waitFor();
  await page.getByRole("button", { name: "Import…" }).click();
  const refused = [
    ["no JSON", /is not JSON/],
    ["{}", /is no ledger/],
    [ledger.replace("Work on the branch rates-v2.", "Work on the branch main."), /were changed/],
  ];
  for (const [text, why] of refused) {
    await page.locator("#ledger-text").fill(text);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.locator(".said.refused", { hasText: why }).waitFor();
  }
  assert.notEqual(await exported(), ledger);
  const file = { name: "ledger.json", mimeType: "application/json", buffer: Buffer.from(ledger) };
  await page.locator('.import input[type="file"]').setInputFiles(file);
  await page.locator(".said", { hasText: /Imported: \d+ live pins, \d+ candidates\./ }).waitFor();
  await pin(page, "Work on the branch").waitFor();
  assert.equal(await exported(), ledger);
});

on("the ledger tells when it takes more than its share", async (page) => {
  await rules(page);
  await slideTo(page, 120);
  assert.match(await page.locator(".ledger-head").innerText(), /more than its share[\s\S]*Nothing is left out[\s\S]*rates-v2/);
  await page.locator(".proposals").getByRole("button", { name: "Retire…" }).first().click();
  await page.locator("#retire-quote:focus").waitFor();
});

on("marks differ by more than their colour, in the list and in the entry", async (page) => {
  await rules(page);
  const line = (selector) => page.locator(selector).first().evaluate((it) => {
    const style = getComputedStyle(it);
    const pin = getComputedStyle(it, "::before");
    return [style.textDecorationLine, style.textDecorationStyle, pin.maskImage !== "none" && pin.content !== "none"].join(" ");
  });
  assert.equal(await line("#entry-0 .words.pinned"), "underline solid true");
  assert.equal(await line("#entry-10 .words.candidate"), "underline dotted false");
  await page.locator("#entry-0").click();
  assert.equal(await line(".detail .words.pinned"), "underline solid true");
  assert.match(await page.locator(".detail .pinned").getAttribute("title"), /^Pinned: constraint, turn 1$/);
  assert.match(await page.locator(".row", { has: page.locator("#entry-0") }).locator(".row-pin").innerText(), /1 pinned, \d candidates/);
});

for (const colorScheme of ["light", "dark"]) {
  on(
    `no serious accessibility violation around the ledger in the ${colorScheme} theme`,
    async (page) => {
      await page.evaluate(axe.source);
      const check = async (where) => assert.deepEqual(await serious(page), [], where);
      await rules(page);
      await check("panel");
      await pin(page, "packages/legacy").locator(".item").focus();
      await page.keyboard.press("r");
      await page.locator(".offers button").first().click();
      await check("retiring");
      await page.getByRole("button", { name: "Retire", exact: true }).click();
      await page.locator(".pin.retired").first().waitFor();
      await check("retired");
      await page.getByRole("button", { name: "Import…" }).click();
      await page.getByRole("button", { name: "Import", exact: true }).click();
      await page.locator(".said.refused").waitFor();
      await check("refused import");
      await slideTo(page, 120);
      await check("over its share");
      await slideTo(page, 500);
      await page.locator("#entry-0").click();
      await select(page, '[data-home="entry-0"]', "Ask before");
      await page.locator(".chosen-tools").waitFor();
      await check("selection");
      await page.getByRole("tab", { name: /Ledger/ }).click();
      await pin(page, "Do not push.").locator(".item").click();
      await page.locator(".detail .aimed").waitFor();
      await check("words");
      await page.keyboard.press("?");
      await check("help");
    },
    { colorScheme, reducedMotion: "reduce" },
  );
}

on(
  "the ledger fits a small screen",
  async (page) => {
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.querySelector(".panel").scrollWidth <= innerWidth);
    await rules(page);
    assert.ok(await fits());
    await pin(page, "packages/legacy").getByRole("button", { name: "Retire…" }).click();
    assert.ok(await fits());
    await page.locator(".offers button").first().click();
    await page.getByRole("button", { name: "Retire", exact: true }).click();
    await page.locator(".pin.retired").first().waitFor();
    assert.ok(await fits());
    await page.getByRole("button", { name: "Import…" }).click();
    assert.ok(await fits());
    await pin(page, "Do not push.").locator(".item").click();
    await page.locator(".detail .aimed").waitFor();
    assert.ok(await fits());
    await select(page, '[data-home="entry-38"]', "Write the entry");
    const tools = await page.locator(".chosen-tools").boundingBox();
    assert.ok(tools.x >= 0 && tools.x + tools.width <= 390, JSON.stringify(tools));
    const close = await page.getByRole("button", { name: "Close the panel" }).boundingBox();
    assert.ok(close.x + close.width <= 390, JSON.stringify(close));
  },
  { viewport: { width: 390, height: 844 } },
);
