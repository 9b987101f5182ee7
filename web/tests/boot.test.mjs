// The built page in a real browser: it starts under its own policy, and then cannot send anything.

import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
let server;
let browser;
let address;

before(async () => {
  server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = join(dist, path === "/" ? "index.html" : path);
    createReadStream(file)
      .on("open", () => response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream"))
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({
    executablePath: process.env.PINFOLD_CHROMIUM,
    // Chromium refuses its sandbox to root, which is what a container is.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
});

test("the page starts under its own policy, then locks it", async () => {
  const page = await browser.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(address);
  await page.locator("meta[http-equiv]").nth(1).waitFor({ state: "attached" });
  assert.match(await page.locator("body").innerText(), /Pinfold/);
  assert.deepEqual(complaints, []);

  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  const fetched = await page.evaluate(() => fetch("./index.html").then(() => "sent", () => "refused"));
  assert.equal(fetched, "refused");
  assert.deepEqual(requests.filter((url) => url.startsWith("http")), []);
  await page.close();
});
