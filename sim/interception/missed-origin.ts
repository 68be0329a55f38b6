/** Requests that go past the CSE although their path is one of its addresses. */
import type { CseIdentity } from '../core/address.ts';
import { distance } from '../deviations/nearest.ts';
import type { Finding } from './near-miss.ts';
import type { Place } from './place.ts';

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Of a request to a URL that is not below the place; undefined for one that has nothing to do with the CSE. */
export function missedOrigin(url: URL, place: Place, identity: CseIdentity): Finding | undefined {
  const address = addressIn(url.pathname, place.prefix, identity);
  const difference = address === undefined ? undefined : differenceOf(url, place);
  if (difference === undefined) return undefined;
  return {
    kind: 'origin',
    says: `The CSE is at ${place.href}, but this goes to ${difference}, past it.`,
    meant: `${place.href}${address}${url.search}`,
  };
}

/** The path from where it names the CSE or its base, which is its first segment, behind the prefix or without it. */
function addressIn(path: string, prefix: string, { base, cseId }: CseIdentity): string | undefined {
  const address = prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
  return [`/${base}`, `/~/${cseId}`].some((start) => address === start || address.startsWith(`${start}/`))
    ? address
    : undefined;
}

/** What differs, where so little does that it may be a mistake. */
function differenceOf(url: URL, { url: own, prefix }: Place): string | undefined {
  if (url.origin === own.origin) return `a path outside ${prefix}`;
  const samePort = portOf(url) === portOf(own);
  if (url.hostname === own.hostname) {
    return samePort || url.protocol !== own.protocol ? `${url.protocol}//${url.host}` : `port ${portOf(url)}`;
  }
  const bothHere = loopback.test(url.hostname) && loopback.test(own.hostname);
  return samePort && (bothHere || distance(url.hostname, own.hostname) <= 2) ? `host ${url.hostname}` : undefined;
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}
