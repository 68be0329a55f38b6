/** The target of a command: from its file, overridden by the command line. */

import { existsSync } from 'node:fs';
import type { TargetChoice } from '../../scenarios/index.ts';
import { type ReadTarget, readTargetFile, targetFilePath } from '../../scenarios/results.ts';
import { type Dialect, defined, UsageError } from '../../scenarios/words.ts';
import { written } from '../../sim/command-line/flag.ts';
import { type TargetFlags, urlFlags } from './target-flags.ts';

export interface ChosenTarget {
  readonly target: TargetChoice;
  readonly dialect: Dialect;
  /** Scenarios at the same time, if set. */
  readonly jobs?: number;
  /** Milliseconds for each request, if set. */
  readonly timeout?: number;
  /** Values of the target file from the environment, never to be shown. */
  readonly secrets: readonly string[];
  /** Files that the target file inherits. */
  readonly inherited?: ReadTarget['brought'];
}

export interface ChosenFlags extends TargetFlags {
  readonly jobs?: number;
  readonly timeout?: number;
}

export interface Secrets {
  /** From the environment. */
  readonly passphrase?: string;
  /** Absent without a terminal. */
  readonly askPassphrase?: (file: string) => Promise<string>;
}

type UrlTarget = Extract<TargetChoice, { kind: 'url' }>;
type Tls = NonNullable<UrlTarget['tls']>;

/**
 * Reads the file that `--target` names, if any. Throws UsageError for flags that do not go together or a file that does not
 * exist, ScenarioFilesError for a file that cannot be used.
 */
export function chosenTarget(flags: ChosenFlags, secrets: Secrets = {}): ChosenTarget {
  const { target: name, inProcess, jobs, timeout, dialect } = flags;
  if (name !== undefined && inProcess) throw new UsageError('--target and --in-process exclude each other');
  const file = name === undefined ? undefined : readTargetFile(targetFilePath(name));
  const target = targetOf(flags, secrets, file?.choice);
  const isOverHttp = target.kind !== 'url' || !/^(?!https?:)[a-z]+:/i.test(target.url);
  return {
    target,
    // The documented interface is HTTP alone: other bindings speak the standard.
    dialect: dialect ?? file?.choice.dialect ?? (isOverHttp ? 'documented' : 'onem2m'),
    ...defined({ jobs: jobs ?? file?.jobs, timeout: timeout ?? file?.timeout }),
    secrets: file?.secrets ?? [],
    ...defined({ inherited: file?.brought }),
  };
}

function targetOf(flags: TargetFlags, secrets: Secrets, file: ReadTarget['choice'] | undefined): TargetChoice {
  const { inProcess, inboxHost, risky } = flags;
  if (flags.url !== undefined && inProcess) throw new UsageError('--url and --in-process exclude each other');
  const url = flags.url ?? file?.url;
  if (url === undefined) return withoutUrl(flags, file);
  const { dialect: _, headers: fileHeaders = [], tls, backend: registered, reachesHarness, ...others } = file ?? {};
  const { headers, originator } = headersOf(flags.header ?? [], flags.originator);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const backend = backendOf(flags, registered);
  const asBackend = simulatedOf(flags);
  return {
    ...others,
    ...(inboxHost === undefined && defined({ reachesHarness })),
    ...{ kind: 'url', url },
    ...plainOptions(flags),
    ...defined({ risky: risky && ('all' as const) }),
    ...defined({ file: ownFile(flags.target) }),
    ...defined({ originator, asBackend, backend: backend ?? (asBackend === undefined ? registered : undefined) }),
    headers: [...fileHeaders.filter(([name]) => !names.has(name.toLowerCase())), ...headers],
    tls: tlsOf(flags, secrets, tls ?? {}),
  };
}

/** Options equal to flags. */
function plainOptions(flags: TargetFlags) {
  const { base, cseId, spId, admin, release, serialization, accessControl } = flags;
  const { inboxHost, waitBudget, waitForTarget, lifetime, rate, connections } = flags;
  const names = defined({ base, cseId, spId, admin, release, serialization, accessControl });
  return { ...names, ...defined({ inboxHost, waitBudget, waitForTarget, lifetime, rate, connections }) };
}

/** Undefined for those shipped for products. */
const ownFile = (name: string | undefined): string | undefined =>
  name !== undefined && targetFilePath(name) === name ? name : undefined;

function withoutUrl(flags: TargetFlags, file: ReadTarget['choice'] | undefined): TargetChoice {
  if (file !== undefined) {
    throw new UsageError(`the target file of ${file.product} names no URL; give --url as well`);
  }
  mustGoWith('--url', givenOf(flags, urlFlags));
  return { kind: flags.inProcess ? 'in-process' : 'embedded' };
}

/** Those of the names that are given, in this order. */
export function givenOf(flags: object, names: readonly string[]): string[] {
  const given = Object.keys(defined({ ...flags }));
  return names.filter((name) => given.includes(name));
}

/** Throws UsageError for `names` that are given without that flag. */
export function mustGoWith(flag: string, names: readonly string[]): void {
  if (names.length === 0) return;
  throw new UsageError(`${names.map(written).join(', ')} ${names.length === 1 ? 'goes' : 'go'} with ${flag}`);
}

function tlsOf(flags: TargetFlags, secrets: Secrets, { own: fileOwn, insecure: unverified, ...file }: Tls): Tls {
  const { cacert, insecure, certs, requireCert } = flags;
  const own = certificateOf(flags, secrets, fileOwn);
  return {
    ...file,
    // A named chain is to be used.
    ...defined({ insecure: cacert === undefined ? unverified : undefined }),
    ...defined({ cacert, insecure, certs, requireCert, own }),
  };
}

/** Without `--cert` that of the file, parts of which `--key` and `--cert-type` replace. */
function certificateOf({ cert, key, certType }: TargetFlags, secrets: Secrets, file: Tls['own']): Tls['own'] {
  const fromFile = file && { ...secrets, ...file };
  if (cert === undefined && key === undefined && certType === undefined) return fromFile;
  const own = cert === undefined ? file && { file: file.cert } : splitPassphrase(cert);
  if (own === undefined) throw new UsageError(`${key === undefined ? '--cert-type' : '--key'} goes with --cert`);
  const { file: path, ...passphrase } = own;
  const fromFlags = { cert: path, ...defined({ key, type: certificateType(certType) }), ...secrets, ...passphrase };
  return fromFile?.cert === path ? { ...fromFile, ...fromFlags } : fromFlags;
}

function certificateType(text: string | undefined): 'PEM' | 'P12' | undefined {
  if (text === undefined) return undefined;
  const type = text.toUpperCase();
  if (type === 'PEM' || type === 'P12') return type;
  throw new UsageError(`--cert-type is PEM or P12, not "${text}"`);
}

/** The backend of the flags; without `--backend-url` that of the file, if they name it. */
function backendOf(flags: TargetFlags, file: UrlTarget['backend']): UrlTarget['backend'] {
  const { backendUrl, backendBase: base, backendCseId: cseId, asBackend } = flags;
  if (backendUrl !== undefined && asBackend !== undefined) {
    throw new UsageError('--backend-url and --as-backend exclude each other');
  }
  const isNamed = (base ?? cseId) !== undefined && asBackend === undefined;
  const url = backendUrl ?? (isNamed ? file?.url : undefined);
  if (url !== undefined) return { url, ...defined({ base, cseId }) };
  if (isNamed) throw new UsageError('--backend-base and --backend-cse-id go with --backend-url or --as-backend');
  return undefined;
}

function simulatedOf(flags: TargetFlags): UrlTarget['asBackend'] {
  const { asBackend: port, asBackendInterface, asBackendLabel: label, backendWait: wait } = flags;
  if (port === undefined) {
    const backendFlags = defined({ asBackendInterface, asBackendLabel: label, backendWait: wait });
    mustGoWith('--as-backend', Object.keys(backendFlags).slice(0, 1));
    return undefined;
  }
  const { backendBase: base, backendCseId: cseId } = flags;
  return { port, ...defined({ interface: asBackendInterface, label, wait, base, cseId }) };
}

/** As in curl: the passphrase follows the first colon that no backslash escapes. */
export function splitPassphrase(text: string): { readonly file: string; readonly passphrase?: string } {
  if (existsSync(text)) return { file: text };
  // The colon behind the letter of a drive is part of the path.
  const from = /^[A-Za-z]:[\\/]/.test(text) ? 2 : 0;
  const rest = text.slice(from);
  const at = [...rest.matchAll(/\\.|:/g)].find(([sign]) => sign === ':')?.index;
  const file = text.slice(0, from) + rest.slice(0, at).replace(/\\([:\\])/g, '$1');
  return at === undefined ? { file } : { file, passphrase: rest.slice(at + 1) };
}

const ownHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'expect']);

interface Headers {
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly originator: string | undefined;
}

/** The originator may be given as its header, as to curl. */
export function headersOf(lines: readonly string[], originator: string | undefined): Headers {
  const all = lines.map(parseHeader);
  const isOrigin = ([name]: readonly [string, string]) => name.toLowerCase() === 'x-m2m-origin';
  const origins = new Set([...all.filter(isOrigin).map(([, value]) => value), ...(originator ? [originator] : [])]);
  if (origins.size > 1) throw new UsageError(`there is more than one originator: ${[...origins].join(', ')}`);
  return { headers: all.filter((one) => !isOrigin(one)), originator: [...origins][0] };
}

function parseHeader(text: string): readonly [string, string] {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? [];
  if (name === '' || value.trim() === '') throw new UsageError("a header is written as -H 'Name: value'");
  if (ownHeaders.has(name.toLowerCase())) throw new UsageError(`cselab writes the header ${name} itself`);
  return [name, value.trim()];
}
