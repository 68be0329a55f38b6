/** The request target: from a path to an address and back (TS-0009, clause 6.2.2.1). */
import type { DialectName } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';
import type { HttpRequest } from './http-message.ts';

export interface RequestTarget {
  /** `to` of the primitive. */
  readonly to: string;
  readonly query: string;
  /** The attribute selected by `#name` at the end of the path. */
  readonly attribute?: string;
}

/** `/x` is CSE-relative, `/~/cse/x` SP-relative, `/_/sp/cse/x` absolute. */
export function readTarget({ target }: HttpRequest, dialect: DialectName): RequestTarget {
  const mark = target.indexOf('?');
  const encoded = mark < 0 ? target : target.slice(0, mark);
  // `#name` at the end of a path selects one attribute (TS-0009, clause 6.2.2.2).
  const [whole, attribute] = dialect === 'onem2m' ? splitFragment(encoded) : [encoded];
  const path = whole.endsWith('/') ? whole.slice(0, -1) : whole;
  if (dialect === 'onem2m' && path !== whole && path !== '') {
    // TS-0001, clause 9.3.1.
    throw new CseError('BAD_REQUEST', 'No address ends with a slash.');
  }
  const query = mark < 0 ? '' : target.slice(mark + 1);
  const to = addressOf(path);
  return attribute === undefined ? { to, query } : { to, query, attribute };
}

/** Clients send a fragment percent-encoded, because HTTP has none. */
function splitFragment(path: string): [string, string?] {
  const [, before, attribute] = /^(.*?)(?:#|%23)([^/]*)$/s.exec(path) ?? [];
  return before === undefined || attribute === undefined || attribute === '' ? [path] : [before, attribute];
}

function addressOf(path: string): string {
  if (path.startsWith('/~/')) return `/${decodePath(path.slice(3))}`;
  if (path.startsWith('/_/')) return `//${decodePath(path.slice(3))}`;
  return decodePath(path.slice(1));
}

function decodePath(path: string): string {
  if (path.startsWith('/')) throw new CseError('NOT_FOUND', 'No path of a resource starts with two slashes.');
  if (!path.includes('%')) return path;
  return path.split('/').map(decodeSegment).join('/');
}

function decodeSegment(segment: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    throw new CseError('BAD_REQUEST', `The path has broken percent-encoding: ${JSON.stringify(segment)}.`);
  }
  if (decoded.includes('/')) throw new CseError('NOT_FOUND', 'No resource has a name with a slash in it.');
  return decoded;
}

/** The path form of an address whose names are percent-encoded: the inverse of `readTarget`. */
export function pathOf(address: string): string {
  if (address.startsWith('//')) return `/_/${address.slice(2)}`;
  return address.startsWith('/') ? `/~/${address.slice(1)}` : `/${address}`;
}

/** The CSE that an SP-relative or absolute address names. */
export function receiverIn(target: string): string | undefined {
  const [, provider, cse] = /^\/(?:~|_\/([^/?]+))\/([^/?]+)/.exec(target) ?? [];
  if (cse === undefined) return undefined;
  return provider === undefined ? `/${cse}` : `//${provider}/${cse}`;
}
