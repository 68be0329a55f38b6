/** The file of an evidence package: its parts as texts and their manifest, one JSON document, compressed by gzip. */
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { plannedAt, wholePlan } from '../../scenarios/checking/check.ts';
import { type Configuration, configurationOf } from '../../scenarios/checking/configuration.ts';
import { Fingerprints, fingerprintsOf } from '../../scenarios/checking/fingerprints.ts';
import type { CheckOptions } from '../../scenarios/index.ts';
import { keptName, withSecretsLearnt } from '../../scenarios/results.ts';
import {
  defined,
  Redactor,
  type RunResult,
  type ScenarioResult,
  UsageError,
  unreadable,
} from '../../scenarios/words.ts';
import { defineFormat, runReport, visibleJson } from '../formats/json-reporter.ts';
import { problemsText } from '../formats/read-report.ts';
import type { Reporter } from '../formats/reporter.ts';
import { say, writeWhole } from '../writing/output-file.ts';
import {
  Envelope,
  envelopeOf,
  type PackageParts,
  resultOrError,
  sha256Of,
  signingKey,
  statementOf,
} from './attestation.ts';

/** The contents of a package besides the result. */
export interface PackagedFacts {
  readonly inventory: Fingerprints;
  readonly configuration: Configuration;
  /** The plan file, if one was run. */
  readonly plan?: string;
  /** Uploaded files, in base64, by their names. */
  readonly uploads?: PackageParts;
}

const packageFormat = defineFormat(
  'urn:cselab:package:1',
  1,
  {
    attestation: Envelope,
    parts: z
      .record(z.string(), z.string())
      .readonly()
      .describe('Texts by their names; each is a subject of the statement.'),
  },
  { title: 'cselab evidence package' },
);
export type EvidencePackage = z.infer<typeof packageFormat.type>;

export function packageOf(result: RunResult, facts: PackagedFacts, key: KeyObject | undefined): EvidencePackage {
  const parts = partsOf(result, facts);
  return { ...packageFormat.format, attestation: envelopeOf(statementOf(parts, result), key), parts };
}

/** The header is the same on every system. */
export function packageBytes(evidence: EvidencePackage): Uint8Array {
  const packed = gzipSync(JSON.stringify(evidence));
  packed.set(gzipHeader);
  return packed;
}

/** RFC 1952, 2.3: deflate, no flags, no time, no extra flags, an unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

interface PackageFlags {
  /** Directory of reports, where uploads are kept. */
  readonly out: string;
  readonly package?: string;
  readonly signKey?: string;
  readonly plan?: { readonly text: string };
}

/** Throws a UsageError, before anything is sent, for an unusable key. */
export function packageReporters(flags: PackageFlags, options: CheckOptions): Reporter[] {
  const { package: path, signKey, out } = flags;
  if (path === undefined && signKey !== undefined) throw new UsageError('--sign-key goes with --package');
  if (path === undefined) return [];
  const key = signKey === undefined ? undefined : signingKey(signKey);
  return [packageReporter(resolve(path), { ...options, plan: flags.plan?.text, out }, key)];
}

/** Files are read before the run, so that later changes do not matter. */
function packageReporter(
  file: string,
  { plan, out, ...options }: CheckOptions & { readonly plan: string | undefined; readonly out: string },
  key: KeyObject | undefined,
): Reporter {
  const inventory = fingerprintsOf(wholePlan(options), plannedAt(options));
  const redactor = new Redactor(options.secrets);
  withSecretsLearnt(options.target, redactor);
  const facts = { inventory, configuration: configurationOf(options), ...(plan && { plan: redactor.text(plan) }) };
  return {
    file,
    async finish(result) {
      await writeWhole(file, packageBytes(packageOf(result, { ...facts, uploads: uploadsOf(result, out) }, key)));
      if (key === undefined)
        say('the package is not signed: whoever has it can write all of it anew; --sign-key signs it');
    },
  };
}

/** Unmasked, whatever secrets they contain. A missing or changed one is known by its hash alone. */
function uploadsOf({ scenarios }: RunResult, out: string): PackageParts {
  const answers = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.asked ?? []));
  const parts = answers.flatMap(({ answer = '', file }) => {
    if (file === undefined) return [];
    const name = keptName({ answer, file });
    const path = resolve(out, name);
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.of();
    return sha256Of(bytes) === file.sha256 ? [[`${name}.base64`, bytes.toString('base64')] as const] : [];
  });
  return Object.fromEntries(parts);
}

function partsOf(result: RunResult, { inventory, configuration, plan, uploads }: PackagedFacts): PackageParts {
  const { version, platform, arch } = process;
  const { tool, startedAt, took } = result;
  const environment = { cselab: tool.version, node: version, platform, arch, startedAt, took };
  return {
    'messages.ndjson': messageLines(result.scenarios).join(''),
    'verdicts.json': textOf({ ...runReport.format, ...result, scenarios: result.scenarios.map(withoutMessages) }),
    'inventory.json': textOf(inventory),
    'target.json': textOf(configuration),
    'environment.json': textOf(environment),
    ...(plan !== undefined && { 'plan.yaml': plan }),
    ...uploads,
  };
}

const textOf = (value: unknown): string => `${visibleJson(value, 2)}\n`;

type Step = ScenarioResult['steps'][number];
type Messages = Pick<Step, 'exchange' | 'received' | 'notifications'>;

const Line = z.looseObject({ scenario: z.int().min(0), step: z.int().min(0) });

/** Messages by the positions of scenario and step. */
function messageLines(scenarios: readonly ScenarioResult[]): string[] {
  return scenarios.flatMap(({ steps }, scenario) =>
    steps.flatMap(({ exchange, received, notifications }, step) => {
      const messages = defined({ exchange, received, notifications });
      return Object.keys(messages).length === 0 ? [] : `${visibleJson({ scenario, step, ...messages })}\n`;
    }),
  );
}

function withoutMessages(scenario: ScenarioResult): ScenarioResult {
  return {
    ...scenario,
    steps: scenario.steps.map(
      ({ exchange: _exchange, received: _received, notifications: _notifications, ...step }) => step,
    ),
  };
}

/** A package, and how far its bytes are those that this version writes. */
export interface ReadPackage {
  readonly evidence: EvidencePackage;
  /** Why the file was changed; absent if it was not. */
  readonly damage?: string;
}

/** Bytes of an unpacked file at most: about the limit of a string, 512 MiB. */
const mostUnpacked = 2 ** 29;

/** Throws a UsageError if it is no package at all. `most`: bytes that are unpacked. */
export function readPackage(path: string, most = mostUnpacked): ReadPackage | { readonly damage: string } {
  const bytes = resultOrError(() => readFileSync(path));
  if (bytes instanceof Error) throw unreadable(path, bytes);
  if (bytes[0] !== gzipHeader[0] || bytes[1] !== gzipHeader[1])
    throw new UsageError(`${path} is no package that cselab wrote with check --package`);
  const text = resultOrError(() => gunzipSync(bytes, { maxOutputLength: most }).toString('utf8'));
  if (text instanceof Error) return { damage: `it cannot be unpacked: ${text.message}` };
  const { data, error } = packageFormat.type.safeParse(jsonIn(text));
  if (data === undefined) return { damage: `it is no whole package: ${problemsText(error.issues)}` };
  const isUnchanged = JSON.stringify(data) === text && bytes.subarray(0, gzipHeader.length).equals(gzipHeader);
  return {
    evidence: data,
    ...(!isUnchanged && { damage: 'it holds more, or is written otherwise, than cselab writes it' }),
  };
}

/** Undefined if it is no JSON. */
function jsonIn(text: string): unknown {
  const value: unknown = resultOrError(() => JSON.parse(text));
  return value instanceof Error ? undefined : value;
}

/** The part of this name as JSON; undefined if it is missing, or is none. */
const partIn = (parts: PackageParts, name: string): unknown => jsonIn(new Map(Object.entries(parts)).get(name) ?? '');

/** The run of the parts. Undefined if they are damaged, as by an edit. */
export function resultIn(parts: PackageParts): RunResult | undefined {
  const { data } = runReport.type.safeParse(partIn(parts, 'verdicts.json'));
  if (data === undefined) return undefined;
  const messages = new Map<string, object>();
  const lines = new Map(Object.entries(parts)).get('messages.ndjson') ?? '';
  for (const line of lines.split('\n').filter(Boolean)) {
    const read = Line.safeParse(jsonIn(line));
    if (!read.success) return undefined;
    const { scenario, step, ...own } = read.data;
    messages.set(`${scenario} ${step}`, own);
  }
  const { $schema: _schema, schemaVersion: _version, causes: _causes, ...result } = data;
  const scenarios = result.scenarios.map((one, at) => ({
    ...one,
    steps: one.steps.map((step, nth) => ({ ...step, ...(messages.get(`${at} ${nth}`) as Messages | undefined) })),
  }));
  const whole = runReport.type.safeParse({ ...data, scenarios });
  return whole.success ? { ...result, scenarios: whole.data.scenarios } : undefined;
}

/** Undefined if the part is missing or incomplete. */
export function inventoryIn(parts: PackageParts): Fingerprints | undefined {
  return Fingerprints.safeParse(partIn(parts, 'inventory.json')).data;
}

/** Of the standard, as the run was given it. */
export function releaseIn(parts: PackageParts): string | undefined {
  return Released.safeParse(partIn(parts, 'target.json')).data?.judged.release;
}

const Released = z.looseObject({ judged: z.looseObject({ release: z.string().exactOptional() }) });

const Statement = z.looseObject({
  subject: z.array(z.looseObject({ name: z.string(), digest: z.looseObject({ sha256: z.string() }) })),
});

/** The parts that a manifest names, with their SHA-256; none if it is no manifest. */
export function subjectsIn({ payload }: Envelope): Array<readonly [name: string, sha256: string]> {
  const { data } = Statement.safeParse(jsonIn(Buffer.from(payload, 'base64').toString('utf8')));
  return (data?.subject ?? []).map(({ name, digest }) => [name, digest.sha256] as const);
}
