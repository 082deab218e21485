import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Whether tests in a browser are skipped for lack of one; never if `CI` is set. */
export const hasNoBrowser = !existsSync(executablePath) && !process.env['CI'];
if (hasNoBrowser) console.warn(`No browser at ${executablePath}: the tests in a browser are skipped`);

/** Starts a real browser, whose pages are at this origin. */
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
