import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Whether tests may go without a browser: never where `CI` is set. */
export const hasNoBrowser = !existsSync(executablePath) && !process.env['CI'];
if (hasNoBrowser) console.warn(`No browser at ${executablePath}: the tests in one are skipped`);

/** A real browser with an empty page of this origin. */
export async function openBrowser(origin: string) {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  const context = await browser.newContext();
  const newPage = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(origin);
    return page;
  };
  return {
    newPage,
    async [Symbol.asyncDispose]() {
      await browser.close();
    },
  };
}
