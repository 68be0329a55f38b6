/** What `cselab mutants --drawn` does once its flags are read. */
import { type DrawnOptions, type DrawnTable, drawn, UsageError } from '../../scenarios/index.ts';
import type { MutantsFlags } from '../mutants-command.ts';
import { writeWhole } from '../output-file.ts';
import { follow } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import { contextOf } from '../reporting.ts';
import { renderDrawn } from './drawn-text.ts';
import { shownJson } from './mutants-json.ts';
import { outputsOf, usualJobs } from './run-mutants.ts';

export async function runDrawn(ids: readonly string[], flags: MutantsFlags): Promise<void> {
  const outputs = outputsOf(flags, 'mutants-drawn');
  if (outputs.some(({ name }) => name === 'html'))
    throw new UsageError('--drawn and --sound report to the terminal or as JSON');
  const options = optionsOf(ids, flags);
  await interruptible(async (signal) => {
    const table = await follow(
      drawn({ ...options, signal }),
      (lines) =>
        ({ done, chosen, row }) =>
          lines.counting(done, chosen, `drawn: ${row.says} ${row.verdict}`),
    );
    for (const { name, path } of outputs) await writeWhole(path, rendered(name, table, flags));
    const alarms = table.rows.some(({ verdict }) => verdict === 'false alarm');
    process.exitCode = table.interrupted ? 130 : alarms ? 1 : 0;
  });
}

function optionsOf(ids: readonly string[], flags: MutantsFlags): DrawnOptions {
  const { drawn: deviations, sound, fault, wide, others, sample, jobs = usualJobs(), seed, dialect, timeout } = flags;
  if (ids.length > 0 || fault || wide || others !== undefined || sample !== undefined)
    throw new UsageError('--drawn and --sound take no ids, and none of --fault, --wide, --others and --sample');
  if (deviations !== undefined && sound !== undefined) throw new UsageError('give either --drawn or --sound');
  if (jobs < 1) throw new UsageError('--jobs is at least 1');
  return {
    ...{ count: deviations ?? sound ?? 0, of: sound === undefined ? 'deviations' : 'variations', workers: jobs },
    ...(seed !== undefined && { seed }),
    ...(dialect !== undefined && { dialect }),
    ...(timeout !== undefined && { limit: timeout }),
  };
}

function rendered(name: 'terminal' | 'json' | 'html', table: DrawnTable, flags: MutantsFlags): string {
  if (name === 'json') return shownJson(table);
  const { color, columns, verbose } = contextOf(flags);
  return renderDrawn(table, { color, columns, verbose });
}
