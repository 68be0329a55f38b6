/** The gates of generated sequences: they find nothing on the sound CSE, and find its deviations. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loader } from '../fixtures/testing/loader.ts';
import { execute } from './execute.ts';
import { type Gate, gateResult, out } from './gates.ts';

const cselab = (...args: readonly string[]) => execute(process.execPath, [...loader(), 'cli.ts', ...args]);

/** Requests without a deviation that each of these must send to a sound CSE. */
const soundSteps = 100_000;
/** Enough sequences for that; with too few, the gate fails. */
const sound = [
  { args: [], sequences: 2400 },
  { args: ['--pair'], sequences: 1600 },
  { args: ['--dialect', 'onem2m'], sequences: 3000 },
  { args: ['--dialect', 'onem2m', '--pair'], sequences: 2700 },
];

/** The reference CSE in either dialect, alone and as a pair: each state of the project has its own sequences. */
export const soundness: Gate = {
  name: 'explorations of the sound CSE',
  async run() {
    const failures: string[] = [];
    for (const one of sound) failures.push(...(await explore(one)));
    return gateResult(
      { passed: sound.length - failures.length, failed: failures.length, skipped: 0 },
      0,
      failures.join('\n'),
    );
  },
};

/** The failures. */
async function explore({ args, sequences }: (typeof sound)[number]): Promise<string[]> {
  const seed = ['--seed', process.env.CSELAB_SEED ?? '1'];
  const runs = ['--runs', String(sequences)];
  const { code, output } = await cselab('explore', '--in-process', ...args, ...seed, ...runs, '--json');
  const steps = Number(/^ {2}"steps": (\d+)/m.exec(output)?.[1] ?? 0);
  return code === 0 && steps >= soundSteps
    ? []
    : [`explore ${args.join(' ')}: ${steps} requests, exit code ${code}\n${output}`];
}

/** Deviations that show only after some event: passes if generated sequences alone find enough of them. */
export const generatedTable: Gate = {
  name: 'deviations found by generators alone',
  async run() {
    const file = join(out, 'mutants-generated.json');
    rmSync(file, { force: true });
    const reports = ['terminal', 'json', 'html'].flatMap((name) => ['--report', name]);
    const { code, output } = await cselab('mutants', '--generators', '--no-color', ...reports);
    const found = foundIn(file);
    // The command itself fails if they find too few, or take too many steps to show one.
    return gateResult({ passed: code === 0 ? found : 0, failed: code === 0 ? 0 : 1, skipped: 0 }, code, output);
  },
};

function foundIn(file: string): number {
  try {
    const { totals } = JSON.parse(readFileSync(file, 'utf8')) as { totals: { verdicts: { found: number } } };
    return totals.verdicts.found;
  } catch {
    return 0;
  }
}
