// Drives Chromium: one JSON request a line on standard input, one JSON answer a line on standard output.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const [modules, chromium, profile] = process.argv.slice(2);
const playwright = createRequire(`${modules}/`)('playwright-core');
const GROUP = '.editor-group-container.active';
const LIMIT = 60_000;

const context = await playwright.chromium.launchPersistentContext(profile, {
  executablePath: chromium,
  viewport: { width: 1280, height: 800 },
  args: [
    '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
});
context.setDefaultTimeout(LIMIT);
await context.grantPermissions(['clipboard-read', 'clipboard-write']);
const [page] = context.pages();

/** In the page: the marks of the active editor as {line: mark}, read from icons and line numbers. */
function readMarks() {
  const editor = document.querySelector('.editor-group-container.active .monaco-editor');
  const lines = new Map();
  for (const number of editor?.querySelectorAll('.margin-view-overlays .line-numbers') ?? []) {
    lines.set(Math.round(number.getBoundingClientRect().top), number.textContent.trim());
  }
  const marks = {};
  for (const glyph of editor?.querySelectorAll('.glyph-margin-widgets .cgmr') ?? []) {
    const [, data] = /base64,([^"')]+)/.exec(getComputedStyle(glyph).backgroundImage) ?? [];
    const line = lines.get(Math.round(glyph.getBoundingClientRect().top));
    const title = data && /<title>(.*)<\/title>/.exec(atob(data))?.[1];
    if (title) {
      marks[line] = marks[line] ? `${marks[line]}, ${title}` : title;
    }
  }
  return marks;
}

/** What the page promises, or an error. */
function intime(promise) {
  return Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error('nothing came')), LIMIT))]);
}

const ROWS = '.tree-explorer-viewlet-tree-view .monaco-list-row';

/** In the page: the rows of the view as "level label | description". */
function readRows() {
  const rows = [...document.querySelectorAll('.tree-explorer-viewlet-tree-view .monaco-list-row')];
  rows.sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index));
  return rows.map((row) => {
    const [label, description] = ['.label-name', '.label-description'].map((part) => row.querySelector(part)?.textContent.trim());
    return `${row.getAttribute('aria-level')} ${label}${description ? ` | ${description}` : ''}`;
  });
}

/** In the page: when a row with this label is on the screen, in milliseconds since the epoch. */
function appears(label) {
  return new Promise((resolve) => {
    const look = () => {
      const rows = [...document.querySelectorAll('.tree-explorer-viewlet-tree-view .monaco-list-row .label-name')];
      rows.some((row) => row.textContent.trim() === label) ? resolve(Date.now()) : requestAnimationFrame(look);
    };
    look();
  });
}

/** In the page: milliseconds from the next click to the frame that has a row with this label below the clicked one. */
function timeNextClick(child) {
  globalThis.timed = new Promise((resolve) => {
    document.addEventListener('mousedown', ({ target }) => {
      const start = performance.now();
      const index = Number(target.closest('.monaco-list-row').dataset.index);
      const look = () => {
        const row = document.querySelector(`.tree-explorer-viewlet-tree-view .monaco-list-row[data-index="${index + 1}"]`);
        const shown = row?.querySelector('.label-name')?.textContent.trim() === child;
        shown ? resolve(performance.now() - start) : requestAnimationFrame(look);
      };
      look();
    }, { capture: true, once: true });
  });
}

/** In the page: milliseconds from each key to the frame in which its letter is there. */
function timeKeys() {
  globalThis.keyTimes = [];
  const text = () => document.querySelector('.editor-group-container.active .view-lines').textContent;
  document.addEventListener('keydown', () => {
    const [start, before] = [performance.now(), text()];
    const look = () => (text() === before ? requestAnimationFrame(look) : globalThis.keyTimes.push(performance.now() - start));
    look();
  }, { capture: true });
}

/** The body of the innermost frame that has a text. */
async function frameWith(text) {
  const body = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('body', { hasText: text });
  await body.waitFor();
  return body;
}

const requests = {
  async open({ url }) {
    await page.goto(url);
    await page.locator('.monaco-workbench .part.editor').waitFor();
  },
  /** Open a file by its path below the workspace. */
  async file({ path }) {
    const name = path.split('/').pop();
    await page.keyboard.press('Control+p');
    await page.locator('.quick-input-widget input').first().fill(path);
    await page.locator(`.quick-input-list .monaco-list-row[aria-label^="${name} "]`).click();
    await page.locator(`${GROUP} .tab.active[data-resource-name="${name}"]`).waitFor();
    await page.locator(`${GROUP} .view-line`).first().waitFor();
  },
  /** Wait for these marks; answer them, or what is there instead. */
  async marks({ expected }) {
    const wanted = JSON.stringify(JSON.stringify(expected));
    const reader = `((marks) => JSON.stringify(marks) === ${wanted} && marks)((${readMarks})())`;
    try {
      return await (await page.waitForFunction(reader)).jsonValue();
    } catch (error) {
      if (error instanceof playwright.errors.TimeoutError) {
        return page.evaluate(readMarks);
      }
      throw error;
    }
  },
  async command({ title }) {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input').first().fill(`>${title}`);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
  },
  /** Put the cursor at the first word of a line. */
  async go({ line }) {
    await page.keyboard.press('Control+g');
    await page.locator('.quick-input-widget input').first().fill(`:${line}`);
    await page.keyboard.press('Enter');
    await page.locator('#status\\.editor\\.selection', { hasText: `Ln ${line}, ` }).waitFor();
    await page.keyboard.press('Home');
  },
  /** Show the hover at the cursor; answer its text. */
  async hover({ contains }) {
    await requests.command({ title: 'Show or Focus Hover' });
    const hover = page.locator('.monaco-hover:visible .hover-contents', { hasText: contains });
    await hover.first().waitFor();
    await page.evaluate(() => {
      const fading = [...document.querySelectorAll('.monaco-hover')].flatMap((each) => each.getAnimations({ subtree: true }));
      return Promise.all(fading.map((animation) => animation.finished)).then(() => undefined);
    });
    return (await hover.allInnerTexts()).join('\n');
  },
  async type({ text }) {
    await page.keyboard.insertText(text);
  },
  async press({ key }) {
    await page.keyboard.press(key);
  },
  async save() {
    await page.keyboard.press('Control+s');
    await page.locator(`${GROUP} .tab.active:not(.dirty)`).waitFor();
  },
  /** Tick exactly these rows of the list with a title, then accept. */
  async pick({ title, labels }) {
    await page.locator('.quick-input-title', { hasText: title }).waitFor();
    for (const row of await page.locator('.quick-input-list .monaco-list-row').all()) {
      const label = await row.locator('.label-name').first().innerText();
      const ticked = (await row.getAttribute('aria-checked')) === 'true';
      if (ticked !== labels.includes(label.trim())) {
        await row.click();
      }
    }
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  },
  async text({ selector, contains }) {
    const found = page.locator(selector, { hasText: contains }).first();
    await found.waitFor();
    return found.innerText();
  },
  /** The text of the language status, as soon as it has a part. */
  async status({ contains, stay }) {
    await page.locator('#status\\.languageStatus').hover();
    const text = await requests.text({ selector: '.hover-language-status', contains });
    if (stay) {
      return text;
    }
    await page.mouse.move(0, 0);
    await page.locator('.hover-language-status').first().waitFor({ state: 'hidden' });
    return text;
  },
  /** The text of a web view, found by a part of it. */
  async view({ contains }) {
    return (await frameWith(contains)).innerText();
  },
  async follow({ contains, link }) {
    await (await frameWith(contains)).getByRole('link', { name: link }).first().click();
  },
  /** Wait until the view's rows have all of these in this order (others may be between); answer what is there. */
  async rows({ expected }) {
    const wanted = JSON.stringify(expected);
    const reader = `((rows) => { let from = 0; const all = ${wanted}.every((row) => (from = rows.indexOf(row, from) + 1) > 0);
      return all && rows; })((${readRows})())`;
    try {
      return await (await page.waitForFunction(reader)).jsonValue();
    } catch (error) {
      if (error instanceof playwright.errors.TimeoutError) {
        return page.evaluate(readRows);
      }
      throw error;
    }
  },
  /** Click on a row of the view, or on its arrow. */
  async row({ label, arrow }) {
    const exactly = new RegExp(`^\\s*${label.replace(/[^\w\s]/g, '\\$&')}\\s*$`);
    const row = page.locator(ROWS, { has: page.locator('.label-name', { hasText: exactly }) }).first();
    await row.locator(arrow ? '.monaco-tl-twistie' : '.label-name').click();
  },
  /** Click on a button of the view's title. */
  async button({ label }) {
    await page.locator('.pane-header').first().hover();
    await page.locator(`.part.sidebar .action-label[aria-label^="${label}"]`).first().click();
  },
  async click({ selector, text }) {
    await page.locator(selector, text ? { hasText: text } : {}).first().click();
  },
  /** Wait until an expression has this value in the page; answer whether it came. */
  async page({ expression, expected }) {
    const wanted = JSON.stringify(JSON.stringify(expected));
    await page.waitForFunction(`JSON.stringify(${expression}) === ${wanted}`);
    return true;
  },
  /** Wait until nothing moves any more. */
  async settle() {
    await page.evaluate(() =>
      Promise.all(document.getAnimations().filter((each) => each.effect.getTiming().iterations !== Infinity).map((each) => each.finished.catch(() => undefined)))
        .then(() => new Promise(requestAnimationFrame)).then(() => undefined));
  },
  async appears({ row }) {
    return intime(page.evaluate(appears, row));
  },
  /** Milliseconds from a click on a row's arrow to its first child. */
  async timed({ row, child }) {
    await page.evaluate(timeNextClick, child);
    await requests.row({ label: row, arrow: true });
    return intime(page.evaluate(() => globalThis.timed));
  },
  /** Milliseconds from each of some keys to its letter on the screen, in a new line of the active editor. */
  async keys({ count }) {
    await page.locator(`${GROUP} .view-lines`).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('// ');
    await page.evaluate(timeKeys);
    for (let number = 1; number <= count; number++) {
      await page.keyboard.press('x');
      await page.waitForFunction((wanted) => globalThis.keyTimes.length >= wanted, number);
    }
    return page.evaluate(() => globalThis.keyTimes);
  },
  async fill({ text }) {
    await page.locator('.quick-input-widget input').first().fill(text);
  },
  /** Pick one row of the open list by the beginning of its label. */
  async choose({ title, label }) {
    await page.locator('.quick-input-title', { hasText: title }).waitFor();
    await page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click();
  },
  async screenshot({ path }) {
    await page.screenshot({ path });
  },
};

process.stdout.write('{}\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { request, ...values } = JSON.parse(line);
  let answer;
  try {
    answer = { result: (await requests[request](values)) ?? null };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await context.close();
