import { fileURLToPath } from 'node:url';
import { defined } from '../engine/basics/defined.ts';
import { pathFrom } from '../engine/basics/path-from.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import { Redactor } from '../secrets/redactor.ts';
import { shippedFor } from '../target-files/read-target-file.ts';
import type { Finding, FoundTarget, ProbeResult } from './finding.ts';
import { comment, implemented, line, type Paces, type PriorClaims, respected, section } from './target-file-lines.ts';

export interface TargetFileOptions {
  /** Options of the probe; header values and passphrases are not written. */
  readonly choice: UrlChoice;
  /** Its pace. */
  readonly paces?: Paces;
  /** Masks secrets in the file. */
  readonly redactor?: Redactor;
  /** Directory of the file, to which its paths are relative. */
  readonly directory: string;
  /** Such as `2026-11-21`. */
  readonly date: string;
}

/** The schema of target files, for editors. */
const targetSchemaPath = fileURLToPath(new URL('../target.schema.json', import.meta.url));

/**
 * A target file from findings: each line with its evidence, and missing values as comments. Other values are as in the shipped target
 * file of the product, if there is one.
 */
export function targetFileText(
  result: ProbeResult & { readonly target: FoundTarget },
  options: TargetFileOptions,
): string {
  const { target, findings } = result;
  const say = (id: string) => evidenceOf(findings, id);
  const { choice } = options;
  const shipped = shippedFor(target.product);
  const usual = shipped?.choice ?? {};
  const seen = { ...choice, ...defined({ lifetime: choice.lifetime ?? target.lifetime }) };
  const merged = withShipped(seen, usual, target.version);
  const paces = { ...defined({ jobs: shipped?.jobs, timeout: shipped?.timeout }), ...defined({ ...options.paces }) };
  const known = { ...result, usual, source: `the target file that is shipped for ${target.product} says so` };
  const orUsual = (key: 'spId' | 'accessControl', evidence: string) =>
    target[key] === undefined && usual[key] !== undefined ? `${evidence}; ${known.source}` : evidence;
  const access = accessEvidence(findings, target);
  const lines = [
    `# yaml-language-server: $schema=${pathFrom(options.directory, targetSchemaPath)}`,
    ...comment(`Written by cselab probe on ${options.date}. Comments show the request and the answer for each line.`),
    ...(shipped === undefined ? [] : comment(`Other values are from the target file for ${target.product}.`)),
    '',
    ...line('product', target.product ?? 'unknown', say('product')),
    ...line('version', target.version, target.version ? say('product') : 'no header names it'),
    ...line('url', target.url),
    ...line('dialect', target.dialect, say('dialect')),
    ...(target.dialect === 'onem2m' ? line('release', target.release, say('release')) : []),
    ...line('base', target.base, say('base')),
    ...line('cse id', target.cseId, say('cse id')),
    ...line('sp id', target.spId ?? usual.spId, orUsual('spId', say('sp id'))),
    ...originators(known, options),
    ...headersOf(choice),
    ...tlsOf(options, target, say('require cert')),
    ...line('access control', target.accessControl ?? usual.accessControl, orUsual('accessControl', access)),
    ...respected(merged, paces),
    ...withheldRisks(usual, merged),
    ...implemented(findings, priorClaims(known, choice.ics)),
  ];
  return (options.redactor ?? new Redactor()).text(`${lines.join('\n')}\n`);
}

function originators({ target, findings, usual, source }: Known, options: TargetFileOptions): string[] {
  const { choice, redactor } = options;
  const { mayRegister } = target;
  const admin = choice.admin ?? target.admin ?? usual.admin;
  const registering = choice.originator === undefined ? mayRegister : [choice.originator];
  if (admin === undefined && registering === undefined)
    return line('originators', undefined, 'a probe does not find out administrators');
  const seen = target.admin === undefined ? source : evidenceOf(findings, `reads as ${admin}`);
  const adminSource = choice.admin === undefined ? seen : 'given by --admin';
  const registers = evidenceOf(findings, `registers as ${registering?.[0]}`);
  const registerSource = choice.originator === undefined ? registers : 'given by --originator';
  const masked = (one: string, variable: string) => withoutPassword(one, variable, redactor);
  const names = registering?.map((one) => masked(one, 'CSELAB_ORIGINATOR'));
  return section('originators', [
    ...(admin === undefined ? [] : line('admin', masked(admin, 'CSELAB_ADMIN'), adminSource)),
    ...(names === undefined ? [] : line('may register', names, registerSource)),
  ]);
}

/** Findings, with the shipped options of the product. */
interface Known extends Pick<ProbeResult, 'findings'> {
  readonly target: FoundTarget;
  readonly usual: Partial<UrlChoice>;
  /** Source of the shipped options, as a clause. */
  readonly source: string;
}

/** Some CSEs take a name and a password as the originator; only well-known ones are written to a file. */
function withoutPassword(originator: string, variable: string, redactor = new Redactor()): string {
  const holdsPassword = originator.includes(':') && originator !== 'admin:admin';
  return holdsPassword || redactor.text(originator) !== originator ? `\${env.${variable}}` : originator;
}

function headersOf({ headers = [] }: UrlChoice): string[] {
  if (headers.length === 0) return [];
  const values = headers.flatMap(([name]) => line(name, `\${env.${variableOf(name)}}`));
  return [...comment('Their values are taken from environment variables.'), ...section('headers', values)];
}

/** `X-Api-Key` as `CSELAB_X_API_KEY`. */
function variableOf(header: string): string {
  return `CSELAB_${header.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}

function tlsOf({ choice: { tls = {} }, directory }: TargetFileOptions, { requireCert }: FoundTarget, evidence: string) {
  const { own, cacert, certs, insecure } = tls;
  const files = { cacert, cert: own?.cert, key: own?.key, certs };
  return section('tls', [
    ...Object.entries(files).flatMap(([key, path]) => line(key, path && pathFrom(directory, path))),
    ...line('passphrase', own?.passphrase && '${env.CSELAB_PASSPHRASE}'),
    ...line('insecure', insecure || undefined),
    ...line('require cert', requireCert, requireCert === undefined ? '' : evidence),
  ]);
}

/** The user's options over those of the shipped file. Its tolerated risks apply only to the version that was examined. */
function withShipped(choice: UrlChoice, shipped: Partial<UrlChoice>, version: string | undefined): UrlChoice {
  const { url: _, headers: __, tls: ___, risky, ...usual } = shipped;
  const bears = version !== undefined && version === usual.version;
  return { ...usual, ...(bears && defined({ risky })), ...choice };
}

/** Tolerated risks are known for one version. */
function withheldRisks(usual: Partial<UrlChoice>, choice: UrlChoice): string[] {
  if (usual.risky === undefined || choice.risky !== undefined) return [];
  const version = `version ${usual.version} of ${usual.product}`;
  return comment(`not allowed: risky: it is not known to be ${version}, whose target file allows some risks`);
}

function accessEvidence(findings: readonly Finding[], { admin }: FoundTarget): string {
  const tried = evidenceOf(findings, 'access control');
  if (tried !== '' || admin === undefined) return tried || 'not tested without --write';
  return evidenceOf(findings, 'reads as Ccselab');
}

/** Prior claims: from the given target file, else from that of the product. */
function priorClaims({ usual, source }: Known, ics: UrlChoice['ics']): PriorClaims {
  if (ics !== undefined) return { ics: ics, source: `the target file that was given for ${ics.of} says so` };
  return { ics: usual.ics, source };
}

function evidenceOf(findings: readonly Finding[], id: string): string {
  return findings.find((finding) => finding.id === id)?.evidence ?? '';
}
