import { summaryOf, viewOf } from '../engine/judging/answer.ts';
import { clockAhead, parseTimestamp } from '../engine/judging/timestamp.ts';
import { type Address, type CseNames, pathOf, resolveAddress } from '../engine/messages/address.ts';
import type { Target, Way } from '../engine/messages/target.ts';
import type { Speech } from '../engine/messages/usual-headers.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { MemberName } from '../engine/targets/installation.ts';
import {
  areMissing,
  type CleanUpContext,
  hasRemoved,
  isSilent,
  type Removal,
  read,
  readBack,
  removeAt,
} from './clean-up-requests.ts';
import type { Holding, Holdings } from './holdings.ts';
import { listingOf } from './listing.ts';
import { bearsLabel } from './proof.ts';

export interface SweepOptions {
  readonly run: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly holdings: Holdings;
  readonly targets: { readonly gateway: Target; readonly backend?: Target };
  readonly speech: Speech;
  readonly admin?: string | undefined;
  readonly originator?: string | undefined;
  /** How to send requests with a certificate of this name. */
  readonly wayOf: (certificate: string | undefined) => Promise<Way>;
  /** Paths to leave alone, since the target dies of their removal. */
  readonly deadly?: readonly string[];
  /** Whether the run is over: what nobody finds has expired, or went with a restart. */
  readonly isOver?: boolean;
  /** Whether time is up. */
  readonly enough?: () => boolean;
}

export interface Swept {
  readonly removed: readonly string[];
  readonly left: ReadonlyArray<{ readonly path: string; readonly why: string }>;
  /** Why the target could not be reached at all. */
  readonly unreachable?: string;
}

/** The result so far. */
interface Found {
  readonly removed: string[];
  readonly left: Array<Swept['left'][number]>;
}

/** Most resources below the CSE base to search for one without a known name. */
const mostSuspects = 500;

/** Removes what a run left, the youngest first, as its creator, then as administrator. */
export async function sweep(options: SweepOptions): Promise<Swept> {
  const { holdings } = options;
  const found: Found = { removed: [], left: [] };
  const { removed, left } = found;
  for (const holding of holdings.left()) {
    if (options.enough?.()) return { removed, left: [...left, ...leftIn(holdings)] };
    if (!holdings.isLeft(holding)) continue;
    const path = pathToRemove(holding, options);
    if (path === undefined) continue;
    const removal = await remove(path, holding, options);
    const { exchange, why } = removal;
    if (exchange !== undefined && isSilent(exchange))
      return { removed, left: [...left, ...leftIn(holdings)], unreachable: summaryOf(exchange) };
    if (why !== undefined) left.push({ path, why });
    else if (hasRemoved(removal)) removed.push(path);
  }
  await sweepNameless(options, found);
  return found;
}

/** Removes one resource, with all that is below it, as its creator, then as administrator. */
export async function removeOne(holding: Holding, options: SweepOptions): Promise<Removal> {
  const path = pathToRemove(holding, options);
  return path === undefined ? { why: 'its path is not known' } : remove(path, holding, options);
}

/** What a run created and did not try to remove. */
export function leftIn(holdings: Holdings): Swept['left'] {
  return holdings
    .left()
    .map(({ paths, line }) => ({ path: paths[0] ?? `something below ${line.in}`, why: 'not tried' }));
}

/** A resource that may not exist is removed only if its name, or its parent, is certainly of the run. */
function pathToRemove({ state, paths, claims, line }: Holding, { holdings }: SweepOptions): string | undefined {
  const [path] = [...paths, ...[...claims.values()].map((claim) => claim.path)];
  if (path === undefined) return undefined;
  return state === 'created' || holdings.holds(resolveAddress(path, holdings.namesOf(line.on))) ? path : undefined;
}

async function remove(path: string, holding: Holding, options: SweepOptions): Promise<Removal> {
  const { line, paths, claims } = holding;
  const target = options.targets[line.on];
  if (target === undefined) return { why: 'the backend is not known' };
  const { holdings, speech, admin, deadly } = options;
  if (deadly?.includes(path)) return { why: 'the target died of its removal' };
  const way = await options.wayOf(line.certificate);
  const context = { target, way, speech, originators: sendersOf(holding, admin) };
  const asked = await readBack(await removeAt(path, [...paths], context), path, context);
  // Of what only the target has named, nothing proves that it is the run's any more.
  const isClaimed = options.isOver === true && paths.length === 0;
  const claimed = isClaimed ? [...claims.values()].map((claim) => claim.path) : [];
  const removal = asked.exchange === undefined && (await areMissing(claimed, context)) ? {} : asked;
  const isGone = removal.why === undefined;
  if (isGone && !hasRemoved(removal)) holdings.record({ kind: 'gone', on: line.on, path });
  return removal;
}

/**
 * The creator first, even if that is nobody. An originator that requested an identifier (TS-0001 7.2: `S` or `C` alone) uses the
 * assigned one.
 */
function sendersOf({ line: { originator }, paths }: Holding, admin: string | undefined): Array<string | undefined> {
  const isAssigned = (path: string) => /^[SC]$/.test(originator ?? '') && path.startsWith('/~/');
  const assigned = paths.filter(isAssigned).map((path) => decodeURIComponent(path.split('/').at(-1) ?? ''));
  return [...new Set([originator, ...assigned, admin])].filter((one, at) => at === 0 || one !== undefined);
}

/** Searches the children of the CSE base for what was created without a name and an answer. */
async function sweepNameless(options: SweepOptions, found: Found): Promise<void> {
  const { holdings } = options;
  const unnamed = holdings.left().filter(({ paths }) => paths.length === 0);
  const isAtBase = ({ line }: Holding) => holdings.isBase(resolveAddress(line.in, holdings.namesOf(line.on)));
  // What is below something of the run has gone with it.
  for (const { line } of unnamed.filter((one) => !isAtBase(one)))
    holdings.record({ kind: 'refused', number: line.number });
  const lost = unnamed.filter(isAtBase);
  for (const on of ['gateway', 'backend'] as const) {
    const here = lost.filter(({ line }) => line.on === on);
    await searchOn(on, here, options, found);
  }
}

async function searchOn(on: MemberName, lost: readonly Holding[], options: SweepOptions, found: Found): Promise<void> {
  const target = options.targets[on];
  const [first] = lost;
  if (target === undefined || first === undefined) return;
  const { admin, originator, speech, holdings } = options;
  const way = await options.wayOf(first.line.certificate);
  const context = { target, way, speech, originators: [admin, originator, first.line.originator] };
  const path = `something below ${first.line.in}`;
  const stays = (more: string) =>
    found.left.push({ path, why: `created without a name and without an answer; ${more}` });
  const listing = await listingOf(context);
  if (listing.unseen !== undefined) return void stays(listing.partial ?? '');
  const suspects: string[] = [];
  const names = target.description;
  const strangers = [...listing.addresses.values()].filter((one) => isChildOfBase(one, names) && !holdings.holds(one));
  for (const child of strangers.slice(0, mostSuspects).map((one) => pathOf(one, names))) {
    const outcome = await examine(child, first, context, options);
    if (outcome === 'removed') found.removed.push(child);
    if (outcome === 'suspect') suspects.push(child);
  }
  if (suspects.length > 0) return void stays(`perhaps ${suspects.join(', ')}`);
  for (const { line } of lost) holdings.record({ kind: 'refused', number: line.number });
}

/** Removes what contains the run's names; what is only young enough may be anybody's. */
async function examine(
  path: string,
  lost: Holding,
  context: CleanUpContext,
  options: SweepOptions,
): Promise<'removed' | 'suspect' | 'another'> {
  const { exchange, view } = await read(path, context);
  if (exchange === undefined || view === undefined) return 'another';
  if (!bearsLabel(view.attributes ?? {}, options.holdings, context.target)) {
    return wasCreatedAfter(options.startedAt, exchange) ? 'suspect' : 'another';
  }
  options.holdings.record({ kind: 'created', number: lost.line.number, paths: [path] });
  const { why } = await remove(path, lost, options);
  return why === undefined ? 'removed' : 'suspect';
}

/** By its name, or its identifier. */
export function isChildOfBase({ cseId, segments }: Address, { base, cseId: own }: CseNames): boolean {
  const [first] = segments;
  return cseId === own && (segments.length === 1 ? first !== base : segments.length === 2 && first === base);
}

/** The run did not create what is older than itself; a resource without an age is left alone as well. */
function wasCreatedAfter(startedAt: string, seen: Exchange): boolean {
  const { ct } = viewOf(seen).attributes ?? {};
  const created = typeof ct === 'string' ? parseTimestamp(ct) : undefined;
  return created !== undefined && Number(created / 1000n) - clockAhead(seen) >= Date.parse(startedAt) - 1000;
}
