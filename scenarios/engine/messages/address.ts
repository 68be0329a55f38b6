/** What the target of a request can mean, in every form that a CSE takes (TS-0001 7.2, TS-0009 6.2.3). */

import { getOrAdd, memoized } from '../basics/memoize.ts';

/** How a CSE is called. */
export interface CseNames {
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
}

/** Where a request leads: a CSE, and the names or the identifier there. Nothing below the CSE is its base. */
export interface Address {
  readonly cseId: string;
  readonly segments: readonly string[];
}

/** Rounds of percent-decoding that a server could make. */
const mostRounds = 4;
/** What some servers cut a path at, fold, or read as something else. */
const ambiguous = /[\\;?#\ufffd]|\p{Cc}/u;
/** What a request target to a proxy begins with (RFC 9112 3.2.2). */
const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
/** So many targets of a CSE are kept in mind, since each is asked for several times in a row; and the characters of the longest. */
const cacheBounds = { most: 1000, longest: 300 };

/**
 * All that a request target could mean to one server or another, by how often it decodes. Undefined where nobody can say:
 * with dot segments, characters at which some servers cut a path, or a host.
 */
export const meaningsOf = forEachCse((target, home): readonly Address[] | undefined => {
  const path = target.split('?', 1)[0] ?? '';
  if (!path.startsWith('/') && path !== '') return undefined;
  const rounds = roundsOf(path);
  if (rounds === undefined || rounds.some(isAmbiguous)) return undefined;
  return rounds.map((round) => addressOf(round, home));
});

/** The address as it is meant, percent-decoded once. */
export const resolveAddress = forEachCse((target, home): Address => {
  return addressOf(decoded(target.replace(authority, '').split(/[?#]/, 1)[0] ?? ''), home);
});

function forEachCse<Meaning>(read: (target: string, home: CseNames) => Meaning): typeof read {
  const readers = new WeakMap<CseNames, (target: string) => Meaning>();
  return (target, home) => getOrAdd(readers, home, () => memoized((one) => read(one, home), cacheBounds))(target);
}

/** The two ways in which an identifier in a body (TS-0001 7.2) may be meant: as the standard has it, and as a path. */
export function meaningsOfIdentifier(identifier: string, home: CseNames): readonly Address[] | undefined {
  const paths = pathsOfIdentifier(identifier).map((path) => meaningsOf(path, home));
  return paths.every((one) => one !== undefined) ? paths.flat() : undefined;
}

/** An identifier as the path of a request; the first way is that of the standard. */
export function pathsOfIdentifier(identifier: string): string[] {
  if (identifier.startsWith('//')) return [`/_/${identifier.slice(2)}`];
  return identifier.startsWith('/') ? [`/~${identifier}`, identifier] : [`/${identifier}`];
}

/** Whatever form a target lists: paths with and without the CSE, and identifiers. */
export function addressOfFound(identifier: string, names: CseNames): Address {
  const [standard = '', path = standard] = pathsOfIdentifier(identifier);
  return resolveAddress(identifier.split('/')[1] === names.cseId ? standard : path, names);
}

/** For maps: equal for equal addresses. */
export function keyOf({ cseId, segments }: Address): string {
  return [cseId, ...segments].join('/');
}

/** Such as `/onem2m/name`, or `/~/cse/identifier` where it is not below the base by name. */
export function pathOf({ cseId, segments }: Address, home: CseNames): string {
  const isLocal = cseId === home.cseId && segments[0] === home.base;
  return isLocal ? `/${segments.map(encodeURIComponent).join('/')}` : spRelativePath({ cseId, segments });
}

/** The same with the identifier of the CSE. */
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
  return path.split('/').some((segment) => /^\s*\.{1,2}\s*$/.test(segment));
}

function addressOf(path: string, { base, cseId, spId }: CseNames): Address {
  const parts = path.split('/').filter((part) => part !== '');
  const [first, second = '', third = ''] = parts;
  if (first === '~') return { cseId: second, segments: shorthand(parts.slice(2), base) };
  if (first !== '_') return { cseId, segments: shorthand(parts, base) };
  return { cseId: second === spId ? third : `//${second}/${third}`, segments: shorthand(parts.slice(3), base) };
}

/** `-` stands for the name of the CSE base (TS-0009 6.2.3). */
function shorthand(segments: readonly string[], base: string): readonly string[] {
  return segments[0] === '-' ? [base, ...segments.slice(1)] : segments;
}
