import { defineConfig } from '@playwright/test';

/** For runs within a test: files that are no tests of their own. */
export default defineConfig({ testMatch: '*.pw.ts', fullyParallel: true, workers: 2, reporter: 'json' });
