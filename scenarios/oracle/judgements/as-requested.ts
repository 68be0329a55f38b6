/** How an attribute that was requested, or returned before, may be represented. */
import type { Matcher } from '../../engine/grammar/grammar-check.ts';
import { references } from '../observation/attribute-tables.ts';
import { isNothing } from '../observation/known-resource.ts';

/** By the name of its attribute. */
export function asRequested(name: string, value: unknown): Matcher {
  // Each notification decrements `exc`, and the last one deletes the subscription (TS-0004 7.5.1.2.2); so does each read with `dcnt`.
  if (typeof value === 'number' && (name === 'exc' || name === 'dcnt'))
    return { between: [name === 'exc' ? 1 : 0, value] };
  if (references.has(name) && Array.isArray(value))
    return { 'all of': [{ length: value.length }, ...value.map(among)] };
  if (references.has(name) && typeof value === 'string') return sameResource(value);
  if (typeof value === 'string' && /^\d{8}T\d{6}(,\d+)?$/.test(value)) return { 'starts with': value.slice(0, 15) };
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return { equals: value as string };
  const fields = Object.entries(value).map(([field, inner]) => [field, asRequested(field, inner)] as const);
  return { fields: Object.fromEntries(fields) };
}

function among(value: unknown): Matcher {
  return { contains: typeof value === 'string' ? sameResource(value) : { equals: value as string } };
}

/**
 * The form of an address may change. The last part of an identifier or a path stays the same, and all of a CSE-ID or SP-ID
 * (TS-0001 7.2).
 */
function sameResource(value: string): Matcher {
  if (value.includes('://')) return value;
  if (/^\/{1,2}[^/]+$/.test(value)) return { 'one of': [value, { 'ends with': value }] };
  return value.includes('/') ? { is: 'text' } : { 'one of': [value, { 'ends with': `/${value}` }] };
}

/** Between a request and its answer come a few notifications at most. */
export function countedDown(exc: number): Matcher {
  return { between: [Math.max(1, exc - 16), exc] };
}

/** The form of an address may change (TS-0001 7.2). */
export function unchanged(name: string, value: unknown): Matcher {
  if (references.has(name) && !isNothing(value)) return asRequested(name, value);
  return JSON.stringify(value).includes('${') ? { is: 'present' } : { equals: value as string };
}
