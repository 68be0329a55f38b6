import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

/** The first without a window at all: it takes half the time of the others. */
const systemNames = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * The Chromium to test with: the one that CHROMIUM_PATH names, the system's, or Playwright's own.
 * Undefined when there is none.
 */
export function findBrowser(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { CHROMIUM_PATH: configured, PATH: path = '' } = environment;
  if (configured !== undefined && configured !== '') return isExecutable(configured) ? configured : undefined;
  const directories = path.split(delimiter).filter((directory) => directory !== '');
  const candidates = systemNames.flatMap((name) => directories.map((directory) => join(directory, name)));
  return [...candidates, chromium.executablePath()].find(isExecutable);
}

/** Why the tests that need a browser cannot run; undefined when they can. */
export function browserMissing(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  if (findBrowser(environment) !== undefined) return undefined;
  return `no Chromium: install one (${systemNames.join(', ')}) or let CHROMIUM_PATH name it`;
}

/** True when a missing browser is a failure: CSELAB_REQUIRE is a list of words, and `browser` is one of them. */
export function browserRequired(environment: NodeJS.ProcessEnv = process.env): boolean {
  return (environment.CSELAB_REQUIRE ?? '').split(/[\s,]+/).includes('browser');
}

/** Why what needs a browser is skipped; undefined when there is one. Throws where a missing one is a failure. */
export function skippedWithoutBrowser(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const missing = browserMissing(environment);
  if (missing !== undefined && browserRequired(environment)) throw new Error(missing);
  return missing;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
