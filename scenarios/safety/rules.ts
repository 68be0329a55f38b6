/** What may be sent to a CSE that others run. */

import type { Address, CseNames } from '../engine/messages/address.ts';
import { decoded, keyOf, meaningsOf, meaningsOfIdentifier, resolveAddress } from '../engine/messages/address.ts';
import { type ExactBytes, isRead } from '../engine/messages/target.ts';
import type { Holding, Holdings, Ownership } from './holdings.ts';
import type { RequestLine } from './request-lines.ts';

export interface RulesOptions {
  readonly holdings: Holdings;
  /** Paths that are not even read, with all below. */
  readonly handsOff?: readonly string[];
  /** Whether only reads may be sent. */
  readonly readOnly?: boolean;
}

/** Nested fan-outs to follow; deeper ones may go in circles. */
const deepest = 4;

/** Members that a group may have had at any time of this run; `unknown` if nobody can tell. */
type Members = ReadonlySet<string> | 'unknown';

export class Rules {
  readonly #options: RulesOptions;
  readonly #groups = new Map<Holding, Members>();
  /** Whether an unknown resource may be a group with members of others. */
  #hasUnknownGroup = false;

  constructor(options: RulesOptions) {
    this.#options = options;
  }

  /** Why a request must not be sent, as the end of the sentence "not sent: …"; `names` are of the CSE that it is sent to. */
  objection({ method, target }: RequestLine, names: CseNames): string | undefined {
    const readings = meaningsOf(target, names);
    if (isRead(method)) return this.#toReading(target, readings, names);
    if (this.#options.readOnly) return `${method} is no read, and the run is to read only`;
    if (readings === undefined) return `nobody can say what ${shortPath(target)} leads to`;
    const verb = method === 'POST' ? 'create something below' : 'change';
    const foreign = readings.some((one) => !this.#mayChange(one, method));
    if (!foreign) return undefined;
    const through = readings.some((one) => fanOutIn(one) !== undefined) ? 'what the members of this group lead to' : '';
    const what =
      through === '' || !readings.every((one) => this.#options.holdings.holds(one)) ? shortPath(target) : through;
    return `it would ${verb} ${what}, which this run has not created`;
  }

  /** Claims about resources that the request would change: they have to be read before it may be sent. */
  claimsIn({ method, target }: RequestLine, names: CseNames): Ownership[] {
    const readings = isRead(method) ? undefined : meaningsOf(target, names);
    const reached = (readings ?? []).flatMap((one) => [...this.#reachedBy(one)]);
    return reached.flatMap((one) => (one && this.#options.holdings.claimAbove(one)) ?? []);
  }

  /** An address, and through a fan-out those of the members; undefined if unknown. */
  *#reachedBy(address: Address, depth = 0): Generator<Address | undefined> {
    yield address;
    const fanOut = fanOutIn(address);
    if (fanOut === undefined) return;
    const members = depth === deepest ? 'unknown' : this.#membersAt(fanOut.group);
    if (members === 'unknown') yield undefined;
    else for (const member of members) yield* this.#reachedAs(member, address.cseId, fanOut.below, depth + 1);
  }

  /** Addresses of the identifier of a member at the CSE of its group, or at any, and of what is below it. */
  *#reachedAs(
    identifier: string,
    host?: string,
    below: readonly string[] = [],
    depth = 0,
  ): Generator<Address | undefined> {
    const hosts = this.#options.holdings.namesAt(host);
    if (hosts.length === 0) yield undefined;
    for (const names of hosts) {
      const readings = meaningsOfIdentifier(identifier, names);
      if (readings === undefined) yield undefined;
      for (const { cseId, segments } of readings ?? [])
        yield* this.#reachedBy({ cseId, segments: [...segments, ...below] }, depth);
    }
  }

  /** Whether a path is the identifier of something this run removed. */
  isRemoved(path: string, names: CseNames): boolean {
    const address = resolveAddress(path, names);
    return address.segments.length === 1 && this.#options.holdings.isGone(address);
  }

  /** Records the members that a body gives to a group; undefined if the group is unknown. */
  noteMembers(members: readonly string[] | 'unknown', group: Holding | undefined): void {
    if (members !== 'unknown' && members.length === 0) return;
    if (group === undefined) {
      if (members === 'unknown' || !members.every((one) => this.#areOwn(this.#reachedAs(one))))
        this.#hasUnknownGroup = true;
      return;
    }
    const known = this.#groups.get(group) ?? new Set();
    this.#groups.set(group, known === 'unknown' || members === 'unknown' ? 'unknown' : new Set([...known, ...members]));
  }

  #mayChange(address: Address, method: string): boolean {
    if (method === 'POST' && this.#options.holdings.isBase(address)) return true;
    return this.#areOwn(this.#reachedBy(address));
  }

  /** Whether this run certainly created all of it. */
  #areOwn(reached: Iterable<Address | undefined>): boolean {
    const { holdings } = this.#options;
    for (const one of reached) if (one === undefined || holdings.isBase(one) || !holdings.holds(one)) return false;
    return true;
  }

  #membersAt(group: Address): Members {
    const { holdings } = this.#options;
    const holding = holdings.at(group);
    // By the identifier of another CSE, a lenient server may mean itself, and any group of this run.
    const unclear = this.#hasUnknownGroup || holdings.namesAt(group.cseId).length === 0;
    return (holding && this.#groups.get(holding)) ?? (unclear ? 'unknown' : new Set());
  }

  #toReading(target: string, readings: readonly Address[] | undefined, names: CseNames): string | undefined {
    if (this.#options.readOnly && /[?&]rt=[^3&]/.test(target)) {
      return 'the target would keep the request as a resource, and the run is to read only';
    }
    // Reading a polling channel takes what waits there for others (TS-0001 10.2.5.15).
    const consumes = /\/(pcu|pollingChannelURI)(?![^/?#])/i.test(decoded(target));
    const own = readings?.every((one) => this.#options.holdings.holds(one)) ?? false;
    if (consumes && !own) return `it would take from ${shortPath(target)} what is meant for somebody else`;
    const { handsOff = [] } = this.#options;
    if (handsOff.length === 0 || (own && !readings?.some((one) => fanOutIn(one)))) return undefined;
    if (readings === undefined)
      return `nobody can say what ${shortPath(target)} leads to, and there are paths that are not to be read`;
    return this.#handsOffObjection(target, readings, names);
  }

  /** Why a request could reach what must not be read. */
  #handsOffObjection(target: string, readings: readonly Address[], names: CseNames): string | undefined {
    const { handsOff = [] } = this.#options;
    const keysOf = (path: string) => meaningsOf(`/${path.replace(/^\/+/, '')}`, names)?.map(keyOf) ?? [];
    const forbidden = handsOff.map((path) => ({ path, keys: keysOf(path) }));
    // 4 and 8 of rcn bring the content of what is below (TS-0004 6.3.4.2.7).
    const sweeps = /[?&]rcn=(?!(1|5|6|11)(&|$))/.test(target);
    for (const reading of readings) {
      const key = keyOf(reading);
      const reaches = (one: string) => isAtOrBelow(key, one) || (sweeps && isAtOrBelow(one, key));
      const hit = forbidden.find(({ keys }) => keys.some(reaches));
      if (hit !== undefined) return `it would read ${hit.path}, which is not to be touched`;
      if (!this.#isWellKnown(reading)) return `${shortPath(target)} may lead to what is not to be touched`;
    }
    return undefined;
  }

  /** By name below a CSE base, without a fan-out to members of others: such an address is unambiguous. */
  #isWellKnown(address: Address): boolean {
    const { holdings } = this.#options;
    const fanOut = fanOutIn(address);
    if (fanOut !== undefined) return holdings.holds(fanOut.group) && this.#areOwn(this.#reachedBy(address));
    if (holdings.isBase(address) || holdings.holds(address)) return true;
    return holdings.isBase({ ...address, segments: address.segments.slice(0, 1) });
  }
}

function isAtOrBelow(key: string, above: string): boolean {
  return key === above || key.startsWith(`${above}/`);
}

/** Without its query, and not longer than a line. */
function shortPath(target: string): string {
  const path = target.split('?', 1)[0] ?? '';
  return path.length > 100 ? `${path.slice(0, 97)}…` : path;
}

/** Identifiers of group members in a body (TS-0004 6.3, mid); `unknown` if it may name some that cannot be read. */
export function membersIn(body: Uint8Array | undefined, encoded = false): readonly string[] | 'unknown' {
  if (body === undefined || body.length === 0) return [];
  if (encoded) return 'unknown';
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  if (!/mid|memberIDs|\\u00/i.test(text)) return [];
  const found: unknown[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (key === 'mid') found.push(value);
      return value;
    });
  } catch {
    return 'unknown';
  }
  // Of a key given twice, one server takes the first and another the last.
  const named = text.match(/"mid"\s*:/g)?.length ?? 0;
  const readable = named === found.length && !/\\u00/i.test(text) && !/memberIDs/i.test(text);
  const members = found.flat();
  return readable && members.every((one) => typeof one === 'string') ? members : 'unknown';
}

/** Whether bytes could give a group members: nobody could tell which. */
export function mayNameMembers({ bytes }: ExactBytes): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return /"mid"|memberIDs|\\u00[46][49d]/i.test(text);
}

const fanOutPoint = /^(fopt|fanoutpoint)$/i;

/** The group and what follows its fan-out point, if an address has one. */
export function fanOutIn<A extends { readonly segments: readonly string[] }>(
  address: A,
): { readonly group: A; readonly below: readonly string[] } | undefined {
  const at = address.segments.findIndex((segment) => fanOutPoint.test(segment));
  if (at < 0) return undefined;
  const group = { ...address, segments: address.segments.slice(0, at) };
  return { group, below: address.segments.slice(at + 1) };
}
