import { isObject } from '../engine/judging/body.ts';

/** Identifiers that a body names as members of groups (TS-0004 6.3, mid); `unknown` where it may name some that cannot be read. */
export function membersIn(body: Uint8Array | undefined, encoded = false): readonly string[] | 'unknown' {
  if (body === undefined || body.length === 0) return [];
  if (encoded) return 'unknown';
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  if (!/mid|memberIDs|\\u00/i.test(text)) return [];
  const found: unknown[] = [];
  try {
    collect(JSON.parse(text), found);
  } catch {
    return 'unknown';
  }
  // A key that is given twice means the first to one server and the last to another.
  const named = text.match(/"mid"\s*:/g)?.length ?? 0;
  const readable = named === found.length && !/\\u00/i.test(text) && !/memberIDs/i.test(text);
  const members = found.flat();
  return readable && members.every((one) => typeof one === 'string') ? members : 'unknown';
}

function collect(value: unknown, found: unknown[]): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found);
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'mid') found.push(inner);
    else collect(inner, found);
  }
}

const fanOutPoint = /^(fopt|fanoutpoint)$/i;

/** The group and what stands after its fan-out point, where an address has one. */
export function fanOutIn<A extends { readonly segments: readonly string[] }>(
  address: A,
): { readonly group: A; readonly below: readonly string[] } | undefined {
  const at = address.segments.findIndex((segment) => fanOutPoint.test(segment));
  if (at < 0) return undefined;
  const group = { ...address, segments: address.segments.slice(0, at) };
  return { group, below: address.segments.slice(at + 1) };
}
