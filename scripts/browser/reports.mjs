// Opens every report.html that is named in a real Chromium and uses it as a reader would.
//   node reports.mjs REPORT.html…        PICTURES=DIR leaves pictures of each page, light, dark, small and printed
// Checked: no message on the console, no request but the file itself, no barrier that axe-core calls serious, the page is not wider
// than the window (also on a telephone's), sorting (numbers as numbers, back to the file's order), filtering, the colours' switch and
// that it is kept, the gallery, the enlarged figure with its keys, and the PDF.
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env.PICTURES;
if (pictures) mkdirSync(pictures, { recursive: true });
const reports = process.argv.slice(2);
assert.ok(reports.length > 0, "name at least one report.html");

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

const column = (table, index) => table.locator("tbody tr").evaluateAll((rows, index) =>
  rows.filter((row) => !row.hidden).map((row) => row.cells[index].firstChild?.textContent ?? ""), index);
const number = (text) => {
  const found = text.replaceAll("−", "-").replaceAll("\u202f", "").match(/[+-]?\d+(\.\d+)?/);
  const power = text.match(/×10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/);
  return found ? Number(found[0]) * 10 ** (power ? (power[1] ? -1 : 1) * Number([...power[2]].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)).join("")) : 0) : NaN;
};

async function barriers(page, what) {
  const found = await page.evaluate(async () => (await globalThis.axe.run(document)).violations);
  const serious = found.filter((v) => v.impact === "serious" || v.impact === "critical");
  assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).slice(0, 3).join(" | ")}`), [], what);
}

async function sorted(page) {
  let compared = 0;
  for (const table of await page.locator("table:has(thead th .sort)").all()) {
    const heads = await table.locator("thead th").all();
    const before = await column(table, 0);
    for (const [index, head] of heads.entries()) {
      if (!(await head.getAttribute("class"))?.includes("number")) continue;
      const button = head.locator("button");
      const original = await column(table, index);
      await button.click();
      assert.equal(await head.getAttribute("aria-sort"), "ascending");
      const up = (await column(table, index)).map(number).filter((v) => !Number.isNaN(v));
      assert.ok(up.every((v, i) => i === 0 || up[i - 1] <= v), `not ascending: ${up}`);
      await button.focus();
      await page.keyboard.press("Enter");
      assert.equal(await head.getAttribute("aria-sort"), "descending");
      const down = (await column(table, index)).map(number).filter((v) => !Number.isNaN(v));
      assert.ok(down.every((v, i) => i === 0 || down[i - 1] >= v), `not descending: ${down}`);
      await button.click();
      assert.equal(await head.getAttribute("aria-sort"), null);
      assert.deepEqual(await column(table, index), original);
      compared += up.length;
    }
    assert.deepEqual(await column(table, 0), before);
  }
  return compared;
}

async function filtered(page) {
  const fields = await page.locator("input[type=search]").all();
  for (const field of fields) {
    const table = field.locator("xpath=../following-sibling::div[1]//table");
    const all = (await column(table, 0)).length;
    const word = (await column(table, 0))[0].split(/\s/)[0];
    await field.fill(word);
    const left = (await column(table, 0)).length;
    assert.ok(left >= 1 && left <= all, `${left} of ${all}`);
    const texts = await table.locator("tbody tr:visible").allTextContents();
    assert.ok(texts.every((text) => text.toLowerCase().includes(word.toLowerCase())));
    assert.equal(await field.locator("xpath=../output").textContent(), `${left} of ${all} rows`);
    await field.fill("no row says this");
    assert.equal((await column(table, 0)).length, 0);
    await field.fill("");
    assert.equal((await column(table, 0)).length, all);
  }
  return fields.length;
}

async function figures(page) {
  const count = await page.locator("figure").count();
  const dialog = page.locator("dialog");
  if (count > 0) {
    await page.locator("figure .picture").first().hover();
    await page.locator("figure .enlarge").first().click();
    assert.ok(await dialog.isVisible());
    assert.equal(await dialog.locator("svg").count(), 1);
    const first = await dialog.locator("p").textContent();
    await page.keyboard.press("ArrowRight");
    assert.equal((await dialog.locator("p").textContent()) === first, count === 1);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await dialog.locator("p").textContent(), first);
    await barriers(page, "an enlarged figure");
    await page.keyboard.press("Escape");
    assert.ok(!(await dialog.isVisible()));
  }
  for (const button of await page.locator("button.gallery").all()) {
    await button.click();
    assert.equal(await button.getAttribute("aria-pressed"), "true");
    await button.click();
    assert.equal(await button.getAttribute("aria-pressed"), "false");
  }
  return count;
}

const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

for (const report of reports) {
  const address = pathToFileURL(resolve(report)).href;
  const context = await browser.newContext({ colorScheme: "light", viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  const noise = [];
  page.on("console", (message) => noise.push(message.text()));
  page.on("pageerror", (error) => noise.push(String(error)));
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(address);
  // the page forbids scripts from elsewhere, so axe-core comes in through the debugger
  await page.evaluate(axe);

  const name = basename(dirname(resolve(report)));
  const look = async (how) => { if (pictures) await page.screenshot({ path: join(pictures, `${name}-${how}.png`), fullPage: true }); };
  assert.ok(await fits(page), "wider than the window");
  await barriers(page, "light");
  await look("light");
  const light = await background(page);
  await page.locator("#theme").click();
  const dark = await background(page);
  assert.notEqual(light, dark, "the colours did not change");
  assert.equal(await page.locator("#theme").textContent(), "Light colours");
  await barriers(page, "dark");
  await look("dark");
  await page.reload();
  assert.equal(await background(page), dark, "the choice was not kept");
  await page.evaluate(axe);
  const compared = await sorted(page);
  const filters = await filtered(page);
  const drawn = await figures(page);

  await page.setViewportSize({ width: 390, height: 800 });
  assert.ok(await fits(page), "wider than a telephone");
  await look("narrow");
  await page.setViewportSize({ width: 1200, height: 900 });

  // printed in light colours and without buttons, whatever is chosen on the screen
  await page.emulateMedia({ media: "print" });
  assert.equal(await background(page), "rgb(255, 255, 255)");
  assert.equal(await page.locator("button:visible, input:visible").filter({ hasNot: page.locator("xpath=self::*[@class='sort']") }).evaluateAll((all) => all.filter((e) => e.className !== "sort").length), 0);
  const pdf = await page.pdf({ format: "A4", margin: { top: "15mm", bottom: "15mm", left: "15mm", right: "15mm" } });
  assert.ok(pdf.subarray(0, 5).toString() === "%PDF-" && pdf.length > 10_000);
  if (pictures) writeFileSync(join(pictures, `${name}.pdf`), pdf);

  assert.deepEqual(noise, [], "messages on the console");
  assert.ok(requests.every((url) => url === address), `requests: ${requests}`);
  await context.close();

  // without scripts everything is there
  const bare = await browser.newContext({ javaScriptEnabled: false });
  const plain = await bare.newPage();
  await plain.goto(address);
  assert.equal(await plain.locator("figure svg").count(), drawn);
  assert.equal(await plain.locator("#theme:visible").count(), 0);
  await bare.close();
  console.log(`${name}: ${compared} entries sorted, ${filters} filters, ${drawn} figures, ${Math.round(pdf.length / 1024)} kB of PDF`);
}
await browser.close();
