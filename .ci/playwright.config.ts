import { defineConfig } from '@playwright/test';
import { findBrowser } from '../reports/html/testing/browser.ts';

const jsonFile = process.env.PLAYWRIGHT_JSON_OUTPUT_NAME;
const executablePath = findBrowser();
/** `npm test` leaves out what takes long, and what needs a Docker engine. */
const isAll = process.env.CSELAB_TESTS === 'all';

export default defineConfig({
  testDir: '..',
  testMatch: '**/*.spec.ts',
  ...(!isAll && { testIgnore: '**/*.long.spec.ts' }),
  // A container that starts or ends changes the machine's networks, and Chromium cuts its connections then.
  projects: [
    { name: 'pages', grepInvert: /@containers/ },
    ...(isAll ? [{ name: 'containers', grep: /@containers/, dependencies: ['pages'], workers: 1 }] : []),
  ],
  outputDir: '../reports/latest/browser',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // What is compiled for all processes of the tests need not be again; test files are, for the lines that failures name.
  ...(process.env.CSELAB_LOADER !== undefined && { build: { external: ['**/!(*.spec).ts', '**/*.tsx'] } }),
  reporter: [['list'], ...(jsonFile === undefined ? [] : [['json', { outputFile: jsonFile }] as const])],
  use: {
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
        '--disable-gpu',
        '--no-first-run',
      ],
    },
  },
});
