/** Resolves request targets, in every form that a CSE accepts (TS-0001 7.2, TS-0009 6.2.3). */

import { getOrAdd, memoized } from '../basics/memoize.ts';

/** Names of a CSE. */
export interface CseNames {
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
}

/** The destination of a request: a CSE, and the names or the identifier there; none for its base. */
export interface Address {
  readonly cseId: string;
  readonly segments: readonly string[];
}

/** Rounds of percent-decoding that a server may do. */
const mostRounds = 4;
/** Characters at which some servers cut a path, or that they fold or read as others. */
const ambiguous = /[\\;?#\ufffd]|%u[\da-f]{4}|\p{Cc}/iu;
/** A dot segment that leads to what is above. */
const stepUp = /[/\\]\s*\.\.\s*(?:[/\\;?#\0]|$)/;
/** Start of a request target to a proxy (RFC 9112 3.2.2). */
const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
/** Cached targets of a CSE, as each recurs several times in a row; and the characters of the longest. */
const cacheBounds = { most: 1000, longest: 300 };

/**
 * All addresses that a request target can mean, by the rounds of decoding. Undefined where that is uncertain: with dot
 * segments (the upward ones even in the query), ambiguous characters, or a host.
 */
export const meaningsOf = forEachCse((target, home): readonly Address[] | undefined => {
  const path = target.split('?', 1)[0] ?? '';
  if (!path.startsWith('/') && path !== '') return undefined;
  // A server that resolves dot segments before it cuts off the query takes those of the query for steps up.
  if (roundsOf(target.slice(path.length))?.some((query) => stepUp.test(query)) ?? true) return undefined;
  const rounds = roundsOf(path);
  if (rounds === undefined || rounds.some(isAmbiguous)) return undefined;
  return rounds.map((round) => addressOf(round, home));
});

/** The intended address, percent-decoded once. */
export const resolveAddress = forEachCse((target, home): Address => {
  return addressOf(decoded(target.replace(authority, '').split(/[?#]/, 1)[0] ?? ''), home);
});

function forEachCse<Meaning>(read: (target: string, home: CseNames) => Meaning): typeof read {
  const readers = new WeakMap<CseNames, (target: string) => Meaning>();
  return (target, home) => getOrAdd(readers, home, () => memoized((one) => read(one, home), cacheBounds))(target);
}

/** The two meanings of an identifier in a body (TS-0001 7.2): that of the standard, and a path. */
export function meaningsOfIdentifier(identifier: string, home: CseNames): readonly Address[] | undefined {
  const paths = pathsOfIdentifier(identifier).map((path) => meaningsOf(path, home));
  return paths.every((one) => one !== undefined) ? paths.flat() : undefined;
}

/** An identifier as the path of a request; the standard's form comes first. */
export function pathsOfIdentifier(identifier: string): string[] {
  if (identifier.startsWith('//')) return [`/_/${identifier.slice(2)}`];
  return identifier.startsWith('/') ? [`/~${identifier}`, identifier] : [`/${identifier}`];
}

/** Accepts every form in a discovery result: paths with and without the CSE, and identifiers. */
export function addressOfFound(identifier: string, names: CseNames): Address {
  const [standard = '', path = standard] = pathsOfIdentifier(identifier);
  return resolveAddress(identifier.split('/')[1] === names.cseId ? standard : path, names);
}

/** For maps: equal for equal addresses. */
export function keyOf({ cseId, segments }: Address): string {
  return [cseId, ...segments].join('/');
}

/** Such as `/onem2m/name`, or `/~/cse/identifier` if not below the base by name. */
export function pathOf({ cseId, segments }: Address, home: CseNames): string {
  const isLocal = cseId === home.cseId && segments[0] === home.base;
  return isLocal ? `/${segments.map(encodeURIComponent).join('/')}` : spRelativePath({ cseId, segments });
}

/** Always with the identifier of the CSE. */
export function spRelativePath({ cseId, segments }: Address): string {
  return `/~/${cseId}/${segments.map(encodeURIComponent).join('/')}`;
}

function roundsOf(path: string): string[] | undefined {
  const rounds = [path];
  for (let last = path; rounds.length <= mostRounds; ) {
    const next = decoded(last);
    if (next === last) return rounds;
    rounds.push(next);
    last = next;
  }
  return undefined;
}

export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function isAmbiguous(path: string): boolean {
  if (ambiguous.test(path) || path.startsWith('//')) return true;
  // Wide dots and slashes are folded by some servers.
  return [path, path.normalize('NFKC')].some((one) => one.split('/').some((part) => /^\s*\.{1,2}\s*$/.test(part)));
}

function addressOf(path: string, { base, cseId, spId }: CseNames): Address {
  const parts = path.split('/').filter((part) => part !== '');
  const [first, second = '', third = ''] = parts;
  if (first === '~') return { cseId: second, segments: shorthand(parts.slice(2), base) };
  if (first !== '_') return { cseId, segments: shorthand(parts, base) };
  return { cseId: second === spId ? third : `//${second}/${third}`, segments: shorthand(parts.slice(3), base) };
}

/** `-` means the name of the CSE base (TS-0009 6.2.3). */
function shorthand(segments: readonly string[], base: string): readonly string[] {
  return segments[0] === '-' ? [base, ...segments.slice(1)] : segments;
}
