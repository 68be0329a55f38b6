/** Who the target is, as its CSE base tells. */
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Asker } from './asker.ts';
import type { Base } from './find-base.ts';
import { type Finding, quoted } from './finding.ts';
import { speaksAsOpenMtc } from './product.ts';

/** Releases that requests can name (TS-0004 6.4.2). */
const releases = ['2a', '3', '4', '5'];

export interface Identity {
  readonly findings: readonly Finding[];
  /** Without slashes before them. */
  readonly cseId?: string;
  readonly spId?: string;
  readonly releases: readonly string[];
}

export function identityOf({ name, attributes, seen }: Base): Identity {
  const cseId = cseIdIn(attributes);
  const spId = spIdIn(attributes);
  const named = textsIn(attributes.srv).filter((one) => releases.includes(one));
  const base = { topic: 'identity', id: 'base', name: 'CSE base', found: 'yes', value: name } as const;
  return {
    findings: [
      { ...base, value: quoted(name), evidence: seen.evidence },
      told('cse id', 'CSE-ID', cseId, `csi of its CSE base is ${shown(attributes.csi)}`),
      told('sp id', 'SP-ID', spId, `spi of its CSE base is ${shown(attributes.spi)}`),
      told('releases', 'releases', named.join(', ') || undefined, `srv of its CSE base is ${shown(attributes.srv)}`),
    ],
    ...(cseId !== undefined && { cseId }),
    ...(spId !== undefined && { spId }),
    releases: named,
  };
}

/** The release that requests name: 3 wherever it is known, since all that is deployed knows it. */
export function releaseFor(known: readonly string[]): string | undefined {
  return known.includes('3') ? '3' : known.at(-1);
}

export function cseIdIn({ csi }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof csi === 'string' ? /^\/?([^/\s?#\p{Cc}]{1,200})$/u.exec(csi)?.[1] : undefined;
}

export function spIdIn({ spi }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof spi === 'string' ? /^\/{0,2}([^/\s?#\p{Cc}]{1,200})$/u.exec(spi)?.[1] : undefined;
}

/** `srt` of a CSE base as numbers; undefined where it is absent or no list of numbers. */
export function kindsIn({ srt }: Readonly<Record<string, unknown>>): readonly number[] | undefined {
  const list = Array.isArray(srt) ? srt.map(Number) : [];
  return list.length > 0 && list.every(Number.isInteger) ? list : undefined;
}

/** What a release is that does not exist, and whether the answer names the release that was asked with. */
export async function findReleases(asker: Asker, { path, seen }: Base): Promise<Finding[]> {
  const unknown = await asker.ask({ path, headers: { 'X-M2M-RVI': '99' } });
  const echoed = seen.view.headers.get('x-m2m-rvi');
  return [
    {
      topic: 'speech',
      id: 'release echo',
      name: 'answers name the release',
      found: echoed === undefined ? 'no' : 'yes',
      ...(echoed !== undefined && { value: quoted(echoed) }),
      evidence: `${seen.evidence}, with ${echoed === undefined ? 'no X-M2M-RVI' : `X-M2M-RVI: ${quoted(echoed)}`}`,
    },
    {
      topic: 'speech',
      id: 'unknown release',
      name: 'refuses unknown releases',
      found: unknown.answered ? (unknown.success ? 'no' : 'yes') : 'unknown',
      evidence: `${unknown.evidence}, asked with X-M2M-RVI: 99`,
    },
  ];
}

/** The product, or its timestamps tell; where there is neither, the type of the body. */
export function dialectOf(base: Base): { readonly dialect: Dialect; readonly finding: Finding } {
  const [dialect, why] = dialectBecause(base);
  const finding = { topic: 'identity', id: 'dialect', name: 'dialect', found: 'yes', value: dialect } as const;
  return { dialect, finding: { ...finding, evidence: `${base.seen.evidence}; ${why}` } };
}

function dialectBecause(base: Base): readonly [dialect: Dialect, why: string] {
  const { attributes, seen } = base;
  // It writes other timestamps than its documentation, which the interface specification goes by.
  if (speaksAsOpenMtc(base)) return ['documented', 'it looks like OpenMTC, which that dialect describes'];
  const time = [attributes.ct, attributes.lt].find((value) => typeof value === 'string' && value !== '');
  const byTime = typeof time === 'string' ? timestampDialect(time) : undefined;
  if (byTime !== undefined) return [byTime, `its timestamps are such as ${shown(time)}`];
  const type = seen.view.headers.get('content-type') ?? 'absent';
  return [/vnd\.onem2m-res\+json/.test(type) ? 'documented' : 'onem2m', `Content-Type is ${quoted(type)}`];
}

function timestampDialect(text: string): Dialect | undefined {
  if (/^\d{8}T\d{6}(,\d+)?$/.test(text)) return 'onem2m';
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(text) ? 'documented' : undefined;
}

function told(id: string, name: string, value: string | undefined, evidence: string): Finding {
  const topic = 'identity' as const;
  if (value === undefined) return { topic, id, name, found: 'unknown', evidence };
  return { topic, id, name, found: 'yes', value: quoted(value), evidence };
}

function textsIn(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}

/** A value of the target as it stands in a sentence. */
export function shown(value: unknown): string {
  return value === undefined ? 'absent' : quoted(JSON.stringify(value));
}
