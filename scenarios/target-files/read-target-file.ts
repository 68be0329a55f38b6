import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../engine/basics/body.ts';
import { defined } from '../engine/basics/defined.ts';
import { didYouMean, ScenarioFilesError, UsageError } from '../engine/basics/diagnostics.ts';
import { ownValue } from '../engine/basics/own-value.ts';
import { type ExtendedFiles, extendedFiles } from '../engine/files/extends.ts';
import { validate } from '../engine/files/issues.ts';
import { readSource, type SourceFile } from '../engine/files/source-file.ts';
import { milliseconds } from '../engine/grammar/names.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import type { FeatureId } from '../ics/features.ts';
import type { Ics } from '../ics/ics.ts';
import { profileNames } from '../ics/profiles.ts';
import { TargetFile } from './target-file.ts';
import { checkTarget, type TargetEnvironment } from './target-problems.ts';

export interface ReadTarget {
  readonly file: TargetFile;
  /** Without a URL if the file has none. */
  readonly choice: Omit<UrlChoice, 'url'> & { readonly url?: string };
  /** Most scenarios at the same time. */
  readonly jobs?: number;
  /** Milliseconds for each request. */
  readonly timeout?: number;
  /** Values from the environment, which must not be shown. */
  readonly secrets: readonly string[];
  /** Rules and scenarios of the files that it extends: absolute paths. */
  readonly brought: Pick<ExtendedFiles, 'rules' | 'scenarios'>;
}

/**
 * Reads a target file; paths in it are relative to it. Sends nothing.
 * Throws ScenarioFilesError with every problem of the file, a missing environment variable among them.
 */
export function readTargetFile(path: string, environment: TargetEnvironment = process.env): ReadTarget {
  const { source, brought } = withExtended(resolve(path));
  const { value: file, problems: errors } = validate(TargetFile, source);
  const found = checkTarget(source, environment);
  const all = [...errors, ...found.problems].sort((a, b) => a.line - b.line || a.column - b.column);
  if (file === undefined || all.length > 0) throw new ScenarioFilesError(all);
  const { jobs, timeout } = file.limits ?? {};
  return {
    file,
    choice: choiceOf(file, { path: source.path, expand: found.expand }),
    ...defined({ jobs, timeout: mapped(timeout, milliseconds) }),
    secrets: found.secrets,
    brought,
  };
}

/** The file merged over those that it extends, of which the last one wins. */
function withExtended(
  path: string,
  above: readonly string[] = [],
): Pick<ReadTarget, 'brought'> & { source: SourceFile } {
  const { source: read, problems } = readSource(path);
  if (read === undefined) throw new ScenarioFilesError(problems);
  const source = targetIn(read);
  const { targets, ...own } = extendedFiles(source, 'targets', above);
  const bases = targets.map((one) => withExtended(one, [...above, path]));
  const values = bases.map((base) => {
    const { problems: errors } = validate(TargetFile, base.source);
    if (errors.length > 0) throw new ScenarioFilesError(errors);
    return fromElsewhere(base.source);
  });
  const every = (part: 'rules' | 'scenarios') => [...bases.flatMap(({ brought }) => brought[part]), ...own[part]];
  return {
    source: { ...source, value: [...values, source.value].reduce(merged) },
    brought: { rules: every('rules'), scenarios: every('scenarios') },
  };
}

/** Resolves the paths of an extended file. */
function fromElsewhere({ value, path }: SourceFile): unknown {
  const { tls, profile } = value as TargetFile;
  const named = ['cacert', 'cert', 'key', 'certs'] as const;
  const paths = named.flatMap((name) => (tls?.[name] === undefined ? [] : [[name, resolve(dirname(path), tls[name])]]));
  return merged(value, {
    ...(paths.length > 0 && { tls: Object.fromEntries(paths) }),
    ...(profile !== undefined && { profile: profileIn(profile, path) }),
  });
}

/** Merges key by key. */
function merged(under: unknown, over: unknown): unknown {
  if (!isObject(under) || !isObject(over)) return over;
  const both = Object.entries(over).map(([key, one]) => [key, merged(ownValue(under, key), one)]);
  return { ...under, ...Object.fromEntries(both) };
}

/** A target file, or the target of a plan. */
function targetIn(source: SourceFile): SourceFile {
  const { value, place, problem } = source;
  if (!isObject(value) || !isObject(value.target)) return source;
  return {
    ...source,
    value: value.target,
    place: (at) => place(['target', ...at]),
    problem: (at, ...more) => problem(['target', ...at], ...more),
  };
}

interface Reading {
  /** Of the target file. */
  readonly path: string;
  /** The text with variables replaced by their values. */
  readonly expand: (text: string) => string;
}

/** Maps a value if there is one. */
function mapped<Said, Meant>(value: Said | undefined, meaning: (value: Said) => Meant): Meant | undefined {
  return value === undefined ? undefined : meaning(value);
}

/** The options of a target, from its file. */
function choiceOf(file: TargetFile, reading: Reading): ReadTarget['choice'] {
  const { product, version, url, dialect, base, release, headers = {}, originators = {}, backend } = file;
  return {
    product,
    ...defined({ version, url, dialect, base, release: mapped(release, String) }),
    ...defined({ cseId: file['cse id'], spId: file['sp id'], accessControl: file['access control'] }),
    ...defined({ serialization: file.serialization }),
    ...defined({ admin: mapped(originators.admin, reading.expand), originator: originators['may register']?.[0] }),
    headers: Object.entries(headers).map(([name, value]) => [name, reading.expand(value)] as const),
    ...defined({ tls: mapped(file.tls, (tls) => tlsOf(tls, reading)) }),
    ...defined({ ics: mapped(file.implements, (said) => icsFrom(product, said)) }),
    ...defined({ profile: mapped(file.profile, (named) => profileIn(named, reading.path)) }),
    ...respected(file),
    ...defined({
      backend: backend && { url: backend.url, ...defined({ base: backend.base, cseId: backend['cse id'] }) },
    }),
  };
}

function icsFrom(product: string, claims: NonNullable<TargetFile['implements']>): Ics {
  const all = Object.entries(defined(claims)) as [FeatureId, NonNullable<(typeof claims)[FeatureId]>][];
  const reasons = all.flatMap(([id, claim]) => (typeof claim === 'object' ? [[id, claim.no] as const] : []));
  return {
    of: product,
    claims: Object.fromEntries(all.map(([id, claim]) => [id, typeof claim === 'object' ? 'no' : claim])),
    ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
  };
}

function profileIn(named: string, path: string): string {
  return profileNames().includes(named) ? named : resolve(dirname(path), named);
}

function tlsOf(tls: NonNullable<TargetFile['tls']>, { path, expand }: Reading): NonNullable<UrlChoice['tls']> {
  const { cacert, cert, key, passphrase, certs, insecure } = tls;
  const beside = (name: string) => resolve(dirname(path), name);
  const secret = defined({ key: mapped(key, beside), passphrase: mapped(passphrase, expand) });
  const own = mapped(cert, (name) => ({ cert: beside(name), ...secret }));
  const requireCert = tls['require cert'];
  return defined({ cacert: mapped(cacert, beside), certs: mapped(certs, beside), insecure, requireCert, own });
}

/** Constraints on a run. */
function respected(file: TargetFile): Partial<UrlChoice> {
  const { limits = {}, lifetime, waits, notifications, risky, risks } = file;
  const { rate, connections, body } = limits;
  return {
    ...defined({ connections, handsOff: file['hands off'], risks, risky: risky === 'allowed' ? 'all' : risky }),
    ...defined({ rate: mapped(rate, rateOf), bodyLimit: mapped(body, bytesOf) }),
    ...defined({ waitBudget: mapped(waits, milliseconds) }),
    ...defined({ lifetime: lifetime === 'none' ? lifetime : mapped(lifetime, milliseconds) }),
    ...(notifications === 'none' && { reachesHarness: false }),
    ...(typeof notifications === 'object' && { inboxHost: notifications.host }),
  };
}

/** Parses `50/s`: requests per milliseconds. */
function rateOf(text: string): { readonly requests: number; readonly per: number } {
  const [requests, unit] = text.split('/');
  return { requests: Number(requests), per: unit === 'm' ? 60_000 : 1000 };
}

/** Units in bytes, the largest first. */
export const sizes = [
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
  ['B', 1],
] as const;

function bytesOf(size: string): number {
  const [, number, unit] = /^(\d+)(\w+)$/.exec(size) ?? [];
  return Number(number) * (sizes.find(([name]) => name === unit)?.[1] ?? 1);
}

/** Folder of the target files of known products. */
export const shippedTargets = fileURLToPath(new URL('../../fixtures/targets', import.meta.url));

export function shippedProducts(): string[] {
  return readdirSync(shippedTargets)
    .flatMap((name) => (name.endsWith('.yaml') ? [name.slice(0, -'.yaml'.length)] : []))
    .sort();
}

/** The shipped target file of a product; undefined for others, and for imitations. */
export function shippedFor(product: string | undefined): ReadTarget | undefined {
  const named = shippedProducts().find((one) => one === product?.toLowerCase());
  return named === undefined ? undefined : readTargetFile(targetFilePath(named), {});
}

/** The path of a target file: as given, or that of a product. Throws UsageError if there is none. */
export function targetFilePath(named: string): string {
  const products = shippedProducts();
  if (products.includes(named)) return join(shippedTargets, `${named}.yaml`);
  if (existsSync(named)) return named;
  const known = products.join(', ');
  if (/[./\\]/.test(named)) throw new UsageError(`there is no target file "${named}"`);
  throw new UsageError(`of the products ${known} none is called "${named}"${didYouMean(named, products)}`);
}
