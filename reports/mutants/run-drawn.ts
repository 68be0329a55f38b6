/** What `cselab mutants --drawn` does once its flags are read. */
import { join, resolve } from 'node:path';
import { type DrawnOptions, type DrawnProgress, type DrawnTable, drawn, UsageError } from '../../scenarios/index.ts';
import type { MutantsFlags } from '../mutants-command.ts';
import { writeWhole } from '../output-file.ts';
import { follow, type Teller } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import type { LineProgress } from '../progress/line-progress.ts';
import { contextOf, type ReportingFlags } from '../reporting.ts';
import { shardChoice } from '../shard-flags.ts';
import { renderDrawnHtml } from './drawn-html.ts';
import { renderDrawnJson } from './drawn-json.ts';
import { renderDrawn } from './drawn-text.ts';
import { outputsOf, usualJobs } from './run-mutants.ts';

export async function runDrawn(ids: readonly string[], flags: MutantsFlags): Promise<void> {
  const outputs = outputsOf(flags, 'mutants-drawn');
  const options = optionsOf(ids, flags);
  await interruptible(async (signal) => {
    const table = await follow(drawn({ ...options, signal }), howFar);
    if (table.interrupted) process.stderr.write(`cselab: interrupted; the same command goes on from ${options.kept}\n`);
    for (const { name, path } of outputs) await writeWhole(path, drawnAs(name, table, flags));
    const alarms = table.rows.some(({ verdict }) => verdict === 'false alarm');
    process.exitCode = table.interrupted ? 130 : alarms ? 1 : 0;
  });
}

function howFar(lines: LineProgress): Teller<DrawnProgress> {
  return ({ what, done, chosen, says }) =>
    what === 'kept' ? lines.line(`${done} of ${chosen} ${says}`) : lines.counting(done, chosen, says);
}

function optionsOf(ids: readonly string[], flags: MutantsFlags): DrawnOptions {
  const {
    drawn: deviations,
    sound,
    deviation,
    wide,
    others,
    sample,
    jobs = usualJobs(),
    seed,
    dialect,
    timeout,
  } = flags;
  const { inPairs, runs, out } = flags;
  const world = worldOf(flags);
  if (ids.length > 0 || deviation || wide || others !== undefined || sample !== undefined)
    throw new UsageError('--drawn and --sound take no ids, and none of --deviation, --wide, --others and --sample');
  if (deviations !== undefined && sound !== undefined) throw new UsageError('give either --drawn or --sound');
  if (sound !== undefined && inPairs) throw new UsageError('--in-pairs goes with --drawn');
  if (jobs < 1) throw new UsageError('--jobs is at least 1');
  const options: DrawnOptions = {
    ...{ count: deviations ?? sound ?? 0, of: sound === undefined ? 'deviations' : 'variations', workers: jobs },
    ...(seed !== undefined && { seed }),
    ...(dialect !== undefined && { dialect }),
    ...(inPairs && { inPairs }),
    ...(world && { world }),
    ...(runs !== undefined && { runs }),
    ...(timeout !== undefined && { limit: timeout }),
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

export function drawnAs(name: 'terminal' | 'json' | 'html', table: DrawnTable, flags: ReportingFlags): string {
  if (name === 'json') return renderDrawnJson(table);
  if (name === 'html') return renderDrawnHtml(table);
  const { color, columns, verbose } = contextOf(flags);
  return renderDrawn(table, { color, columns, verbose });
}
