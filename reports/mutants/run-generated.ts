/** What `cselab mutants --generators` does once its flags are read. */
import { join, resolve } from 'node:path';
import {
  exitOfGenerated,
  faultsToFind,
  type GeneratedOptions,
  type GeneratedTable,
  generated,
  UsageError,
} from '../../scenarios/index.ts';
import type { MutantsFlags } from '../mutants-command.ts';
import { writeWhole } from '../output-file.ts';
import { follow } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import { contextOf } from '../reporting.ts';
import { renderGeneratedHtml } from './generated-html.ts';
import { renderGeneratedJson } from './generated-json.ts';
import { renderGenerated } from './generated-text.ts';
import { howFar, list, outputsOf, usualJobs } from './run-mutants.ts';

export async function runGenerated(ids: readonly string[], flags: MutantsFlags): Promise<void> {
  const outputs = outputsOf(flags, 'mutants-generated');
  const options = optionsOf(ids, flags);
  if (flags.list) return list(await faultsToFind(options));
  await interruptible(async (signal) => {
    const table = await follow(generated({ ...options, signal }), howFar);
    for (const { name, path } of outputs) await writeWhole(path, rendered(name, table, flags));
    await writeScenarios(table, flags);
    process.exitCode = exitOfGenerated(table);
  });
}

function optionsOf(ids: readonly string[], flags: MutantsFlags): GeneratedOptions {
  const { deviation = [], wide, others, jobs = usualJobs(), sample, timeout, runs, seed } = flags;
  if (wide || others !== undefined)
    throw new UsageError('--generators run no scenarios; there are no --wide and --others');
  if (jobs < 1 || sample === 0 || runs === 0) throw new UsageError('--jobs, --sample and --runs are at least 1');
  return {
    ...{ requirements: ids, ids: deviation, workers: jobs },
    ...(sample !== undefined && { sample: { size: sample } }),
    ...(timeout !== undefined && { limit: timeout }),
    ...(runs !== undefined && { runs }),
    ...(seed !== undefined && { seed }),
  };
}

function rendered(name: 'terminal' | 'json' | 'html', table: GeneratedTable, flags: MutantsFlags): string {
  if (name === 'json') return renderGeneratedJson(table);
  if (name === 'html') return renderGeneratedHtml(table);
  const { color, columns, verbose } = contextOf(flags);
  return renderGenerated(table, { color, columns, verbose });
}

/** Each counterexample as a scenario file, by the fault that it shows. */
async function writeScenarios({ rows }: GeneratedTable, { out }: MutantsFlags): Promise<void> {
  for (const { fault, trophy } of rows) {
    if (trophy !== undefined)
      await writeWhole(join(resolve(out), 'mutants-generated', `${fault.id}.yaml`), trophy.scenario);
  }
}
