// What the page's tests and its screenshots share: a server for the built files, and a browser.

import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const dist = process.env.PINFOLD_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Serves `dist` on a free port. */
export async function serve() {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    const file = join(dist, path === "/" ? "index.html" : path);
    createReadStream(file)
      .on("open", () => response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream"))
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** The browser that xtask found, quiet and without a network of its own. */
export function launch() {
  // Chromium refuses its sandbox to root, which is what a container is.
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({
    executablePath: process.env.PINFOLD_CHROMIUM,
    args: [
      ...root,
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Opens the page and waits until it has locked itself. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  await page.goto(address);
  await page.locator("meta[http-equiv]").nth(1).waitFor({ state: "attached" });
  return page;
}

/** Runs a check on a fresh page, on which no script may fail. */
export async function onFreshPage(browser, address, options, check) {
  const page = await open(browser, address, options);
  const failures = [];
  page.on("pageerror", (error) => failures.push(error.message));
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()));
  try {
    await check(page);
    assert.deepEqual(failures, []);
  } finally {
    await page.context().close();
  }
}

/** What axe finds in the page that is serious. */
export async function serious(page) {
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const found = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return found.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + node.failureSummary).join(" | ")}`);
}

/** What stands in the file of a sample. */
export const readSample = (name) => readFile(new URL(`../samples/${name}.json`, import.meta.url), "utf8");

/** Pastes text as a person would, outside any field. */
export async function paste(page, text) {
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
  }, text);
  await page.locator(".desk, .failure").first().waitFor();
  await page.locator(".reading:not(.on)").waitFor({ state: "attached" });
}

/** Opens one of the built-in samples. */
export async function sample(page, name) {
  await page.locator(".samples button", { hasText: name }).first().click();
  await page.locator(".desk").waitFor();
}

/** Selects words that an element shows, as a pointer would. */
export async function select(page, element, words) {
  await page.locator(element).first().evaluate((home, words) => {
    const walker = document.createTreeWalker(home, NodeFilter.SHOW_TEXT);
    const nodes = [];
    let whole = "";
    while (walker.nextNode()) {
      nodes.push([walker.currentNode, whole.length]);
      whole += walker.currentNode.data;
    }
    const place = (at) => {
      const [node, start] = nodes.findLast(([, start]) => start <= at);
      return [node, at - start];
    };
    const start = whole.indexOf(words);
    if (start < 0) throw new Error(`"${words}" is not shown`);
    const range = document.createRange();
    range.setStart(...place(start));
    range.setEnd(...place(start + words.length));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }, words);
}

/** Moves the slider to a step, as a keyboard would, and lets it go. */
export async function slideTo(page, step) {
  await page.locator("#budget").evaluate((slider, step) => {
    slider.value = String(step);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  }, step);
}
