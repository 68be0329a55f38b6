/** Identity of the target, from its CSE base. */
import { defined } from '../engine/basics/defined.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { imitatedProduct } from '../engine/messages/target.ts';
import { releases } from './asker.ts';
import type { Base } from './find-base.ts';
import { type Finding, type ProbeFindings, quoted, valueFinding } from './finding.ts';

/** Identifiers without leading slashes. */
interface Identity extends ProbeFindings<'cseId' | 'spId'> {
  /** The oldest first. */
  readonly releases: readonly string[];
}

export function identityOf({ name, attributes, answer }: Base): Identity {
  const cseId = cseIdIn(attributes);
  const spId = spIdIn(attributes);
  const named = releases.filter((one) => releasesIn(attributes).includes(one));
  const known = (id: string, label: string, value: string | undefined, evidence: string) =>
    valueFinding('identity', id, label, value && quoted(value), evidence);
  return {
    findings: [
      known('base', 'CSE base', name, answer.evidence),
      known('cse id', 'CSE-ID', cseId, `csi of its CSE base is ${display(attributes.csi)}`),
      known('sp id', 'SP-ID', spId, spEvidence(attributes)),
      known('releases', 'releases', named.join(', '), `srv of its CSE base is ${display(attributes.srv)}`),
    ],
    ...defined({ cseId, spId }),
    releases: named,
  };
}

/** The newest release in the catalogue of requirements, else the newest of all. */
export function releaseFor(known: readonly string[]): string | undefined {
  return known.filter((one) => one !== '5').at(-1) ?? known.at(-1);
}

export function cseIdIn({ csi }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof csi !== 'string') return undefined;
  return absoluteIn(csi)?.cseId ?? /^\/?([^/\s?#\p{Cc}]{1,200})$/u.exec(csi)?.[1];
}

/** From `spi`, else from an absolute identifier with its own CSE-ID. */
export function spIdIn(attributes: Readonly<Record<string, unknown>>): string | undefined {
  const { spi } = attributes;
  const claimed = typeof spi === 'string' ? /^\/{0,2}([^/\s?#\p{Cc}]{1,200})$/u.exec(spi)?.[1] : undefined;
  return claimed ?? ownAbsolute(attributes)?.spId;
}

interface Absolute {
  readonly spId: string;
  readonly cseId: string;
  readonly text: string;
}

/** Every absolute identifier in the attributes, those within lists and objects too. */
export function absolutesIn(value: unknown): Absolute[] {
  if (typeof value === 'string') return [absoluteIn(value)].filter((one) => one !== undefined);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(absolutesIn) : [];
}

/** TS-0001 7.2: an absolute identifier begins with two slashes, the SP-ID, and the CSE-ID. */
function absoluteIn(text: string): Absolute | undefined {
  const [, spId, cseId] = /^\/\/([^/\s?#\p{Cc}]{1,200})\/([^/\s?#\p{Cc}]{1,200})(?:\/|$)/u.exec(text) ?? [];
  return spId === undefined || cseId === undefined ? undefined : { spId, cseId, text };
}

function ownAbsolute(attributes: Readonly<Record<string, unknown>>): Absolute | undefined {
  const cseId = cseIdIn(attributes);
  return absolutesIn(attributes).find((one) => one.cseId === cseId);
}

function spEvidence(attributes: Readonly<Record<string, unknown>>): string {
  const own = attributes.spi === undefined ? ownAbsolute(attributes) : undefined;
  return own === undefined
    ? `spi of its CSE base is ${display(attributes.spi)}`
    : `its CSE base names itself ${display(own.text)}`;
}

/** `srt` of a CSE base as numbers; undefined where it is absent or no list of numbers. */
export function typesIn({ srt }: Readonly<Record<string, unknown>>): readonly number[] | undefined {
  const list = Array.isArray(srt) ? srt.map(Number) : [];
  return list.length > 0 && list.every(Number.isInteger) ? list : undefined;
}

/** By the product, else by its timestamps, else by the media type. */
export function dialectOf(base: Base): { readonly dialect: Dialect; readonly finding: Finding } {
  const [dialect, why] = dialectBecause(base);
  const evidence = `${base.answer.evidence}; ${why}`;
  return { dialect, finding: valueFinding('identity', 'dialect', 'dialect', dialect, evidence) };
}

function dialectBecause(base: Base): readonly [dialect: Dialect, why: string] {
  const { attributes, answer } = base;
  // Its timestamps differ from its documentation, on which the interface specification is based.
  if (speaksAsOpenMtc(base)) return ['documented', 'it looks like OpenMTC, which that dialect describes'];
  const time = [attributes.ct, attributes.lt].find((value) => typeof value === 'string' && value !== '');
  const byTime = typeof time === 'string' ? timestampDialect(time) : undefined;
  if (byTime !== undefined) return [byTime, `its timestamps are such as ${display(time)}`];
  const type = answer.view.headers.get('content-type') ?? 'absent';
  return [/vnd\.onem2m-res\+json/.test(type) ? 'documented' : 'onem2m', `Content-Type is ${quoted(type)}`];
}

function timestampDialect(text: string): Dialect | undefined {
  if (/^\d{8}T\d{6}(,\d+)?$/.test(text)) return 'onem2m';
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(text) ? 'documented' : undefined;
}

/** From `srv`, which may also be numbers, or one text. */
function releasesIn({ srv }: Readonly<Record<string, unknown>>): string[] {
  const written = [srv].flat().filter((one) => typeof one === 'string' || typeof one === 'number');
  return written.flatMap((one) => String(one).split(/[\s,]+/));
}

/** A value of the target for a sentence. */
export function display(value: unknown): string {
  return value === undefined ? 'absent' : quoted(JSON.stringify(value));
}

// The product, by peculiarities of its answers.

interface Product {
  readonly finding: Finding;
  /** Its name: an imitation has another one than the product. */
  readonly product?: string;
  readonly version?: string;
}

const acme = /\bACME\/([\w.-]+)/;
const omCse = /^\/?(in|mn)-cse$/;
const byNames = 'the names of its CSE base';

/** Each product, and the answers that suggest it. */
const hints: ReadonlyArray<readonly [product: string, because: string, isIts: (base: Base) => boolean]> = [
  ['ACME', 'Server names ACME', ({ answer }) => acme.test(answer.view.headers.get('server') ?? '')],
  [
    'tinyIoT',
    'integers are written with a fraction, such as 5.0',
    ({ answer }) => /"ty"\s*:\s*5\.0\b/.test(answer.text),
  ],
  [
    'OpenMTC',
    'the order of its headers, and null for attributes that are not set',
    ({ answer, attributes: { nl } }) => nl === null && ordered(answer.exchange.answer?.headers ?? []),
  ],
  ['Mobius', byNames, ({ attributes: { csi, rn } }) => /^\/?Mobius\d*$/.test(String(csi)) || rn === 'Mobius'],
  ['OM2M', byNames, ({ attributes: { csi, rn } }) => /^(in|mn)-name$/.test(String(rn)) && omCse.test(String(csi))],
];

/** Whether it is OpenMTC, or an imitation of it. */
function speaksAsOpenMtc(base: Base): boolean {
  return ['openmtc', 'cselab as openmtc'].includes(productOf(base).product?.toLowerCase() ?? '');
}

export function productOf(base: Base): Product {
  const { headers } = base.answer.view;
  const finding = (value: string | undefined, evidence: string) =>
    valueFinding('identity', 'product', 'product', value, evidence);
  const imitation = imitatedProduct(base.answer.exchange.answer?.headers ?? []);
  if (imitation !== undefined) {
    const claimed = `it says so itself, with Server: ${quoted(imitation)}`;
    return { finding: finding(imitation, claimed), product: imitation };
  }
  const [product, because] = hints.find(([, , isIts]) => isIts(base)) ?? [];
  const server = headers.get('server');
  const sent = server === undefined ? 'without the header Server' : `with Server: ${quoted(server)}`;
  if (product === undefined) return { finding: finding(undefined, `${base.answer.evidence}, ${sent}`) };
  const version = product === 'ACME' ? acme.exec(server ?? '')?.[1] : undefined;
  const value = version === undefined ? product : `${product} ${version}`;
  const evidence = `it looks like ${product}: ${because}${version === undefined ? '' : `/${version}`}; ${sent}`;
  return { finding: finding(value, evidence), product, ...defined({ version }) };
}

/** OpenMTC writes its own headers first, in this order. */
function ordered(headers: ReadonlyArray<readonly [string, string]>): boolean {
  const names = headers.map(([name]) => name.toLowerCase()).filter((name) => name !== 'connection');
  return names.slice(0, 3).join() === 'x-m2m-ri,x-m2m-rsc,x-m2m-rvi';
}
