/** Sees to it that the browser tests have a browser, where a machine can have one. */
import { existsSync } from 'node:fs';
import { findBrowser } from '../reports/html/testing/browser.ts';
import { execute } from './execute.ts';

/** After what is there already: Playwright's own, by its download; then, as root on Debian, the distribution's package. */
export async function ensureBrowser(): Promise<void> {
  if (findBrowser() !== undefined) return;
  console.log('no browser was found; trying to install one ...');
  await execute(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium']);
  if (findBrowser() !== undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  await execute('apt-get', ['update', '-qq']);
  // Older releases have the whole browser only.
  for (const name of ['chromium-headless-shell', 'chromium']) {
    const { code } = await execute('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], {
      DEBIAN_FRONTEND: 'noninteractive',
    });
    if (code === 0) return;
  }
}
