/** A report, opened in a browser from its file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test as base, expect } from '@playwright/test';
import type { RunResult } from '../../../scenarios/index.ts';
import { runDocument } from '../../check/run-document.ts';
import { renderPage } from '../../document/html.tsx';

interface Fixtures {
  /** Writes a report, opens it from its file and gives its address. */
  open(result: RunResult, hash?: string): Promise<string>;
}

export const test = base.extend<Fixtures>({
  open: async ({ page }, use) => {
    const directory = mkdtempSync(join(tmpdir(), 'cselab-report-'));
    const file = join(directory, 'report.html');
    const address = pathToFileURL(file).href;
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => trouble.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== address) trouble.push(`request: ${request.url()}`);
    });
    await use(async (result, hash = '') => {
      writeFileSync(file, renderPage(runDocument(result)));
      await page.goto(address + hash);
      return address;
    });
    expect(trouble).toEqual([]);
    rmSync(directory, { recursive: true });
  },
});
