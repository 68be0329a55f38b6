/** `cselab/playwright` in runs of its own: several workers, and a test that fails. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

interface Result {
  readonly status: string;
  readonly attachments: readonly { readonly name: string; readonly body?: string }[];
}

interface Report {
  readonly suites: readonly {
    readonly specs: readonly { readonly tests: readonly { readonly results: Result[] }[] }[];
  }[];
}

/** By Playwright Test; what became of each test. */
async function run(file: string, folder: string): Promise<Result[]> {
  const config = 'sim/playwright/testing/playwright.config.ts';
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--config', config, '--output', folder, file];
  const env = { ...process.env, CSELAB_MEETING: folder, NODE_OPTIONS: '' };
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { env, maxBuffer: 1e8 }, (_error, stdout) => resolve(stdout));
  });
  const { suites } = JSON.parse(output) as Report;
  return suites.flatMap(({ specs }) => specs).flatMap(({ tests }) => tests.flatMap(({ results }) => results));
}

async function within(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-playwright-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('workers at the same time have pairs of their own', () =>
  within(async (folder) => {
    const results = await run('workers', folder);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['passed', 'passed'],
    );
  }));

test('a test that fails has the requests attached that came', () =>
  within(async (folder) => {
    const [result] = await run('failing', folder);
    assert.equal(result?.status, 'failed');
    const texts = (result?.attachments ?? []).map(({ name, body = '' }) => [name, String(Buffer.from(body, 'base64'))]);
    const { 'requests at the gateway': gateway, 'requests at the cse': cse } = Object.fromEntries(texts);
    assert.match(String(gateway), /no\. \d+ {2}GET \/onem2m\/building without an originator, answered 200 \(2000\)/);
    assert.equal(cse, 'No request came.');
  }));
