/** Originators in all their forms (TS-0001, clause 7.2), and how access control rules match them. */
import type { CseIdentity } from './address.ts';
import type { DialectCodec } from './configuration.ts';
import { fitsWildcard } from './wildcard.ts';

/** True for the URL of a supported binding, false for the identifier of an entity. */
export const isUrl = (target: string): boolean => /^(?:https?|mqtts?|wss?|coaps?):\/\//i.test(target);

/**
 * The form in which originators are compared: CSE-relative for those of this CSE (`CAE`), SP-relative for others of its service
 * provider (`/in-cse-1`, `/in-cse-1/CAE`), else absolute. This CSE is `/mn-cse-1`.
 */
export function canonical(id: string, { spId, cseId }: CseIdentity): string {
  if (!id.startsWith('/')) return id;
  const inProvider = id.startsWith(`//${spId}/`) ? id.slice(spId.length + 2) : id;
  return inProvider.startsWith(`/${cseId}/`) ? inProvider.slice(cseId.length + 2) : inProvider;
}

/** `CAE` → `//sp/cse/CAE`, `/cse/CAE` → `//sp/cse/CAE`; absolute ones stay (TS-0001, clause 7.2). */
export function absoluteOriginator(originator: string, { spId, cseId }: Pick<CseIdentity, 'spId' | 'cseId'>): string {
  if (originator.startsWith('//')) return originator;
  return originator.startsWith('/') ? `//${spId}${originator}` : `//${spId}/${cseId}/${originator}`;
}

/** The same AE or CSE, each in CSE-relative (`CAE`), SP-relative (`/cse/CAE`) or absolute form (`//sp/cse/CAE`). */
export function isSameEntity(one: string, other: string | undefined, identity: CseIdentity): boolean {
  return other !== undefined && (one === other || absolute(one, identity) === absolute(other, identity));
}

/** An AE-ID that begins with S is unique in its service provider, so the CSE before it is ignored (TS-0001, clause 7.2). */
function absolute(identifier: string, { spId, cseId }: CseIdentity): string {
  if (isUrl(identifier)) return identifier;
  const last = identifier.slice(identifier.lastIndexOf('/') + 1);
  const [, otherProvider] = /^\/\/([^/]+)/.exec(identifier) ?? [];
  if (last.startsWith('S')) return `//${otherProvider ?? spId}/${last}`;
  return absoluteOriginator(identifier, { spId, cseId });
}

/**
 * An originator for use at another CSE. In the documented dialect absolute (`gaps`, row 39); in the standard SP-relative,
 * or absolute for a target of another service provider (TS-0004, clause 7.3.2.6).
 */
export function originatorElsewhere(
  from: string,
  { spId, cseId, dialect }: Pick<CseIdentity, 'spId' | 'cseId'> & { readonly dialect: DialectCodec },
  to = '',
): string {
  if (from === '' || from.startsWith('//')) return from;
  const leaves = to.startsWith('//') && !to.startsWith(`//${spId}/`);
  if (leaves || dialect.name === 'documented') return absoluteOriginator(from, { spId, cseId });
  return from.startsWith('/') ? from : `/${cseId}/${from}`;
}

/** The originators in `acor` of a rule. */
export interface OriginatorMatcher {
  readonly everybody: boolean;
  /** Identifiers of originators and groups, canonical. */
  readonly ids: ReadonlySet<string>;
  /** `*` matches any characters but a slash, `?` one. */
  readonly patterns: readonly string[];
  /** Names of service providers, including their subdomains. */
  readonly domains: readonly string[];
}

/** TS-0001, table 9.6.2.1-1. */
export function originatorMatcher(acor: readonly string[], identity: CseIdentity): OriginatorMatcher {
  const ids = new Set<string>();
  const patterns: string[] = [];
  const domains: string[] = [];
  for (const entry of acor) {
    if (/[*?]/.test(entry)) patterns.push(canonical(entry, identity));
    else ids.add(canonical(entry, identity));
    const [, domain] = /^(?:\/\/)?([^/*?]+)$/.exec(entry) ?? [];
    if (domain !== undefined && (entry.startsWith('//') || domain.includes('.'))) domains.push(domain);
  }
  return { everybody: acor.includes('all'), ids, patterns, domains };
}

/** True when the rule matches the originator, in canonical form; groups are handled elsewhere. */
export function matchesOriginator(matcher: OriginatorMatcher, originator: string, identity: CseIdentity): boolean {
  if (matcher.everybody || matcher.ids.has(originator)) return true;
  if (matcher.domains.length > 0) {
    const provider = /^\/\/([^/]+)/.exec(originator)?.[1] ?? identity.spId;
    if (matcher.domains.some((domain) => provider === domain || provider.endsWith(`.${domain}`))) return true;
  }
  return matcher.patterns.some((pattern) => fitsPattern(pattern, originator, identity));
}

/**
 * A pattern matches originators of its own scope only: `/x/C*` and `C*` can match those of this CSE, but none of another provider.
 * A star ends at the next slash, so `/*` matches CSEs but no AE (TS-0003, clause 7.1.3). A lone star matches everybody.
 */
function fitsPattern(pattern: string, originator: string, { spId, cseId }: CseIdentity): boolean {
  if (pattern === '*') return true;
  if (!pattern.startsWith('/')) return !originator.startsWith('/') && fitsWildcard(originator, pattern);
  const inProvider = originator.startsWith('/') ? originator : `/${cseId}/${originator}`;
  if (inProvider.startsWith('//')) return pattern.startsWith('//') && fitsLevels(inProvider, pattern);
  return fitsLevels(pattern.startsWith('//') ? `//${spId}${inProvider}` : inProvider, pattern);
}

function fitsLevels(identifier: string, pattern: string): boolean {
  const levels = identifier.split('/');
  const patterns = pattern.split('/');
  return (
    levels.length === patterns.length && patterns.every((one, index) => fitsWildcard(levels[index] as string, one))
  );
}
