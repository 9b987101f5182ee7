// The built page in a real browser: it starts under its own policy, and then cannot send anything.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, serve } from "./page.mjs";

let server;
let browser;

before(async () => {
  server = await serve();
  browser = await launch();
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
  await page.goto(server.address);
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
