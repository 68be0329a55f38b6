import { defined } from '../engine/defined.ts';
import { type AnswerView, isSuccess, summaryOf, viewOf } from '../engine/judging/answer.ts';
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

/** What a target holds, as far as it could be seen. */
export interface Listing {
  /** What was found, by key. */
  readonly addresses: ReadonlyMap<string, Address>;
  /** Why it may not be all. */
  readonly partial?: string;
  /** Why nothing is there; `failing`: the target answers by a failure of its own. */
  readonly unseen?: 'not looked' | 'refused' | 'failing';
}

/** That of a target which could not be asked. */
export function notLooked(why: string): Listing {
  return { addresses: new Map(), partial: why, unseen: 'not looked' };
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

  async read(path: string): Promise<Reading> {
    const counted = (originator: string | undefined, exchange: Exchange) => {
      this.#requests += 1;
      this.#length += exchange.answer?.body.length ?? 0;
      if (isSuccess(exchange)) this.#originators = [originator];
    };
    return read({ ...this.#asking, originators: this.#originators }, path, counted);
  }
}

interface Reading {
  /** Absent where it could not be asked for. */
  readonly exchange?: Exchange;
  /** What was read; absent where nothing was. */
  readonly view?: AnswerView;
  /** What came, or why nothing was asked. */
  readonly says: string;
  /** Whether the target answered by a failure of its own. */
  readonly isFailing?: boolean;
}

/** By the first originator that may read, else what the last one was answered. */
export async function read(
  { target, way, speech, originators }: Asking,
  path: string,
  note: (originator: string | undefined, exchange: Exchange) => void = () => {},
): Promise<Reading> {
  let exchange: Exchange | undefined;
  for (const originator of new Set(originators)) {
    const request = bareRequest('GET', path, { originator, speech });
    const refused = await target.objection(request, way);
    if (refused !== undefined) return { says: refused };
    exchange = await target.send(request, way);
    note(originator, exchange);
    if (isSuccess(exchange) || exchange.answer === undefined) break;
  }
  if (exchange === undefined) return { says: 'nobody is known who could ask' };
  const isFailing = (exchange.answer?.status ?? 0) >= 500;
  return { exchange, says: summaryOf(exchange), isFailing, ...(isSuccess(exchange) && { view: viewOf(exchange) }) };
}

/** What is below the CSE base, or what of it fits the criteria (`&ty=2`): by discovery, else its children only. */
export async function listingOf(asking: Asking, limits: ListingLimits = usualLimits, criteria = ''): Promise<Listing> {
  const names = asking.target.description;
  const reader = new Reader(asking, limits);
  const found = await discovered(reader, names, criteria);
  if (found.unseen === undefined) return found;
  const query = asking.speech.dialect === 'onem2m' ? '?rcn=6' : '';
  const { view } = await reader.read(`/${names.base}${query}`);
  const children = view && childrenIn(view);
  if (children === undefined) return found;
  return {
    addresses: addressesOf(children, names),
    partial: `only the children of the base could be seen; ${found.partial}`,
  };
}

async function discovered(reader: Reader, names: CseNames, criteria: string): Promise<Listing> {
  const addresses = new Map<string, Address>();
  let offset = '';
  while (!reader.isEnough(addresses.size)) {
    const { view, says, isFailing } = await reader.read(`/${names.base}?fu=1${criteria}${offset}`);
    if (view?.found === undefined) {
      const partial = `a discovery of /${names.base} brought no list: ${says}`;
      return { addresses, partial, ...(addresses.size === 0 && { unseen: isFailing ? 'failing' : 'refused' }) };
    }
    const before = addresses.size;
    for (const [key, address] of addressesOf(view.found.slice(0, reader.mostFound), names)) addresses.set(key, address);
    // contentStatus and contentOffset of an answer that is cut (TS-0009 6.4.2).
    if (view.headers.get('x-m2m-cts') !== '1') return { addresses };
    if (addresses.size === before) break;
    offset = `&ofst=${/^\d{1,9}$/.exec(view.headers.get('x-m2m-cto') ?? '')?.[0] ?? addresses.size}`;
  }
  return { addresses, partial: 'the list of resources is too long to be read as a whole' };
}

/** By key. */
function addressesOf(identifiers: readonly unknown[], names: CseNames): Map<string, Address> {
  const addresses = identifiers.filter((one) => typeof one === 'string').map((one) => addressOfFound(one, names));
  return new Map(addresses.map((address) => [keyOf(address), address]));
}

/** Child references: `ch` of a CSE base, or the list that rcn=6 brings. */
function childrenIn({ attributes, body }: AnswerView): unknown[] | undefined {
  const list = attributes?.ch ?? attributes?.rrf ?? (isObject(body) ? body['m2m:rrl'] : undefined);
  if (!Array.isArray(list)) return undefined;
  return list.map((one) => (isObject(one) ? (one.val ?? one.value) : one));
}

/** What two looks at a target, before and after a run, say about it, and whether it can be relied on. */
export function surveyOf(before: Listing, after: Listing, holdings: Holdings, names: CseNames): Survey {
  const own = [...after.addresses.values()].filter((address) => holdings.holds(address));
  return {
    before: before.addresses.size,
    after: after.addresses.size,
    left: own.map((address) => pathOf(address, names)),
    others: before.unseen || after.unseen ? 0 : othersIn(before, after, holdings),
    ...defined({ reason: before.partial ?? after.partial }),
    ...damageIn(before, after),
  };
}

/** It was broken before the run, or is since, or has what earlier runs left. */
function damageIn(before: Listing, after: Listing): Pick<Survey, 'unsound' | 'damaged' | 'earlier'> {
  if (before.unseen !== undefined) return before.unseen === 'failing' ? defined({ unsound: before.partial }) : {};
  const there = after.unseen === undefined ? leftByEarlierRuns(after) : undefined;
  const earlier = leftByEarlierRuns(before).filter((name) => there?.includes(name) !== false);
  const isDamaged = after.unseen !== undefined && after.unseen !== 'not looked';
  return { ...(isDamaged && defined({ damaged: after.partial })), ...(earlier.length > 0 && { earlier }) };
}

/** What every run has as the beginning of its names. */
const ofSomeRun = /^cl-[0-9a-z]{7}-/;

/** The topmost, by their names. */
function leftByEarlierRuns({ addresses }: Listing): string[] {
  const names = [...addresses.values()].flatMap(({ segments }) => segments.find((one) => ofSomeRun.test(one)) ?? []);
  return [...new Set(names)];
}

/** Whether a look that shows everything by names does not show it. */
export function isContradicted(path: string, after: Listing, names: CseNames): boolean {
  if (after.partial !== undefined) return false;
  const address = meantBy(path, names);
  const isByNames = [...after.addresses.values()].every(({ segments }) => segments[0] === names.base);
  return (
    isByNames &&
    address.cseId === names.cseId &&
    address.segments[0] === names.base &&
    !after.addresses.has(keyOf(address))
  );
}

/** Those that came or went, and are not of the run. */
function othersIn(before: Listing, after: Listing, holdings: Holdings): number {
  const came = [...after.addresses].filter(([key, one]) => !before.addresses.has(key) && !holdings.holds(one));
  const gone = [...before.addresses.keys()].filter((key) => !after.addresses.has(key));
  return came.length + gone.length;
}
