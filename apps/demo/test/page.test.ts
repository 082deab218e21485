import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EventBridge } from '@svc/events';
import type { Planner } from '@svc/orchestrator';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './folder/temporary-folder.js';
import { startDemo } from './start-demo.js';

const executablePath = '/usr/bin/chromium';
const isMissing = !existsSync(executablePath) && !process.env['CI'];
if (isMissing) console.warn('page.test.ts is skipped: install chromium to run it.');

const screenshots = fileURLToPath(new URL('../../../screenshots/', import.meta.url));
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe.skipIf(isMissing)('the page in Chromium', { timeout: 120_000 }, () => {
  let browser: Browser;
  let demo: Awaited<ReturnType<typeof startDemo>>;
  let built: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    built = await temporaryFolder({});
    await mkdir(screenshots, { recursive: true });
    await build({
      configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
      root: fileURLToPath(new URL('../page', import.meta.url)),
      logLevel: 'error',
      build: { outDir: built.root, emptyOutDir: true },
    });
    demo = await startDemo({ pageFolder: built.root });
    browser = await chromium.launch({ executablePath, args });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await demo?.[Symbol.asyncDispose]();
    await built?.[Symbol.asyncDispose]();
  });

  /** Opens a new page; any error it logs and any request to another origin fails the test. */
  async function openPage(options: BrowserContextOptions = {}, path = '/', origin = demo.url) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 850 }, ...options });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on(
      'request',
      (request) =>
        request.url().startsWith(origin) ||
        request.url().startsWith('data:') ||
        problems.push(`request to ${request.url()}`),
    );
    await page.goto(`${origin}${path}`);
    return { page, context, problems, [Symbol.asyncDispose]: () => context.close() };
  }
  const ask = async (page: Page, question: string) => {
    await page.getByLabel('Message').fill(question);
    await page.keyboard.press('Enter');
  };
  const card = (page: Page, name: string) =>
    page.locator('.card', { has: page.getByText(name, { exact: true }) }).first();
  const done = (page: Page) =>
    page.locator('article.turn').last().and(page.locator('[data-status="completed"]'));

  it('answers a question and shows the tool with its arguments and result, by keyboard alone', async () => {
    await using opened = await openPage();
    const { page } = opened;
    await page.getByLabel('Message').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to the message box');
    await ask(page, 'How many lines does README.md have?');
    await done(page).waitFor();
    expect(await page.locator('.answer').innerText()).toContain('42');
    const tool = card(page, 'count_lines');
    expect(await tool.innerText()).toContain('done');
    await tool.locator('summary').focus();
    await page.keyboard.press('Enter');
    await tool.getByRole('heading', { name: 'Arguments', level: 3 }).waitFor();
    expect(await tool.innerText()).toMatch(/Arguments[\s\S]*README\.md[\s\S]*Result[\s\S]*42/);
    await page.screenshot({ path: `${screenshots}answer-light-desktop.png`, fullPage: true });
    expect(opened.problems).toEqual([]);
  });

  it('continues after a reload in mid-run, and shows the same in two tabs when one of them answers', async () => {
    await using first = await openPage();
    await ask(first.page, 'Write a signed report titled "Two tabs"');
    await first.page.getByRole('button', { name: 'Yes' }).waitFor();
    await first.page.screenshot({ path: `${screenshots}question-light-desktop.png`, fullPage: true });
    await first.page.reload();
    await first.page.getByRole('button', { name: 'Yes' }).waitFor();
    const second = await first.context.newPage();
    await second.goto(first.page.url());
    await second.getByRole('button', { name: 'Yes' }).click();
    for (const page of [first.page, second]) {
      await done(page).waitFor();
      expect(await page.locator('.interrupt').innerText()).toContain('Answered.');
    }
    const shown = await Promise.all(
      [first.page, second].map((page) => page.locator('.timeline').innerText()),
    );
    expect(shown[0]).toBe(shown[1]);
    expect(shown[0]).toContain('two-tabs.md');
    for (const tool of ['summarize_folder', 'sign_report', 'write_report'])
      expect(await card(second, tool).count()).toBe(1);
    expect(await card(second, 'write_report').innerText()).toMatch(
      /^checkReportsFolder ran before[\s\S]*write_report[\s\S]*auditReport ran after/,
    );
    expect(first.problems).toEqual([]);
  });

  it('stops a run, keeps the session in the list, and asks again in it', async () => {
    await using opened = await openPage();
    const { page } = opened;
    await ask(page, 'Write a signed report titled "Stopped here"');
    await page.getByRole('button', { name: 'Yes' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('message');
    await ask(page, 'Show the last 3 commits');
    await done(page).waitFor();
    expect(await page.locator('article.turn').count()).toBe(2);
    await page.reload();
    await done(page).waitFor();
    expect(await page.locator('h2.question').allInnerTexts()).toEqual([
      'Write a signed report titled "Stopped here"',
      'Show the last 3 commits',
    ]);
    expect(
      await page
        .getByRole('link', { name: 'Write a signed report titled "Stopped here"' })
        .getAttribute('aria-current'),
    ).toBe('page');
    expect(opened.problems).toEqual([]);
  });

  it('shows the members of a swarm and their tools', async () => {
    await using opened = await openPage({ colorScheme: 'dark' });
    const { page } = opened;
    await page.getByLabel('Who answers').selectOption('swarm');
    await ask(page, 'Analyse the folder and save a report titled "Team"');
    await page.getByRole('button', { name: 'Yes' }).click();
    await done(page).waitFor();
    for (const name of ['analyst', 'writer', 'summarize_folder', 'draft_report', 'save_report'])
      expect([name, await card(page, name).count()]).toEqual([name, 1]);
    await page.screenshot({ path: `${screenshots}swarm-dark-desktop.png`, fullPage: true });
    expect(opened.problems).toEqual([]);
  });

  it('keeps long output inside the page, and scrolls to a new question and to its buttons', async () => {
    await using opened = await openPage({ viewport: { width: 480, height: 640 } });
    const { page } = opened;
    await ask(page, 'Read the file src/largest.ts');
    await done(page).waitFor();
    await card(page, 'read_file').locator('summary').click();
    await card(page, 'read_file').locator('pre').first().waitFor();
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth')).toBe(
      true,
    );
    await ask(page, 'Search for "xxx" in src');
    await done(page).waitFor();
    // "line" stays on one line, however long the text next to it is.
    expect((await page.locator('.answer thead').boundingBox())?.height).toBeLessThan(45);

    const composer = await page.locator('.composer').boundingBox();
    const isSeen = async (shown: Locator) => {
      const box = await shown.boundingBox();
      return box !== null && composer !== null && box.y >= 0 && box.y + box.height <= composer.y;
    };
    for (const question of ['Show the last 3 commits', 'Write a signed report titled "Seen"']) {
      await page.evaluate('window.scrollTo(0, 0)');
      await ask(page, question);
      const asked = page.getByRole('heading', { name: question });
      await asked.waitFor();
      await expect.poll(() => isSeen(asked), { timeout: 10_000 }).toBe(true);
      if (question.startsWith('Show')) await done(page).waitFor();
    }
    await page.getByRole('button', { name: 'Yes' }).waitFor();
    await expect
      .poll(() => isSeen(page.getByRole('button', { name: 'Yes' })), { timeout: 10_000 })
      .toBe(true);
    expect(opened.problems).toEqual([]);
  });

  it('keeps the focus, the address and the selected answerer while it is used by keyboard', async () => {
    await using opened = await openPage();
    const { page } = opened;
    const focused = () =>
      page.evaluate<string>('document.activeElement.id || document.activeElement.className');
    await page.getByLabel('Who answers').selectOption('swarm');
    await ask(page, 'Analyse the folder and save a report titled "Keys"');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/^Write the signed report/);
    expect(await focused()).toBe('message');
    expect(await page.getByLabel('Who answers').inputValue()).toBe('swarm');
    await page.getByRole('button', { name: 'No' }).focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('interrupt');
    await done(page).waitFor();
    const address = page.url();
    await page.getByRole('link', { name: 'Skip to the message box' }).focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('message');
    expect(page.url()).toBe(address);
    expect(opened.problems).toEqual([]);
  });

  it('keeps the focus in the conversation when what has it disappears', async () => {
    await using opened = await openPage();
    const { page } = opened;
    const focused = () =>
      page.evaluate<string>('document.activeElement.id || document.activeElement.className');
    const started = () => page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.getByRole('button', { name: 'Write a signed report titled "Weekly numbers"' }).focus();
    await page.keyboard.press('Enter');
    await started();
    expect(await focused(), 'after an example').toBe('timeline');

    await page.getByRole('button', { name: 'Yes' }).focus();
    const second = await opened.context.newPage();
    await second.goto(page.url());
    await second.getByRole('button', { name: 'No' }).click();
    await done(page).waitFor();
    expect(await focused(), 'after an answer in another tab').toBe('interrupt');

    await page.getByLabel('Message').fill('Write a signed report titled "Again"');
    await page.getByRole('button', { name: 'Ask' }).focus();
    await page.keyboard.press('Enter');
    await started();
    expect(await focused(), 'after Ask').toBe('primary');

    await page.getByRole('button', { name: 'Stop' }).focus();
    await second.getByRole('button', { name: 'No' }).click();
    await done(page).waitFor();
    expect(await focused(), 'after the end of the run').toBe('message');

    await ask(page, 'Write a signed report titled "Left"');
    await started();
    await page.getByRole('button', { name: 'Stop' }).focus();
    await page.evaluate('document.activeElement.blur()');
    await second.getByRole('button', { name: 'No' }).click();
    await done(page).waitFor();
    expect(await focused(), 'after the end of the run, if the user had left what disappears').toBe('');
    expect(opened.problems).toEqual([]);
  });

  it('has an answer read to the user once, when it is complete', async () => {
    const rest = Promise.withResolvers<void>();
    const planner: Planner = {
      name: 'slow',
      next: async (_, { onText }) => {
        onText('An answer in **pieces**, ');
        await rest.promise;
        return { type: 'finish', text: 'An answer in **pieces**, and the rest.' };
      },
    };
    await using slow = await startDemo({ pageFolder: built.root, planner });
    await using opened = await openPage({}, '/', slow.url);
    const { page } = opened;
    await ask(page, 'Anything');
    await page.getByText('An answer in').waitFor();
    expect(await page.locator('[aria-live] .answer').count()).toBe(0);
    rest.resolve();
    await done(page).waitFor();
    expect(await page.locator('[aria-live] .answer').innerText()).toBe('An answer in pieces, and the rest.');
    expect(await page.locator('.answer').count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  it('keeps long words inside the page, shows Arabic from the right, and reaches all that scrolls', async () => {
    const word = 'word_'.repeat(40);
    const bridge = new EventBridge('s');
    await bridge.emitToolEvent({ toolName: word, toolId: 't1', status: 'completed' });
    await bridge.emitHookFired({
      name: word,
      stage: 'before',
      status: 'completed',
      targetType: 'tool',
      targetId: 't1',
    });
    const question = { prompt: word, inputType: 'choice', choices: [word], dataKey: 'k' };
    await bridge.emitInterruptRequired({ ...question, interruptId: 'i1' });
    const events = await bridge.history();
    await bridge.emitFinal(`مرحبا\n\n\`\`\`\n${word}\n\`\`\`\n\n|a|\n|-|\n|b|\n\n- [x] done`);
    const answered = await bridge.history();
    await bridge.reopen();
    await bridge.emitError(word);

    await using opened = await openPage({ viewport: { width: 320, height: 640 } });
    const { page } = opened;
    const wide = () => page.evaluate<number>('document.documentElement.scrollWidth');
    let sent = events;
    await page.route('**/svc/events/*', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: sent.map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
      }),
    );
    await page.goto(`${demo.url}/#/sessions/s`);
    await page.getByRole('button', { name: word }).waitFor();
    expect(await wide()).toBe(320);
    sent = [...answered, ...(await bridge.history())];
    await page.locator('.failure').waitFor();
    expect(await wide()).toBe(320);

    const arabic = await page.evaluate<number>(`
      const text = document.createRange();
      text.selectNodeContents(document.querySelector('.answer p'));
      text.getBoundingClientRect().right;
    `);
    expect(arabic).toBeGreaterThan(290);
    expect(await page.locator('.answer :is(pre, table)[tabindex="0"]').count()).toBe(2);
    expect(await page.getByRole('checkbox', { name: 'Task' }).count()).toBe(1);
    expect(opened.problems).toEqual([]);
    await bridge.close();
  });

  it.each(['gone', '100%'])('reports that a session no longer exists: %s', async (id) => {
    await using opened = await openPage({}, `/#/sessions/${id}`);
    await opened.page.getByRole('alert').waitFor();
    expect(await opened.page.getByRole('alert').innerText()).toContain('no longer exists');
  });

  it('fits a phone screen', async () => {
    await using opened = await openPage({
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      isMobile: true,
    });
    const { page } = opened;
    await writeFile(
      join(demo.root, 'a-file-with-a-long-name-and-a-size-of-eight-digits.bin'),
      '-'.repeat(12_345_678),
    );
    await page.screenshot({ path: `${screenshots}start-dark-phone.png`, fullPage: true });
    await page.getByRole('button', { name: 'What are the 5 largest files?' }).click();
    await done(page).waitFor();
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth')).toBe(
      true,
    );
    const splitNumbers = await page.evaluate<string[]>(`
      Array.from(document.querySelectorAll('td'))
        .filter((cell) => /^[0-9]+$/.test(cell.textContent))
        .filter((cell) => {
          const text = document.createRange();
          text.selectNodeContents(cell);
          return text.getClientRects().length > 1;
        })
        .map((cell) => cell.textContent)
    `);
    expect(splitNumbers, 'numbers on more than one line').toEqual([]);
    await page.screenshot({ path: `${screenshots}answer-dark-phone.png`, fullPage: true });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.screenshot({ path: `${screenshots}answer-light-phone.png`, fullPage: true });
    expect(opened.problems).toEqual([]);
  });

  it('asks once when Enter is pressed twice, and shows the session without the list of sessions', async () => {
    await using opened = await openPage();
    const { page } = opened;
    const pressed = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/api/runs', async (route) => {
      requests++;
      await pressed.promise;
      await route.continue();
    });
    await ask(page, 'Show the last 3 commits');
    await page.keyboard.press('Enter');
    pressed.resolve();
    await done(page).waitFor();
    expect(requests).toBe(1);
    await page.route('**/api/sessions', (route) => route.abort());
    await page.reload();
    await done(page).waitFor();
  });

  it('shows a server error in its session only, and keeps the question in the input', async () => {
    await using opened = await openPage();
    const { page } = opened;
    await ask(page, 'Show the last 3 commits');
    await done(page).waitFor();
    await page.route('**/api/runs', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: '{"code":"SESSIONS_BUSY","message":"Every session is at work."}',
      }),
    );
    await ask(page, 'Show the last 3 commits');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toBe('Every session is at work.');
    expect(await page.getByLabel('Message').inputValue()).toBe('Show the last 3 commits');
    await page.getByRole('button', { name: 'New session' }).click();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });
});
