/** Criteria of discoveries that exclude each other, do not exist, or have a value that they cannot have. */

import type { HttpRequest } from '../../dialects/http-message.ts';
import type { Fault } from '../fault.ts';
import { withQuery } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { criteriaIn, ignoring } from '../vocabulary/standard-discoveries.ts';
import { afterwards, beforehand, type Exchange } from '../vocabulary/standard-exchanges.ts';

const refusals: ReadonlySet<number> = new Set([4000, 4102, 5001]);

/** A criterion with a value that it cannot have is not looked at. */
const overlooking = (name: string, isOdd: (value: string) => boolean) =>
  afterwards(({ about, request, code, serve }) => {
    const value = about.discovery ? about.query.get(name) : null;
    return value !== null && refusals.has(code) && isOdd(value) ? serve(lacking(request, name)) : undefined;
  });

const lacking = (request: HttpRequest, ...names: readonly string[]) =>
  withQuery(request, (query) => {
    for (const name of names) query.delete(name);
  });

/** Of two criteria only the first is looked at, also where they exclude each other. */
const contradicting = (first: string, second: string) =>
  breaking(
    'std.discovery.contradiction',
    `${first}-alone`,
    `Of ${first} and ${second} in one discovery, with no other criterion, only ${first} counts.`,
    ignoring(second, (query) => criteriaIn(query) === [first, second].sort().join(' ')),
  );

const contradictions: readonly Fault[] = [
  contradicting('sts', 'stb'),
  contradicting('cra', 'crb'),
  contradicting('crb', 'cra'),
  contradicting('ms', 'us'),
  contradicting('us', 'ms'),
  contradicting('exa', 'exb'),
  contradicting('exb', 'exa'),
];

const isNumber = (value: string) => /^[\d ]+$/.test(value);

const values: readonly Fault[] = [
  breaking(
    'std.discovery.invalid-value',
    'time',
    'A cra that is no time is not looked at.',
    overlooking('cra', (value) => !/^\d{8}T/.test(value)),
  ),
  breaking(
    'std.discovery.invalid-value',
    'kind',
    'A ty that is no number is not looked at.',
    overlooking('ty', (value) => !isNumber(value)),
  ),
  breaking(
    'std.discovery.invalid-value',
    'limit',
    'A lim that is no number is not looked at.',
    overlooking('lim', (value) => !isNumber(value)),
  ),
  breaking(
    'std.discovery.unknown-criterion',
    'ignored',
    'A name in the query of a discovery that is none of a criterion or an attribute is not looked at.',
    beforehand(({ about, request, serve, core }) => {
      const strange = about.discovery ? [...about.query.keys()].filter((name) => !isKnown(name, core)) : [];
      return strange.length === 0 ? undefined : serve(lacking(request, ...strange));
    }),
  ),
];

const known: ReadonlySet<string> = new Set(
  'fu fo lbl ty crb cra ms us exb exa sts stb sza szb cty lim ofst lvl arp atr drt rcn rt rp rqet rset oet gid rids palb clbl pty chty cfq cfs'.split(
    ' ',
  ),
);

function isKnown(name: string, { configuration }: Exchange['core']): boolean {
  return known.has(name) || configuration.kinds.some(({ attributes }) => name in attributes);
}

export const criteria: readonly Fault[] = [...values, ...contradictions];
