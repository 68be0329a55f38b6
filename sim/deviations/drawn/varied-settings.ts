/** What a CSE chooses by itself, chosen otherwise. */
import type { Dialect } from '../../core/dialect.ts';
import type { ResourceType } from '../../core/resource-type.ts';
import type { Row } from '../language/schema.ts';
import { wayOf } from './variation.ts';
import type { Variation, WaysOf } from './variation-rows.ts';

/** Lifetimes in seconds, where they vary. */
export function variedLifetimes(variations: readonly Variation[]): { lifetime?: number; longestLifetime?: number } {
  const way = wayOf(variations, 'lifetime');
  const seconds = { 'an hour': 3600, 'a year': 31_536_000 };
  return way === undefined ? {} : { lifetime: seconds[way], longestLifetime: seconds[way] };
}

/** Microseconds between times that the CSE tells apart. */
export function variedTimeStep(variations: readonly Variation[]): { timeStep?: number } {
  return wayOf(variations, 'times') === 'in milliseconds' ? { timeStep: 1000 } : {};
}

type Part = Omit<Row, 'id' | 'says'>;

const isRefusal = { 'at-least': 400, below: 500 };
const saying = (type: string, write: string): Part => ({
  when: { status: isRefusal },
  does: { write, ...(type !== '' && { headers: { 'Content-Type': type } }) },
});
/** What HTTP itself says of some refusals cannot be said by another status (RFC 9110, 15.5). */
const refusing = (status: number): Part => ({
  when: { status: { ...isRefusal, not: [413, 414, 429, 431] } },
  does: { status },
});
const createdAtRoot = (status: number): Part => ({
  when: { method: 'POST', path: '/', status: 201 },
  does: { status },
});
const unsupported = (when: Row['when'], refuse: number): Part => ({ when, does: { refuse } });
/** A time that is past, or none, is refused (TS-0004, 7.3.3.3). */
const ahead = { method: 'POST', 'given.et': { after: '$now' } };
const given = { and: ['present', { not: null }] };

/** What is said in the words of rows, though nothing is wrong with it. */
const ways: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  deleted: {
    empty: { when: { method: 'DELETE', status: 200 }, does: { write: '' } },
    'an object': { when: { method: 'DELETE', status: 200 }, does: { write: '{}' } },
  },
  'created at /': { 'with 200': createdAtRoot(200), 'with 202': createdAtRoot(202) },
  refusals: { 'with 400': refusing(400), 'with 404': refusing(404), 'with 422': refusing(422) },
  says: {
    nothing: saying('', ''),
    'plain text': saying('text/plain', 'It was refused.'),
    'a page': saying('text/html', '<!doctype html><title>Refused</title><p>It was refused.'),
    'another object': saying('', '{"error":{"id":17,"text":"It was refused."}}'),
  },
  parameters: {
    'left out': {
      does: {
        headers: Object.fromEntries(
          ['RSC', 'RI', 'RVI', 'OT', 'RST', 'EC', 'VSI', 'CTS', 'CTO'].map((name) => [`X-M2M-${name}`, null]),
        ),
      },
    },
  },
  et: {
    ignored: { when: { either: [ahead, { method: 'PUT', 'given.et': given }] }, does: { ignore: 'et' } },
    'ignored in a create': { when: ahead, does: { ignore: 'et' } },
    refused: unsupported({ 'given.et': given }, 4000),
  },
  without: {
    updates: unsupported({ method: 'PUT' }, 4005),
    'removal below applications': unsupported({ method: 'DELETE', segments: { count: { above: 2 } } }, 4005),
    'the removal of instances': unsupported({ method: 'DELETE', segments: { count: { above: 3 } } }, 4005),
    'the oldest': unsupported({ path: { like: '/(?:oldest|ol)$' } }, 4004),
    'addresses by identifier': unsupported(
      { elsewhere: 'absent', path: { not: ['/', '*'] }, 'segments.0': { not: '$cse.base' } },
      4004,
    ),
    'other kinds': unsupported(
      { method: 'POST', root: { and: ['present', { not: ['m2m:ae', 'm2m:cnt', 'm2m:cin'] }] } },
      4000,
    ),
    'other filters': unsupported(
      { method: 'GET', asks: 'fu', query: { names: { has: { not: ['lbl', 'cra', 'fu'] } } } },
      4000,
    ),
    OPTIONS: unsupported({ method: 'OPTIONS' }, 4005),
  },
  certificates: { 'for servers only, too': { overlooks: 'server-only' } },
  events: {
    'one in three not told': {
      sends: { when: { signal: 'present', event: 'present' }, nth: { every: 3 }, does: { withhold: true } },
    },
  },
};

/** By what varies and how. */
const rows: ReadonlyMap<string, Part> = new Map(
  Object.entries(ways).flatMap(([what, parts]) =>
    Object.entries(parts).map(([how, part]) => [`${what} ${how}`, part] as const),
  ),
);

export function variedRows(variations: readonly Variation[]): readonly Row[] {
  return variations.flatMap((variation) => {
    const [[what = '', how = ''] = []] = Object.entries(variation);
    const part = rows.get(`${what} ${how}`);
    return part === undefined ? [] : [{ id: `varied.${what}`, says: 'What every client has to take.', ...part }];
  });
}

export function variedKinds(kinds: readonly ResourceType[], variations: readonly Variation[]): readonly ResourceType[] {
  const prefixes = wayOf(variations, 'identifiers') === 'other prefixes';
  const names = wayOf(variations, 'names');
  if (!prefixes && names === undefined) return kinds;
  return kinds.map((kind) => ({
    ...kind,
    ...(prefixes && { prefix: `x-${kind.longName}.` }),
    ...(names !== undefined && isFreelyNamed(kind) && { longName: names === 'short' ? 'r' : 'made-up_here' }),
  }));
}

/** The shape of names is given for content instances. */
const isFreelyNamed = ({ root }: ResourceType) => root === 'm2m:ae' || root === 'm2m:cnt';

type RandomText = (length: number) => string;

/** The texts from which identifiers and names are made. */
export function variedRandomText(randomText: RandomText, variations: readonly Variation[]): RandomText {
  const way: WaysOf<'identifiers'> | undefined = wayOf(variations, 'identifiers');
  if (way === 'long') return (length) => randomText(4 * length);
  if (way === 'with dots and dashes') return (length) => `.${randomText(length - 4)}-${randomText(3)}_`;
  return randomText;
}

export function variedDialect(dialect: Dialect, variations: readonly Variation[]): Dialect {
  if (wayOf(variations, 'fractions') === undefined) return dialect;
  const write: Dialect['write'] = (type, value) => {
    const written = dialect.write(type, value);
    return type === 'timestamp' && typeof written === 'string' ? written.replace(/,?0+$/, shortened) : written;
  };
  return { ...dialect, write };
}

/** Zeros of the seconds stay. */
function shortened(zeros: string, at: number, whole: string): string {
  return zeros.startsWith(',') || whole.lastIndexOf(',', at) >= 0 ? '' : zeros;
}
