import { isSuccess, summaryOf, viewOf } from '../engine/judging/answer.ts';
import { isObject } from '../engine/judging/body.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import { bareRequest, type Speech } from '../engine/messages/usual-headers.ts';
import type { Survey } from '../engine/result.ts';
import type { Target, Way } from '../engine/targets/target.ts';
import { type Address, addressOfFound, type CseNames, keyOf, meantBy, pathOf } from './address.ts';
import type { Holdings } from './holdings.ts';

/** Who asks a CSE, and how. */
export interface Asking {
  readonly target: Target;
  readonly way: Way;
  readonly speech: Speech;
  /** Tried one after the other, until one may read. */
  readonly originators: ReadonlyArray<string | undefined>;
}

export interface Listing {
  /** What was found, by key. */
  readonly addresses: ReadonlyMap<string, Address>;
  /** Why it may not be all. */
  readonly partial?: string;
}

export interface Unlisted {
  readonly reason: string;
  /** Whether the target answers by a failure of its own. */
  readonly fails?: boolean;
}

/** After which a listing is given up. */
export interface ListingLimits {
  readonly requests: number;
  /** Resources that are counted. */
  readonly found: number;
  /** Characters of all answers together. */
  readonly length: number;
  /** Milliseconds until the last request begins. */
  readonly time: number;
}

const usualLimits: ListingLimits = { requests: 60, found: 200_000, length: 32 * 1024 * 1024, time: 30_000 };

/** Reads within limits. */
class Reader {
  readonly #asking: Asking;
  readonly #limits: ListingLimits;
  readonly #until: number;
  #requests = 0;
  #length = 0;
  /** Those that may read come first, once one did. */
  #originators: Asking['originators'];

  constructor(asking: Asking, limits: ListingLimits) {
    this.#asking = asking;
    this.#limits = limits;
    this.#until = performance.now() + limits.time;
    this.#originators = asking.originators;
  }

  /** Whether no more is to be read once so many resources were found. */
  isEnough(found: number): boolean {
    const { requests, length, found: most } = this.#limits;
    return found >= most || this.#requests >= requests || this.#length >= length || performance.now() >= this.#until;
  }

  get mostFound(): number {
    return this.#limits.found;
  }

  async read(path: string): Promise<Exchange | { readonly refused: string }> {
    const counted = (originator: string | undefined, exchange: Exchange) => {
      this.#requests += 1;
      this.#length += exchange.answer?.body.length ?? 0;
      if (isSuccess(exchange)) this.#originators = [originator];
    };
    return read({ ...this.#asking, originators: this.#originators }, path, counted);
  }
}

/** The answer for the first originator that gets one, else the last answer. */
export async function read(
  { target, way, speech, originators }: Asking,
  path: string,
  note: (originator: string | undefined, exchange: Exchange) => void = () => {},
): Promise<Exchange | { readonly refused: string }> {
  let last: Exchange | { readonly refused: string } = { refused: 'nobody is known who could ask' };
  for (const originator of new Set(originators)) {
    const request = bareRequest('GET', path, { originator, speech });
    const refused = await target.objection(request, way);
    if (refused !== undefined) return { refused };
    last = await target.send(request, way);
    note(originator, last);
    if (isSuccess(last) || last.answer === undefined) return last;
  }
  return last;
}

/** What is below the CSE base, or what of it fits the criteria (`&ty=2`): by discovery, else its children only. */
export async function listingOf(
  asking: Asking,
  limits: ListingLimits = usualLimits,
  criteria = '',
): Promise<Listing | Unlisted> {
  const names = asking.target.description;
  const reader = new Reader(asking, limits);
  const found = await discovered(reader, names, criteria);
  if (!('reason' in found)) return found;
  const query = asking.speech.dialect === 'onem2m' ? '?rcn=6' : '';
  const seen = await reader.read(`/${names.base}${query}`);
  const children = 'refused' in seen || !isSuccess(seen) ? undefined : childrenIn(seen);
  if (children === undefined) return found;
  return { ...listed(children, names), partial: `only the children of the base could be seen; ${found.reason}` };
}

async function discovered(reader: Reader, names: CseNames, criteria: string): Promise<Listing | Unlisted> {
  const all = new Map<string, Address>();
  let offset = '';
  while (!reader.isEnough(all.size)) {
    const seen = await reader.read(`/${names.base}?fu=1${criteria}${offset}`);
    const list = foundIn(seen);
    if (list === undefined) {
      const reason = `a discovery of /${names.base} brought no list: ${told(seen)}`;
      return all.size === 0 ? { reason, fails: failsIn(seen) } : { addresses: all, partial: reason };
    }
    const before = all.size;
    for (const [key, address] of listed(list.slice(0, reader.mostFound), names).addresses) all.set(key, address);
    // contentStatus and contentOffset of an answer that is cut (TS-0009 6.4.2).
    const { headers } = viewOf(seen as Exchange);
    if (headers.get('x-m2m-cts') !== '1') return { addresses: all };
    if (all.size === before) break;
    offset = `&ofst=${/^\d{1,9}$/.exec(headers.get('x-m2m-cto') ?? '')?.[0] ?? all.size}`;
  }
  return { addresses: all, partial: 'the list of resources is too long to be read as a whole' };
}

function failsIn(seen: Exchange | { readonly refused: string }): boolean {
  return !('refused' in seen) && (seen.answer?.status ?? 0) >= 500;
}

function foundIn(seen: Exchange | { readonly refused: string }): readonly unknown[] | undefined {
  return 'refused' in seen || !isSuccess(seen) ? undefined : viewOf(seen).found;
}

function told(seen: Exchange | { readonly refused: string }): string {
  return 'refused' in seen ? seen.refused : summaryOf(seen);
}

function listed(identifiers: readonly unknown[], names: CseNames): Listing {
  const addresses = identifiers.filter((one) => typeof one === 'string').map((one) => addressOfFound(one, names));
  return { addresses: new Map(addresses.map((address) => [keyOf(address), address])) };
}

/** Child references: `ch` of a CSE base, or the list that rcn=6 brings. */
function childrenIn(exchange: Exchange): unknown[] | undefined {
  const { attributes, body } = viewOf(exchange);
  const list = attributes?.ch ?? attributes?.rrf ?? (isObject(body) ? body['m2m:rrl'] : undefined);
  if (!Array.isArray(list)) return undefined;
  return list.map((one) => (isObject(one) ? (one.val ?? one.value) : one));
}

/** What a target holds, looked at once; or why it cannot be. */
export type Look = Listing | Unlisted;

/** What two looks at a target, before and after a run, say about it. */
export function surveyOf(before: Look, after: Look, holdings: Holdings, names: CseNames): Survey {
  const reasons = [before, after].map((look) => ('reason' in look ? look.reason : look.partial));
  const reason = reasons.find((one) => one !== undefined);
  const told = reason === undefined ? {} : { reason };
  if ('reason' in after) return { before: sizeOf(before), after: 0, left: [], others: 0, ...told };
  const own = [...after.addresses.values()].filter((address) => holdings.holds(address));
  const left = own.map((address) => pathOf(address, names));
  return {
    before: sizeOf(before),
    after: after.addresses.size,
    left,
    others: othersIn(before, after, holdings),
    ...told,
  };
}

/** What the looks say of a target that cannot be relied on: broken before the run, or since, or with what earlier runs left. */
export function damageIn(survey: Survey, before: Look | undefined, after: Look | undefined): Survey {
  if (before === undefined) return survey;
  if ('reason' in before) return before.fails === true ? { ...survey, unsound: before.reason } : survey;
  const there = after === undefined || 'reason' in after ? undefined : leftByEarlierRuns(after);
  const earlier = leftByEarlierRuns(before).filter((name) => there?.includes(name) !== false);
  const damaged = after !== undefined && 'reason' in after ? { damaged: after.reason } : {};
  return { ...survey, ...damaged, ...(earlier.length > 0 && { earlier }) };
}

/** What every run has as the beginning of its names. */
const ofSomeRun = /^cl-[0-9a-z]{7}-/;

/** The topmost, by their names. */
function leftByEarlierRuns({ addresses }: Listing): string[] {
  const names = [...addresses.values()].flatMap(({ segments }) => segments.find((one) => ofSomeRun.test(one)) ?? []);
  return [...new Set(names)];
}

/** Whether a look that shows everything by names does not show it. */
export function isContradicted(path: string, after: Look | undefined, names: CseNames): boolean {
  if (after === undefined || 'reason' in after || after.partial !== undefined) return false;
  const address = meantBy(path, names);
  const isByNames = [...after.addresses.values()].every(({ segments }) => segments[0] === names.base);
  return (
    isByNames &&
    address.cseId === names.cseId &&
    address.segments[0] === names.base &&
    !after.addresses.has(keyOf(address))
  );
}

function sizeOf(look: Look): number {
  return 'reason' in look ? 0 : look.addresses.size;
}

/** Those that came or went, and are not of the run. */
function othersIn(before: Look, after: Listing, holdings: Holdings): number {
  if ('reason' in before) return 0;
  const came = [...after.addresses].filter(([key, one]) => !before.addresses.has(key) && !holdings.holds(one));
  const gone = [...before.addresses.keys()].filter((key) => !after.addresses.has(key));
  return came.length + gone.length;
}
