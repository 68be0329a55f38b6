/** The gates that a change passes: each runs a command to its end and says how many passed, failed and were skipped. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loader } from '../fixtures/testing/loader.ts';
import { findBrowser } from '../reports/html/testing/browser.ts';
import type { KillTable } from '../scenarios/index.ts';
import { ensureBrowser } from './browser.ts';
import { execute } from './execute.ts';
import { containerTestFiles, packageTestFiles, testProcesses } from './test-files.ts';
import { Unchanged } from './unchanged.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Gate {
  readonly name: string;
  run(): Promise<Counts & { /** Shown when something failed or was skipped. */ readonly details: string }>;
}

/** Where reports are written. */
export const out = 'reports/latest';

/** Passes when the command exits with 0. */
export function commandGate(name: string, command: string, ...args: string[]): Gate {
  return {
    name,
    async run() {
      const { code, output } = await execute(command, args);
      const failed = code === 0 ? 0 : 1;
      return { passed: 1 - failed, failed, skipped: 0, details: failed ? output : '' };
    },
  };
}

/** What CSELAB_REQUIRE names must be there. */
export const prerequisites: Gate = {
  name: 'prerequisites',
  async run() {
    const required = (process.env.CSELAB_REQUIRE ?? '').split(',').filter((name) => name !== '');
    const missing: string[] = [];
    if (required.includes('browser') && findBrowser() === undefined) missing.push('no browser was found');
    if (required.includes('docker')) {
      const { code, output } = await execute('docker', ['info']);
      if (code !== 0) missing.push(`no Docker engine answers: ${output.trim()}`);
    }
    for (const program of ['mosquitto', 'tshark'].filter((name) => required.includes(name))) {
      const { code } = await execute('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]);
      if (code !== 0) missing.push(`${program} is not installed`);
    }
    return {
      passed: required.length - missing.length,
      failed: missing.length,
      skipped: 0,
      details: missing.join('\n'),
    };
  },
};

/** Every *.test.ts of the folders; those that passed and are unchanged only with `runsAll`. */
export const unitTests = (runsAll: boolean): Gate => ({
  name: 'unit tests',
  async run() {
    const unchanged = new Unchanged();
    const known = runsAll ? [] : unchanged.layers;
    const { details, ...counts } = await testRun(testProcesses((file) => !runsAll && unchanged.has(file)));
    if (counts.failed === 0) unchanged.keep();
    const left = `not run again, since nothing that they depend on has changed: tests of ${known.join(', ')}`;
    return { ...counts, details: [details, known.length > 0 ? left : ''].filter(Boolean).join('\n') };
  },
});

/** Tests that need a Docker engine. */
export const containerTests: Gate = { name: 'container tests', run: () => testRun(containerTestFiles) };

export const packageTests: Gate = { name: 'package', run: () => testRun(packageTestFiles) };

/** Minutes for the test files of one process: those that hang have failed. */
const longest = 25;

/** Processes at the same time: much of their time is waiting. */
const processes = 5;

/** Through node's own runner. */
export async function testRun(files: readonly string[]): ReturnType<Gate['run']> {
  const limit = `--test-timeout=${longest * 60_000}`;
  const args = [...loader(), '--test', `--test-concurrency=${processes}`, limit, '--test-reporter=spec', ...files];
  const { code, output } = await execute(process.execPath, args, { NO_COLOR: '1', FORCE_COLOR: '0' });
  const count = (what: string) => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? Number.NaN);
  const [failed, skipped] = [count('fail') + count('cancelled'), count('skipped') + count('todo')];
  const details = code === 0 ? skippedIn(output) : output.slice(Math.max(0, output.lastIndexOf('✖ failing tests:')));
  return gateResult({ passed: count('pass'), failed, skipped }, code, details || output);
}

const skippedIn = (output: string) =>
  output
    .split('\n')
    .filter((line) => / # (SKIP|TODO)|﹣/.test(line))
    .join('\n');

/** Every *.spec.ts in a real browser, through Playwright Test. */
export const browserTests: Gate = { name: 'browser tests', run: () => browserRun() };

/** Of all files, or of some. */
export async function browserRun(files: readonly string[] = []): ReturnType<Gate['run']> {
  await ensureBrowser();
  mkdirSync(out, { recursive: true });
  // Absolute, because Playwright reads it from the folder of its settings.
  const file = join(process.cwd(), out, 'browser-tests.json');
  rmSync(file, { force: true });
  const env = {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    NODE_OPTIONS: loader().join('='),
    ...{ NO_COLOR: '1', FORCE_COLOR: '0' },
  };
  const { code, output } = await execute(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', '--config', '.ci/playwright.config.ts', ...files],
    env,
  );
  try {
    const { stats } = JSON.parse(readFileSync(file, 'utf8')) as { stats: Record<string, number> };
    const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = stats;
    return gateResult({ passed: expected, failed: unexpected + flaky, skipped }, code, output);
  } catch {
    return { passed: 0, failed: 1, skipped: 0, details: output };
  }
}

/** The share of detectable deviations that may have collateral. */
const collateralShare = 0.02;

/** Every deviation of the simulator: passed where the harness identifies it. The pages stay in reports/latest. */
export const killTable: Gate = {
  name: 'kill table',
  async run() {
    const file = join(out, 'mutants.json');
    rmSync(file, { force: true });
    const reports = ['terminal', 'json', 'html'].flatMap((name) => ['--report', name]);
    const args = [...loader(), 'cli.ts', 'mutants', '--no-color', ...reports];
    const { code, output } = await execute(process.execPath, args);
    try {
      const table = JSON.parse(readFileSync(file, 'utf8')) as KillTable;
      const { details, ...counts } = gateResult(countsOf(table), code, output);
      return { ...counts, details: details || equivalents(table) };
    } catch {
      return { passed: 0, failed: 1, skipped: 0, details: output };
    }
  },
};

/** Equivalent deviations pass too. Too many with collateral are one more failure; those that were not tried have failed. */
function countsOf({ rows, totals, chosen }: KillTable): Counts {
  const { identified, equivalent } = totals.verdicts;
  const passed = identified + equivalent;
  const tooMuch = totals.withCollateral > (rows.length - equivalent) * collateralShare ? 1 : 0;
  return { passed, failed: chosen - passed + tooMuch, skipped: 0 };
}

function equivalents({ rows }: KillTable): string {
  return rows
    .filter(({ verdict }) => verdict === 'equivalent')
    .map(({ deviation }) => `${deviation.id} cannot be seen: ${deviation.equivalent}`)
    .join('\n');
}

/** Fails closed: a gate that ran nothing, could not count or exited badly without a failed test has failed. */
export function gateResult(counts: Counts, code: number, details: string): Counts & { details: string } {
  const counted = Number.isFinite(counts.passed + counts.failed + counts.skipped);
  if (!counted || counts.passed + counts.skipped === 0) return { passed: 0, failed: 1, skipped: 0, details };
  const failed = code !== 0 && counts.failed === 0 ? 1 : counts.failed;
  return { ...counts, failed, details: failed + counts.skipped > 0 ? details : '' };
}
