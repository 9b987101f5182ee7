// Screenshots of the page to look at: `node web/tests/shots.mjs FOLDER [part of a name]`.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { launch, open, sample, select, serve, slideTo } from "./page.mjs";

const [folder, only = ""] = process.argv.slice(2);
if (!folder) throw new Error("Usage: node web/tests/shots.mjs FOLDER [part of a name]");
await mkdir(folder, { recursive: true });

/** The ledger of the sample made for it. */
async function ledger(page) {
  await sample(page, "rules");
  await page.getByRole("tab", { name: /Ledger/ }).click();
  await page.locator(".ledger").waitFor();
}

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
const states = {
  landing: async () => {},
  clean: (page) => sample(page, "clean"),
  "clean-fold": async (page) => {
    await sample(page, "clean");
    await slideTo(page, 700);
  },
  broken: (page) => sample(page, "broken"),
  "broken-violations": async (page, size) => {
    await sample(page, "broken");
    await page.getByRole("tab", { name: /Violations/ }).click();
    // On a small screen the sheet gives way to the entry.
    if (size === "wide") await page.locator(".violation").nth(1).click();
  },
  "landing-formats": (page) => page.locator(".formats summary").click(),
  "broken-settings": async (page, size) => {
    await sample(page, "broken");
    if (size === "narrow") await page.locator(".settings-open").click();
    await page.getByLabel("judged by").selectOption("mistral");
    await page.getByRole("button", { name: "to be sent" }).click();
    await page.locator("#mode-request[aria-pressed=true]").waitFor();
  },
  "gemini-settings": async (page, size) => {
    await sample(page, "gemini");
    if (size === "narrow") await page.locator(".settings-open").click();
    await page.getByRole("button", { name: "to be sent" }).click();
    await page.locator("#mode-request[aria-pressed=true]").waitFor();
  },
  "broken-repair": async (page) => {
    await sample(page, "broken");
    await page.getByRole("tab", { name: /Violations/ }).click();
    await page.getByRole("button", { name: /^Repair/ }).click();
    await page.locator(".repair").waitFor();
  },
  "broken-repaired": async (page) => {
    await sample(page, "broken");
    await page.getByRole("tab", { name: /Violations/ }).click();
    await page.getByRole("button", { name: /^Repair/ }).click();
    await page.getByRole("button", { name: "Use the repaired transcript" }).click();
    await page.locator(".top .made").waitFor();
  },
  "broken-failure": async (page) => {
    await page.locator("#transcript").fill("Dear diary, today the agent broke.");
    await page.getByRole("button", { name: "Read it" }).click();
    await page.locator(".failure summary").click();
  },
  "broken-told": async (page, size) => {
    await sample(page, "broken");
    if (size === "narrow") await page.locator(".settings-open").click();
    await page.getByLabel("read as").selectOption("codex");
    await page.locator(".failure").waitFor();
  },
  loop: (page) => sample(page, "loop"),
  "loop-cut": async (page) => {
    await sample(page, "loop");
    await page.keyboard.press("k");
    await page.locator(".overview").click({ position: { x: (await page.locator(".overview").boundingBox()).width * 0.56, y: 20 } });
  },
  "loop-note": async (page) => {
    await sample(page, "loop");
    await page.locator(".overview").click({ position: { x: (await page.locator(".overview").boundingBox()).width * 0.56, y: 20 } });
    await page.locator(".note-head").click();
    await page.locator(".note-text", { hasText: "[Pinfold note" }).waitFor();
  },
  "loop-tooltip": async (page) => {
    await sample(page, "loop");
    await page.locator(".mark.illegal").nth(3).focus();
  },
  "loop-details": async (page) => {
    await sample(page, "loop");
    await page.locator("#entry-3").click();
  },
  "loop-boundary": async (page) => {
    await sample(page, "loop");
    await page.locator("#boundary-4").click();
  },
  "loop-defer": async (page) => {
    await sample(page, "loop");
    if (await page.getByLabel("wait for pending calls").isVisible()) await page.getByLabel("wait for pending calls").check();
  },
  "loop-trim": async (page) => {
    await sample(page, "loop");
    if (await page.getByLabel("wait for pending calls").isVisible()) {
      await page.getByLabel("wait for pending calls").check();
      await page.getByLabel("may trim results").check();
      await slideTo(page, 900);
      await page.getByRole("tab", { name: "Fold" }).click();
      await page.locator(".proof").waitFor();
    }
  },
  "loop-stuck": async (page) => {
    await sample(page, "loop");
    await slideTo(page, 20);
  },
  "loop-export": async (page) => {
    await sample(page, "loop");
    await page.getByRole("tab", { name: "Fold" }).click();
    await page.locator(".proof").waitFor();
  },
  "loop-find": async (page) => {
    await sample(page, "loop");
    await page.keyboard.press("/");
    await page.keyboard.type("migrations");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
  },
  "rules-list": (page) => sample(page, "rules"),
  "rules-ledger": async (page) => {
    await ledger(page);
  },
  "rules-pins": async (page) => {
    await ledger(page);
    await page.getByRole("region", { name: "Constraints" }).scrollIntoViewIfNeeded();
    await page.locator(".panel").evaluate((panel) => {
      const top = panel.querySelector('[aria-label="Constraints"]').getBoundingClientRect().top;
      panel.scrollTop += top - panel.getBoundingClientRect().top;
    });
  },
  "rules-conflict": async (page) => {
    await ledger(page);
    await page.getByRole("region", { name: "Contradictions" }).scrollIntoViewIfNeeded();
  },
  "rules-retire": async (page) => {
    await ledger(page);
    await page.locator(".pin .item", { hasText: "packages/legacy" }).focus();
    await page.keyboard.press("r");
    await page.locator(".offers button").first().click();
  },
  "rules-refused": async (page) => {
    await ledger(page);
    await page.locator(".pin .item", { hasText: "packages/legacy" }).focus();
    await page.keyboard.press("r");
    await page.locator("#retire-quote").fill("The audit is over.");
    await page.getByRole("button", { name: "Retire", exact: true }).click();
    await page.locator(".said.refused").waitFor();
  },
  "rules-retired": async (page) => {
    await ledger(page);
    await page.locator(".pin .item", { hasText: "packages/legacy" }).focus();
    await page.keyboard.press("r");
    await page.locator(".offers button", { hasText: "The audit is done" }).click();
    await page.getByRole("button", { name: "Retire", exact: true }).click();
    await page.locator(".pin.retired", { hasText: "packages/legacy" }).scrollIntoViewIfNeeded();
  },
  "rules-words": async (page) => {
    await ledger(page);
    await page.locator(".pin .item", { hasText: "packages/legacy" }).click();
    await page.locator(".detail .aimed").waitFor();
  },
  "rules-system": async (page) => {
    await ledger(page);
    await page.locator(".pin .item", { hasText: "environment variable" }).click();
    await page.locator(".detail .aimed").waitFor();
  },
  "rules-selection": async (page) => {
    await sample(page, "rules");
    await page.locator("#entry-0").click();
    await select(page, '[data-home="entry-0"]', "Work on the branch rates-v2.");
  },
  "rules-import": async (page) => {
    await ledger(page);
    await page.getByRole("button", { name: "Import…" }).click();
    await page.locator("#ledger-text").fill("{}");
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.locator(".said.refused").waitFor();
  },
  "rules-over": async (page) => {
    await ledger(page);
    await slideTo(page, 120);
  },
  "rules-folded": async (page) => {
    await sample(page, "rules");
    await page.getByRole("tab", { name: "Fold" }).click();
    await page.getByRole("button", { name: "Go on with the folded transcript" }).click();
    await page.locator(".top .made").waitFor();
    await page.locator(".note-head").first().waitFor();
    await page.getByRole("tab", { name: /Ledger/ }).click();
  },
  "rules-note": async (page) => {
    await sample(page, "rules");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.locator(".note-head").click();
    await page.locator(".note-text", { hasText: "[Pinfold ledger" }).waitFor();
    await page.locator(".note-text").evaluate((note) => { note.scrollTop = note.scrollHeight; });
  },
  help: async (page) => {
    await sample(page, "loop");
    await page.keyboard.press("?");
  },
};

const { address, close } = await serve();
const browser = await launch();
for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [state, reach] of Object.entries(states)) {
      const name = `${state}-${size}-${colorScheme}`;
      if (!name.includes(only)) continue;
      const page = await open(browser, address, { viewport, colorScheme, reducedMotion: "reduce" });
      page.on("pageerror", (error) => console.log(name, error.message));
      try {
        await reach(page, size);
      } catch (error) {
        console.log(name, error.message.split("\n")[0]);
      }
      await page.waitForTimeout(120);
      await page.screenshot({ path: join(folder, `${name}.png`) });
      await page.context().close();
    }
  }
}
await browser.close();
close();
