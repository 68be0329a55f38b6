import { defineConfig } from '@playwright/test';
import { findBrowser } from '../reports/html/browser.ts';

const jsonFile = process.env.PLAYWRIGHT_JSON_OUTPUT_NAME;
const executablePath = findBrowser();
/** `npm test` leaves out what takes a minute by itself. */
const isAll = process.env.CSELAB_TESTS === 'all';

export default defineConfig({
  testDir: '..',
  testMatch: '**/*.spec.ts',
  // A container that starts or ends changes the machine's networks, and Chromium cuts its connections then.
  projects: [
    { name: 'pages', grepInvert: isAll ? /@containers/ : /@containers|@long/ },
    { name: 'containers', grep: /@containers/, dependencies: ['pages'], workers: 1 },
  ],
  outputDir: '../reports/latest/browser',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
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
        '--no-first-run',
      ],
    },
  },
});
