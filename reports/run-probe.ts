/** What `cselab probe` does once its flags are read. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ProbeResult, probe, type TargetChoice, targetFileText, UsageError } from '../scenarios/index.ts';
import { writeWhole } from './output-file.ts';
import { passphraseAsker } from './passphrase.ts';
import type { ProbeFlags } from './probe-command.ts';
import { probeTable } from './probe-table.ts';
import { targetOf } from './target-flags.ts';
import { visibleText } from './visible-text.ts';

const exitCodes: Readonly<Record<ProbeResult['outcome'], number>> = {
  found: 0,
  unreachable: 3,
  'no cse': 4,
  interrupted: 130,
};
const interruptions = ['SIGINT', 'SIGTERM'] as const;

export async function runProbe(url: string, flags: ProbeFlags): Promise<void> {
  const { out, force, write = false, timeout } = flags;
  if (out !== undefined && !force && existsSync(out)) {
    throw new UsageError(`${out} is there already; --force writes over it`);
  }
  const choice = choiceOf(url, flags);
  const interrupt = new AbortController();
  const onInterrupt = () => (interrupt.signal.aborted ? leave(write) : interrupt.abort());
  for (const signal of interruptions) process.on(signal, onInterrupt);
  const result = await probe(choice, { write, timeout, signal: interrupt.signal });
  for (const signal of interruptions) process.off(signal, onInterrupt);
  process.exitCode = exitCodes[result.outcome];
  print(result, flags);
  if (out !== undefined) await writeTarget(out, result, choice);
}

/** Who interrupts twice does not wait for what is being removed. */
function leave(wrote: boolean): never {
  if (wrote) process.stderr.write('cselab: stopped; a resource cselab-probe-… may be left, which expires by itself\n');
  process.exit(130);
}

type UrlChoice = Extract<TargetChoice, { kind: 'url' }>;

/** Of what is not said, everything is found out. */
function choiceOf(url: string, flags: ProbeFlags): UrlChoice {
  const passphrase = process.env.CSELAB_PASSPHRASE;
  const askPassphrase = passphraseAsker(process.stdin, process.stderr);
  const secrets = { ...(passphrase !== undefined && { passphrase }), ...(askPassphrase && { askPassphrase }) };
  const choice = targetOf({ ...flags, url }, secrets);
  if (choice.kind !== 'url') throw new UsageError('a URL is needed, such as http://127.0.0.1:8000');
  return choice;
}

function print(result: ProbeResult, { json }: ProbeFlags): void {
  const columns = Math.min(process.stdout.columns ?? 80, 120);
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : probeTable(result, columns));
  if (result.outcome !== 'found') process.stderr.write(`cselab: ${visibleText(result.says)}\n`);
  for (const path of result.leftBehind) {
    process.stderr.write(
      `cselab: ${visibleText(path)} could not be removed; it expires by itself where the target sees to that\n`,
    );
  }
}

async function writeTarget(out: string, result: ProbeResult, choice: UrlChoice): Promise<void> {
  const { target, outcome } = result;
  if (target === undefined || outcome !== 'found') {
    process.stderr.write(`cselab: ${out} was not written\n`);
    return;
  }
  const directory = dirname(resolve(out));
  const date = new Date().toISOString().slice(0, 10);
  await writeWhole(out, targetFileText({ ...result, target }, { choice, directory, date }));
  process.stderr.write(`cselab: wrote ${out}; go on with cselab check --target ${out}\n`);
}
