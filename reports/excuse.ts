import type { KnownDeviation } from '../scenarios/index.ts';

/** What a baseline says of a failure that it knows: `vendor knows (GW-12, owner platform team, until 2027-03-31)`. */
export function excuseText({ reason = 'no reason is given', ticket, owner, expires }: KnownDeviation): string {
  const answerable = owner === undefined ? undefined : `owner ${owner}`;
  const rest = [ticket, answerable, expires === undefined ? 'no end' : `until ${expires}`];
  return `${reason} (${rest.filter((one) => one !== undefined).join(', ')})`;
}
