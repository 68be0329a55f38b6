/** What `cselab record` does once its flags are read. */
import { existsSync, readFileSync } from 'node:fs';
import { type RecordOptions, record, UsageError } from '../scenarios/index.ts';
import type { RecordFlags } from './commands/record.ts';
import { chosenMasked, maskOutput } from './masked-streams.ts';
import { visibleText } from './visible-text.ts';
import { counted } from './wording.ts';

export async function runRecord(flags: RecordFlags): Promise<void> {
  const redactor = maskOutput([]);
  const { target, dialect } = chosenMasked(flags, redactor);
  if (target.kind !== 'url') throw new UsageError('record needs a target: give --url or --target');
  if (flags.port > 65_535) throw new UsageError('--port is a port up to 65535');
  if (existsSync(flags.out) && flags.force !== true) {
    throw new UsageError(`${flags.out} exists; --force replaces it`);
  }
  const tell = (sentence: string) => process.stderr.write(`cselab: ${visibleText(sentence)}\n`);
  const progress = { count: 0 };
  const found = new Set<string>();
  const { out, port, timeout, interface: address } = flags;
  const recorder = await record({
    target: { ...target, dialect },
    ...{ out, port, timeout, address, redactor },
    ...listeningTls(flags),
    onLost: tell,
    ...(flags.judge && {
      judge: {
        isAlone: flags.alone === true,
        onFound({ requirement, expected, actual }, { method, path }) {
          found.add(requirement);
          tell(`${requirement} is violated by ${method} ${path}: expected ${expected.join(', or ')}; ${actual}`);
        },
      },
    }),
    onRecorded(count, { request: { method, path }, answer: { status } }) {
      progress.count = count;
      tell(`${method} ${path} ${status}`);
    },
  });
  process.stdout.write(`recording ${target.url} at ${recorder.url} to ${out}; Ctrl-C ends it\n`);
  if (!recorder.notifies)
    tell('notifications are not recorded; --inbox-host names this machine as the target reaches it');
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await recorder.close();
  if (found.size > 0) process.exitCode = 1;
  process.stdout.write(`${counted(progress.count, 'request')} in ${out}\n`);
}

function listeningTls({ listenCert, listenKey, listenCa }: RecordFlags): Pick<RecordOptions, 'tls'> {
  if (listenCert === undefined && listenKey === undefined) {
    if (listenCa !== undefined) throw new UsageError('--listen-ca goes with --listen-cert and --listen-key');
    return {};
  }
  if (listenCert === undefined || listenKey === undefined) {
    throw new UsageError('--listen-cert and --listen-key go together');
  }
  const ca = listenCa === undefined ? {} : { ca: textOf(listenCa) };
  return { tls: { cert: textOf(listenCert), key: textOf(listenKey), ...ca } };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
