/** The target of a command: what its file says, and over that what the command line says. */
import {
  type Dialect,
  defined,
  type ReadTarget,
  readTargetFile,
  type TargetChoice,
  targetFilePath,
  UsageError,
} from '../../scenarios/index.ts';
import { type Secrets, type TargetFlags, targetOf } from './target-flags.ts';

export interface ChosenTarget {
  readonly target: TargetChoice;
  readonly dialect: Dialect;
  /** Scenarios at the same time, where anything says so. */
  readonly jobs?: number;
  /** Milliseconds for each request, where anything says so. */
  readonly timeout?: number;
  /** What the target file took from the environment, and is never to be shown. */
  readonly secrets: readonly string[];
}

export interface ChosenFlags extends TargetFlags {
  readonly jobs?: number;
  readonly timeout?: number;
}

type UrlTarget = Extract<TargetChoice, { kind: 'url' }>;

/**
 * Reads the file that `--target` names, if any. Throws UsageError for flags that do not go together or a file that does not
 * exist, ScenarioFilesError for a file that cannot be used.
 */
export function chosenTarget(flags: ChosenFlags, secrets: Secrets = {}): ChosenTarget {
  const { target: named, inProcess, jobs, timeout, dialect } = flags;
  if (named === undefined) {
    return {
      target: targetOf(flags, secrets),
      dialect: dialect ?? 'documented',
      ...defined({ jobs, timeout }),
      secrets: [],
    };
  }
  if (inProcess) throw new UsageError('--target and --in-process exclude each other');
  const read = readTargetFile(targetFilePath(named));
  return {
    target: merged(flags, read, secrets),
    dialect: dialect ?? read.choice.dialect ?? 'documented',
    ...defined({ jobs: jobs ?? read.jobs, timeout: timeout ?? read.timeout }),
    secrets: read.secrets,
  };
}

function merged(flags: TargetFlags, { choice }: ReadTarget, secrets: Secrets): UrlTarget {
  const { dialect: _, headers = [], tls, url = flags.url, ...rest } = choice;
  if (url === undefined) throw new UsageError(`the target file of ${choice.product} names no URL; give --url as well`);
  const said = targetOf(completed(flags, choice, url), secrets);
  if (said.kind !== 'url') throw new UsageError('--target describes a target with a URL');
  const named = new Set(said.headers?.map(([name]) => name.toLowerCase()));
  const { backend, reachesHarness, ...others } = rest;
  return {
    ...others,
    ...(said.playBackend === undefined && defined({ backend })),
    ...(said.inboxHost === undefined && defined({ reachesHarness })),
    ...said,
    headers: [...headers.filter(([name]) => !named.has(name.toLowerCase())), ...(said.headers ?? [])],
    tls: mergedTls(tls ?? {}, said.tls ?? {}, secrets),
  };
}

/** With what the file says where a flag alone would be refused for want of it. */
function completed(flags: TargetFlags, { tls, backend }: ReadTarget['choice'], url: string): TargetFlags {
  const needsCert = flags.key !== undefined || flags.certType !== undefined;
  const needsBackend = (flags.backendBase ?? flags.backendCseId) !== undefined && flags.asBackend === undefined;
  const cert = flags.cert ?? (needsCert ? tls?.own?.cert : undefined);
  const backendUrl = flags.backendUrl ?? (needsBackend ? backend?.url : undefined);
  return { ...flags, url: flags.url ?? url, ...defined({ cert, backendUrl }) };
}

type Tls = NonNullable<UrlTarget['tls']>;

function mergedTls({ own, insecure, ...file }: Tls, said: Tls, { passphrase, askPassphrase }: Secrets): Tls {
  // Who names a chain wants it to be used.
  const unverified = said.cacert === undefined ? insecure : undefined;
  const certificate = own && { ...defined({ passphrase, askPassphrase }), ...own };
  const chosen = said.own === undefined ? certificate : sameFile(said.own, certificate);
  return { ...file, ...defined({ insecure: unverified }), ...said, ...(chosen && { own: chosen }) };
}

/** `--key` alone replaces the key of the file's certificate. */
function sameFile(said: NonNullable<Tls['own']>, file: Tls['own']): Tls['own'] {
  return file !== undefined && file.cert === said.cert ? { ...file, ...said } : said;
}
