import { dataOf } from '../engine/basics/body.ts';
import { viewOf } from '../engine/judging/answer.ts';
import { type Address, addressOfFound, type CseNames, pathOf, resolveAddress } from '../engine/messages/address.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { Holdings } from './holdings.ts';
import type { CreatingLine } from './ledger-line.ts';

/**
 * Paths of a created resource according to the answer, beside the requested name: by the name that the target chose, by its
 * identifier, or by its location. An answer about another name than the requested one says nothing.
 */
export function reportedPaths(line: CreatingLine, exchange: Exchange, holdings: Holdings): string[] {
  const { in: parent, name, on } = line;
  const names = holdings.namesOf(on);
  const above = resolveAddress(parent, names);
  const { attributes, headers } = viewOf(exchange);
  const rn = isName(attributes?.rn) ? attributes.rn : undefined;
  if (name !== undefined && rn !== undefined && rn !== name) return [];
  const segments = above.segments.length === 0 ? [names.base] : above.segments;
  const byName = name === undefined && rn !== undefined ? [{ ...above, segments: [...segments, rn] }] : [];
  const byIdentifier = isName(attributes?.ri) ? [identified(attributes.ri, above, names, holdings)] : [];
  const where = name === undefined && rn === undefined ? [headers.get('content-location')].filter(isName) : [];
  const all = [...byName, ...byIdentifier, ...where.map((one) => addressOfFound(one, names))];
  const outside = all.filter((one) => one.segments.length > 0 && !holdings.isBase(one));
  return [...new Set(outside.map((one) => pathOf(one, names)))];
}

/** What an answer to a create names instead of the requested resource, as sentences. */
export function strayIn({ in: parent, name, on }: CreatingLine, exchange: Exchange, holdings: Holdings): string[] {
  const { attributes, headers } = viewOf(exchange);
  const { rn = name, ri } = attributes ?? {};
  const requested = `${parent}/${name ?? ''}`;
  if (name !== undefined && isName(rn) && rn !== name) return [`${requested} was answered with the name ${rn}`];
  const own = [name, rn, ri].filter(isName).map((one) => one.split('/').at(-1));
  const located = ['location', 'content-location'].flatMap((header) => headers.get(header) ?? []);
  const strays = located.filter((one) => {
    const address = addressOfFound(one, holdings.namesOf(on));
    return own.length > 0 && !own.includes(address.segments.at(-1)) && !holdings.holds(address);
  });
  return strays.slice(0, 1).map((one) => `${requested} was answered with the location ${one}`);
}

/** An identifier at the CSE of the parent; some write it with the CSE, or as the whole path. */
function identified(identifier: string, { cseId }: Address, names: CseNames, holdings: Holdings): Address {
  if (!identifier.includes('/')) return { cseId, segments: [identifier] };
  const address = addressOfFound(identifier, names);
  return address.segments.length === 1 || holdings.holds(address) ? address : { cseId, segments: [] };
}

/** The identifier of a request that a target keeps and answers later (TS-0004 7.3.2.2, 7.5.1.1: uri). */
export function keptRequestIn(exchange: Exchange): string | undefined {
  const uri = exchange.answer?.status === 202 ? dataOf(viewOf(exchange).body)['m2m:uri'] : undefined;
  return typeof uri === 'string' && uri !== '' ? uri : undefined;
}

/** Whether it may stand in a path as one segment. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== '.' && value !== '..';
}
