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
import { contextOf } from '../reporting.ts';
import { cut } from '../terminal/wrap.ts';
import { renderGeneratedHtml } from './generated-html.ts';
import { renderGeneratedJson } from './generated-json.ts';
import { renderGenerated } from './generated-text.ts';
import { interruptions, list, outputsOf, usualJobs } from './run-mutants.ts';

export async function runGenerated(ids: readonly string[], flags: MutantsFlags): Promise<void> {
  const outputs = outputsOf(flags, 'mutants-generated');
  const interrupt = new AbortController();
  const options = optionsOf(ids, flags, interrupt.signal);
  if (flags.list) return list(await faultsToFind(options));
  const onInterrupt = () => (interrupt.signal.aborted ? process.exit(130) : interrupt.abort());
  for (const signal of interruptions) process.on(signal, onInterrupt);
  try {
    const table = await hunted(options, flags);
    for (const { name, path } of outputs) await writeWhole(path, rendered(name, table, flags));
    await writeScenarios(table, flags);
    process.exitCode = exitOfGenerated(table);
  } finally {
    for (const one of interruptions) process.off(one, onInterrupt);
  }
}

function optionsOf(ids: readonly string[], flags: MutantsFlags, signal: AbortSignal): GeneratedOptions {
  const { fault = [], wide, others, jobs = usualJobs(), sample, timeout, runs, seed } = flags;
  if (wide || others !== undefined)
    throw new UsageError('--generators run no scenarios; there are no --wide and --others');
  if (jobs < 1 || sample === 0 || runs === 0) throw new UsageError('--jobs, --sample and --runs are at least 1');
  return {
    ...{ requirements: ids, ids: fault, workers: jobs, signal },
    ...(sample !== undefined && { sample: { size: sample } }),
    ...(timeout !== undefined && { limit: timeout }),
    ...(runs !== undefined && { runs }),
    ...(seed !== undefined && { seed }),
  };
}

const eraseLine = '\r\u001b[2K';

/** Says how far it is where stderr is a terminal. */
async function hunted(options: GeneratedOptions, flags: MutantsFlags): Promise<GeneratedTable> {
  const { isTTY, columns, stderr } = contextOf(flags);
  const events = generated(options);
  let step = await events.next();
  for (; !step.done; step = await events.next()) {
    const { done, chosen, row } = step.value;
    if (isTTY)
      stderr.write(eraseLine + cut(`${done} of ${chosen} faults: ${row.fault.id} ${row.verdict}`, columns - 1));
  }
  if (isTTY) stderr.write(eraseLine);
  return step.value;
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
