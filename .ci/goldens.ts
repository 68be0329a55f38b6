/**
 * What a redesign must not change, verdict by verdict: `node --import tsx .ci/goldens.ts write FILE` before it, `… compare FILE` after each
 * step. Runs `check` in both dialects, explorations, comparisons, forty written deviations by every scenario of their dialect, and some that
 * a seed draws behind TLS and in a pair. Prints each difference with the former verdict; exits with 1 if there is one. Takes some ten minutes.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

interface Report {
  readonly requirements?: ReadonlyArray<{
    readonly id: string;
    readonly verdict: string;
    readonly violations: object[];
  }>;
  readonly causes?: ReadonlyArray<{ readonly requirement: string; readonly others: readonly string[] }>;
  readonly rows?: ReadonlyArray<{
    readonly deviation?: { readonly id: string };
    readonly says?: string;
    readonly verdict: string;
    readonly violations: ReadonlyArray<{ readonly requirement: string }>;
  }>;
}

type Line = readonly [what: string, is: string];

const seeds = ['--seed', '1', '--runs', '200'];
const dialectArgs = [[], ['--dialect', 'onem2m']];
const wrong = ['--deviation', 'container.cni.one-behind'];
const drawn = ['mutants', '--drawn', '4', '--seed', '1', '--runs', '0'];
const summaryRuns: readonly (readonly string[])[] = [
  ...dialectArgs.map((dialect) => ['explore', '--in-process', ...seeds, ...dialect]),
  ['explore', '--pair', ...seeds],
  ['explore', '--in-process', ...seeds, ...wrong],
  ['explore', '--wire', ...seeds],
  ['explore', '--concurrency', '3', ...seeds],
  ['diff', '--in-process', ...seeds],
  ['diff', '--in-process', ...seeds, ...wrong],
];
const reportRuns: readonly (readonly string[])[] = [
  ...dialectArgs.map((dialect) => ['check', ...dialect]),
  ['check', '--dialect', 'onem2m', '--release', '2a'],
  ['mutants', '--wide', '--sample', '40'],
  ...dialectArgs.flatMap((dialect) => [
    [...drawn, ...dialect, '--tls'],
    [...drawn, ...dialect, '--pair'],
  ]),
];

function run(args: readonly string[]) {
  console.error(`cselab ${args.join(' ')}`);
  const jobs = args[0] === 'mutants' ? ['--jobs', String(availableParallelism())] : [];
  const command = ['--import', 'tsx', 'cli.ts', ...args, ...jobs, '--no-color', '--out', tmpdir()];
  return spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 2 ** 30 });
}

/** The exit code, and the last line. */
function lastWords(args: readonly string[]): Line {
  const { status, stdout } = run(args);
  const lastLine = /^.* is violated.*|^Nothing found.*|^\d+ differences?:.*/m.exec(stdout)?.[0] ?? '';
  return [args.join(' '), `${status} ${lastLine}`.trim()];
}

function verdicts(args: readonly string[]): Line[] {
  const file = join(tmpdir(), `cselab-golden-${process.pid}.json`);
  run([...args, '--report', `json=${file}`]);
  const { requirements = [], causes = [], rows = [] } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const name = args.join(' ');
  return [
    ...requirements.map(({ id, verdict, violations }): Line => [`${name}: ${id}`, `${verdict} ${violations.length}`]),
    ...causes.map(({ requirement, others }): Line => [`${name}: cause ${requirement}`, others.join(' ')]),
    ...rows.map(({ deviation, says, verdict, violations }): Line => {
      const ids = [...new Set(violations.map(({ requirement }) => requirement))];
      return [`${name}: ${deviation?.id ?? says}`, [verdict, ...ids].join(' ')];
    }),
  ];
}

const [mode, file = ''] = process.argv.slice(2);
if ((mode !== 'write' && mode !== 'compare') || file === '') {
  console.error('usage: node --import tsx .ci/goldens.ts write|compare FILE');
  process.exit(2);
}
const now = new Map([...summaryRuns.map(lastWords), ...reportRuns.flatMap(verdicts)]);
if (mode === 'write') writeFileSync(file, `${JSON.stringify(Object.fromEntries(now), null, 1)}\n`);
else {
  const before = new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>));
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter((what) => before.get(what) !== now.get(what));
  for (const what of changed)
    console.log(`${what}\n  was ${before.get(what) ?? 'absent'}\n  is  ${now.get(what) ?? 'absent'}`);
  console.log(`${changed.length} of ${now.size} differ`);
  process.exitCode = changed.length > 0 ? 1 : 0;
}
