/** Paths as applications write them, and as discovery lists them, made into request targets. */

/**
 * `/onem2m/App/c`, `/~/mn-cse-1/onem2m/App/c` and `/_/openmtc.org/mn-cse-1/onem2m/App/c` are taken as they are, an absolute
 * identifier (`//openmtc.org/mn-cse-1/…`) in the form that HTTP has for it. A path without a slash at its beginning is one
 * below the application, `c` or `devices/Temp-1`, written with the names as they are.
 */
export function requestPath(path: string, application: string): string {
  if (path.startsWith('//')) return `/_${path.slice(1)}`;
  return path.startsWith('/') ? path : `${application}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * The target for an address that a CSE lists: a slash at its beginning means relative to the service provider, two mean
 * absolute, and none means relative to the CSE. One that begins with the CSE base, or is a target already, stays as it is.
 */
export function listedPath(address: string, base: string): string {
  if (!address.startsWith('/')) return `/${address}`;
  if (address.startsWith('//')) return `/_${address.slice(1)}`;
  return /^\/[~_]\//.test(address) || `${address}/`.startsWith(`${base}/`) ? address : `/~${address}`;
}

interface NewLocation {
  /** Request target of what exists already. */
  readonly parent: string;
  /** Names below it, down to the new resource. */
  readonly names: readonly string[];
}

/** Where a new resource goes: `devices/Temp-1` below `parent`, or, where it begins with a slash, below its own parent. */
export function newLocationOf(path: string, parent: string): NewLocation {
  if (!path.startsWith('/')) return { parent, names: path.split('/') };
  const cut = path.lastIndexOf('/');
  return { parent: path.slice(0, cut), names: [decodeURIComponent(path.slice(cut + 1))] };
}
