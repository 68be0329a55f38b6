/** The lines of a ledger on disk: what a run is about to create, and the outcome. Never a secret. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { defined } from '../engine/basics/defined.ts';
import type { CseNames } from '../engine/messages/address.ts';
import type { Target } from '../engine/messages/target.ts';
import type { CertificateFiles } from '../engine/targets/credentials.ts';
import type { MemberName } from '../engine/targets/installation.ts';
import type { Parties } from '../engine/targets/reach-url.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import type { Redactor } from '../secrets/redactor.ts';

type Tls = NonNullable<UrlChoice['tls']>;

interface LedgerCse extends CseNames, Pick<UrlChoice, 'serialization'> {
  readonly url: string;
}

/** The first line: all that it takes to reach the target again, except secrets. */
export interface RunLine extends Pick<Parties, 'dialect' | 'release' | 'admin' | 'originator'> {
  readonly kind: 'run';
  /** Of this format. */
  readonly ledger: 1;
  readonly run: string;
  readonly startedAt: string;
  readonly pid: number;
  readonly host: string;
  readonly gateway: LedgerCse;
  readonly backend?: LedgerCse;
  /** Whether one of these is a secret, and in no line. */
  readonly withheld?: true;
  /** Paths of files. */
  readonly tls?: Omit<Tls, 'own'> & Partial<Pick<CertificateFiles, 'cert' | 'key' | 'type'>>;
  /** Names of the headers that every request carried; their values may be secret. */
  readonly headers?: readonly string[];
}

/** Written before the request is sent. */
export interface CreatingLine {
  readonly kind: 'creating';
  readonly number: number;
  readonly on: MemberName;
  /** Path of the parent. */
  readonly in: string;
  /** The requested resource name. */
  readonly name?: string;
  readonly originator?: string;
  readonly certificate?: string;
}

export type ChangeLine =
  | CreatingLine
  /** Its paths, according to the answer. */
  | { readonly kind: 'created'; readonly number: number; readonly paths: readonly string[] }
  /** A read has shown that this path from an answer leads to it. */
  | { readonly kind: 'proved'; readonly number: number; readonly path: string }
  | { readonly kind: 'refused'; readonly number: number }
  /** No answer, so nobody knows. */
  | { readonly kind: 'silent'; readonly number: number }
  | { readonly kind: 'gone'; readonly on: MemberName; readonly path: string };

export type LedgerLine = RunLine | ChangeLine;

/** What removing by a ledger rests on. */
const cse = z.looseObject({ url: z.string(), base: z.string(), cseId: z.string(), spId: z.string() });
const runLine = z.looseObject({
  ...{ kind: z.literal('run'), ledger: z.literal(1), run: z.string().regex(/^[0-9a-z]{7}$/), startedAt: z.string() },
  ...{ gateway: cse, backend: cse.optional() },
});
const on = z.enum(['gateway', 'backend']);
const number = z.int();
const changeLine = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('creating'), number, on, in: z.string(), name: z.string().optional() }),
  z.looseObject({ kind: z.literal('created'), number, paths: z.array(z.string()) }),
  z.looseObject({ kind: z.literal('proved'), number, path: z.string() }),
  z.looseObject({ kind: z.enum(['refused', 'silent']), number }),
  z.looseObject({ kind: z.literal('gone'), on, path: z.string() }),
]);

export const isRunLine = (line: unknown): line is RunLine => runLine.safeParse(line).success;
export const isChangeLine = (line: unknown): line is ChangeLine => changeLine.safeParse(line).success;

/** Prefix of every name of a run. */
export function labelOfRun(run: string): string {
  return `cl-${run}-`;
}

/**
 * A line of a ledger without originators that hold a secret, such as one from the environment: whoever cleans up names them
 * again. Addresses stay, since nothing could be removed without them.
 */
export function withoutSecrets<L extends LedgerLine>(line: L, redactor: Redactor): L {
  const isOpen = (value: unknown) => typeof value !== 'string' || redactor.text(value) === value;
  const all = Object.entries(line);
  const open = all.filter(([key, value]) => !/^(admin|originator)$/.test(key) || isOpen(value));
  if (open.length === all.length) return line;
  return Object.fromEntries([...open, ...(line.kind === 'run' ? [['withheld', true]] : [])]) as L;
}

/** The first line of the ledger of a run that this process begins. */
export function runLineOf(
  { run, startedAt }: Pick<RunLine, 'run' | 'startedAt'>,
  { headers = [], tls }: Pick<UrlChoice, 'headers' | 'tls'>,
  { gateway, backend, dialect, release, admin, originator }: Parties,
): RunLine {
  return {
    kind: 'run',
    ledger: 1,
    run,
    startedAt,
    pid: process.pid,
    host: hostname(),
    gateway: cseOf(gateway),
    ...(backend && { backend: cseOf(backend) }),
    ...{ dialect, release, ...defined({ admin, originator, tls: tls && filesOf(tls) }) },
    ...(headers.length > 0 && { headers: headers.map(([name]) => name) }),
  };
}

function cseOf({ description: { url, base, cseId, spId, serialization } }: Target): LedgerCse {
  return { url, base, cseId, spId, ...defined({ serialization }) };
}

/** Never the passphrase. */
function filesOf({ own, cacert, insecure, certs, requireCert }: Tls): NonNullable<RunLine['tls']> {
  const { cert, key, type } = own ?? {};
  const path = (file: string | undefined) => (file === undefined ? undefined : resolve(file));
  const files = { cert: path(cert), key: path(key), cacert: path(cacert), certs: path(certs) };
  return defined({ ...files, type, insecure, requireCert });
}
