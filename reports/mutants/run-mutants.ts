/** What `cselab mutants` does once its flags are read, in each of its three ways. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import {
  chosenFaults,
  type DrawnOptions,
  type DrawnTable,
  defined,
  drawn,
  exitOf,
  exitOfGenerated,
  faultsToFind,
  type GeneratedOptions,
  type GeneratedTable,
  generated,
  type KillTable,
  type MutantsOptions,
  mutants,
  type Progress,
  UsageError,
} from '../../scenarios/index.ts';
import type { MutantsFlags } from '../commands/mutants.ts';
import { renderPage } from '../document/html.tsx';
import type { Document } from '../document/model.ts';
import { renderText } from '../document/terminal.ts';
import { visibleJson } from '../json/json-reporter.ts';
import { writeWhole } from '../output-file.ts';
import { follow, type Teller } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import type { LineProgress } from '../progress/line-progress.ts';
import { contextOf, type ReportingFlags } from '../reporting.ts';
import { shardChoice } from '../shard-flags.ts';
import { drawnDocument } from './drawn-document.ts';
import { generatedDocument } from './generated-document.ts';
import { killDocument } from './kill-document.ts';
import { drawnReport, generatedReport, killReport } from './schema.ts';

export async function runMutants(ids: readonly string[], flags: MutantsFlags): Promise<void> {
  if (flags.generators) return runGenerated(ids, flags);
  if (flags.drawn !== undefined || flags.sound !== undefined) return runDrawn(ids, flags);
  const outputs = outputsOf(flags);
  const options = killOptions(ids, flags);
  if (flags.list) return list(await chosenFaults(options));
  await interruptible(async (signal) => {
    const table = await follow(mutants({ ...options, signal }), howFar);
    await writeAll(outputs, { json: { ...killReport.format, ...table }, document: killDocument(table) }, flags);
    process.exitCode = exitOf(table);
  });
}

async function runGenerated(ids: readonly string[], flags: MutantsFlags): Promise<void> {
  const outputs = outputsOf(flags, 'mutants-generated');
  const options = generatedOptions(ids, flags);
  if (flags.list) return list(await faultsToFind(options));
  await interruptible(async (signal) => {
    const table = await follow(generated({ ...options, signal }), howFar);
    await writeAll(
      outputs,
      { json: { ...generatedReport.format, ...table }, document: generatedDocument(table) },
      flags,
    );
    await writeScenarios(table, flags);
    process.exitCode = exitOfGenerated(table);
  });
}

async function runDrawn(ids: readonly string[], flags: MutantsFlags): Promise<void> {
  const outputs = outputsOf(flags, 'mutants-drawn');
  const options = drawnOptions(ids, flags);
  await interruptible(async (signal) => {
    const table = await follow(drawn({ ...options, signal }), howFar);
    if (table.interrupted) process.stderr.write(`cselab: interrupted; the same command goes on from ${options.kept}\n`);
    await writeDrawn(outputs, table, flags);
    const alarms = table.rows.some(({ verdict }) => verdict === 'false alarm');
    process.exitCode = table.interrupted ? 130 : alarms ? 1 : 0;
  });
}

export function writeDrawn(outputs: readonly Output[], table: DrawnTable, flags: ReportingFlags): Promise<void> {
  return writeAll(outputs, { json: { ...drawnReport.format, ...table }, document: drawnDocument(table) }, flags);
}

/** Each counterexample as a scenario file, by the fault that it shows. */
async function writeScenarios({ rows }: GeneratedTable, { out }: MutantsFlags): Promise<void> {
  for (const { fault, trophy } of rows) {
    if (trophy !== undefined)
      await writeWhole(join(resolve(out), 'mutants-generated', `${fault.id}.yaml`), trophy.scenario);
  }
}

function killOptions(ids: readonly string[], flags: MutantsFlags): MutantsOptions {
  const { deviation = [], wide, others, jobs = usualJobs(), sample, timeout: limit } = flags;
  if (jobs < 1 || sample === 0) throw new UsageError(`--${jobs < 1 ? 'jobs' : 'sample'} is at least 1`);
  if (wide && others !== undefined) throw new UsageError('--wide runs every scenario; there are no --others');
  const breadth = wide ? ({ kind: 'wide' } as const) : ({ kind: 'narrow', ...defined({ others }) } as const);
  return { requirements: ids, ids: deviation, breadth, workers: jobs, ...sampled(sample), ...defined({ limit }) };
}

function generatedOptions(ids: readonly string[], flags: MutantsFlags): GeneratedOptions {
  const { deviation = [], wide, others, jobs = usualJobs(), sample, timeout: limit, runs, seed } = flags;
  if (wide || others !== undefined)
    throw new UsageError('--generators run no scenarios; there are no --wide and --others');
  if (jobs < 1 || sample === 0 || runs === 0) throw new UsageError('--jobs, --sample and --runs are at least 1');
  return { requirements: ids, ids: deviation, workers: jobs, ...sampled(sample), ...defined({ limit, runs, seed }) };
}

function sampled(size: number | undefined): { readonly sample?: { readonly size: number } } {
  return size === undefined ? {} : { sample: { size } };
}

function drawnOptions(ids: readonly string[], flags: MutantsFlags): DrawnOptions {
  const { drawn: deviations, sound, deviation, wide, others, sample, list: listed, jobs = usualJobs() } = flags;
  const { inPairs, runs, out, seed, dialect, timeout: limit } = flags;
  const world = worldOf(flags);
  if (ids.length > 0 || deviation || wide || others !== undefined || sample !== undefined || listed)
    throw new UsageError(
      '--drawn and --sound take no ids, and none of --deviation, --wide, --others, --sample and --list',
    );
  if (deviations !== undefined && sound !== undefined) throw new UsageError('give either --drawn or --sound');
  if (sound !== undefined && inPairs) throw new UsageError('--in-pairs goes with --drawn');
  if (jobs < 1) throw new UsageError('--jobs is at least 1');
  const options: DrawnOptions = {
    ...{ count: deviations ?? sound ?? 0, of: sound === undefined ? 'deviations' : 'variations', workers: jobs },
    ...defined({ seed, dialect, inPairs, world, runs, limit }),
    ...shardChoice(flags),
  };
  return { ...options, kept: join(resolve(out), keptName(options)) };
}

function worldOf({ tls, pair, sound, inPairs }: MutantsFlags): DrawnOptions['world'] {
  if (!tls && !pair) return undefined;
  if (tls && pair) throw new UsageError('give either --tls or --pair');
  if (sound !== undefined || inPairs) throw new UsageError('--tls and --pair go with --drawn, one deviation at a time');
  return tls ? 'tls' : 'pair';
}

/** Runs that go on at the same time have each their own. */
function keptName({ of, dialect = 'documented', seed = 1, inPairs, world, shard }: DrawnOptions): string {
  const part = shard === undefined ? [] : [`${shard.index}-of-${shard.count}`];
  return `mutants-${[of, dialect, seed, ...(inPairs ? ['in-pairs'] : []), ...(world ? [world] : []), ...part].join('-')}.ndjson`;
}

/** Some faults are waited for, so that two processes do not quite keep two processors busy. */
function usualJobs(): number {
  return 2 * availableParallelism();
}

function list(faults: KillTable['leftToGenerators']): void {
  for (const { id, violates, says } of faults) {
    process.stdout.write(`${id}\n    ${says}\n    breaks ${violates}\n`);
  }
}

function howFar(lines: LineProgress): Teller<Progress> {
  return ({ isKept, done, chosen, says }) =>
    isKept ? lines.line(`${done} of ${chosen} ${says}`) : lines.counting(done, chosen, says);
}

const names = ['terminal', 'json', 'html'] as const;

interface Output {
  readonly name: (typeof names)[number];
  /** `-` is stdout. */
  readonly path: string;
}

/** `stem`: how files are called that have no path. */
export function outputsOf({ report, json, out }: MutantsFlags, stem = 'mutants'): Output[] {
  const words = report ?? (json ? ['json=-'] : ['terminal']);
  const outputs = words.map((word): Output => {
    const [name = '', ...rest] = word.split('=');
    const known = names.find((one) => one === name);
    if (known === undefined) throw new UsageError(`unknown report "${name}"; there are ${names.join(', ')}`);
    const given = rest.join('=');
    if (rest.length > 0 && given === '') throw new UsageError(`report "${word}" names no file after the =`);
    if (given !== '') return { name: known, path: given === '-' ? '-' : resolve(given) };
    return { name: known, path: known === 'terminal' ? '-' : join(resolve(out), `${stem}.${known}`) };
  });
  if (json && report !== undefined) outputs.push({ name: 'json', path: '-' });
  const twice = outputs.find(({ path }, index) => outputs.findIndex((other) => other.path === path) !== index);
  if (twice !== undefined)
    throw new UsageError(`two reports would be written to ${twice.path === '-' ? 'stdout' : twice.path}`);
  return outputs;
}

interface Told {
  readonly json: object;
  readonly document: Document;
}

async function writeAll(outputs: readonly Output[], { json, document }: Told, flags: ReportingFlags): Promise<void> {
  const telling = {
    json: () => `${visibleJson(json, 2)}\n`,
    html: () => renderPage(document),
    terminal: () => renderText(document, contextOf(flags)),
  };
  for (const { name, path } of outputs) await writeWhole(path, telling[name]());
}
