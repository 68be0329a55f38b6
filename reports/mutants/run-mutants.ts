/** What `cselab mutants` does once its flags are read. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import {
  chosenFaults,
  exitOf,
  type KillTable,
  type MutantsOptions,
  mutants,
  UsageError,
} from '../../scenarios/index.ts';
import type { MutantsFlags } from '../mutants-command.ts';
import { writeWhole } from '../output-file.ts';
import { follow, type Teller } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import type { LineProgress } from '../progress/line-progress.ts';
import { contextOf } from '../reporting.ts';
import { renderMutantsHtml } from './mutants-html.ts';
import { renderMutantsJson } from './mutants-json.ts';
import { renderMutants } from './mutants-text.ts';

export async function runMutants(ids: readonly string[], flags: MutantsFlags): Promise<void> {
  const outputs = outputsOf(flags);
  const options = optionsOf(ids, flags);
  if (flags.list) return list(await chosenFaults(options));
  await interruptible(async (signal) => {
    const table = await follow(mutants({ ...options, signal }), howFar);
    for (const { name, path } of outputs) await writeWhole(path, rendered(name, table, flags));
    process.exitCode = exitOf(table);
  });
}

function optionsOf(ids: readonly string[], flags: MutantsFlags): MutantsOptions {
  const { deviation = [], wide, others, jobs = usualJobs(), sample, timeout } = flags;
  if (jobs < 1 || sample === 0) throw new UsageError(`--${jobs < 1 ? 'jobs' : 'sample'} is at least 1`);
  if (wide && others !== undefined) throw new UsageError('--wide runs every scenario; there are no --others');
  const narrow = { kind: 'narrow', ...(others !== undefined && { others }) } as const;
  return {
    ...{ requirements: ids, ids: deviation, breadth: wide ? { kind: 'wide' } : narrow, workers: jobs },
    ...(sample !== undefined && { sample: { size: sample } }),
    ...(timeout !== undefined && { limit: timeout }),
  };
}

/** Some faults are waited for, so that two processes do not quite keep two processors busy. */
export function usualJobs(): number {
  return 2 * availableParallelism();
}

export function list(faults: KillTable['leftToGenerators']): void {
  for (const { id, violates, says } of faults) {
    process.stdout.write(`${id}\n    ${says}\n    breaks ${violates}\n`);
  }
}

interface OneMore {
  readonly done: number;
  readonly chosen: number;
  readonly row: { readonly fault: { readonly id: string }; readonly verdict: string };
}

export function howFar(lines: LineProgress): Teller<OneMore> {
  return ({ done, chosen, row }) => lines.counting(done, chosen, `faults: ${row.fault.id} ${row.verdict}`);
}

const names = ['terminal', 'json', 'html'] as const;
type Name = (typeof names)[number];

interface Output {
  readonly name: Name;
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

function rendered(name: Name, table: KillTable, flags: MutantsFlags): string {
  if (name === 'json') return renderMutantsJson(table);
  if (name === 'html') return renderMutantsHtml(table);
  const { color, columns, verbose } = contextOf(flags);
  return renderMutants(table, { color, columns, verbose });
}
