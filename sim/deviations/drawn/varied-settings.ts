/** What a CSE chooses by itself, chosen otherwise. */
import type { Dialect } from '../../core/dialect.ts';
import type { ResourceType } from '../../core/resource-type.ts';
import { type Variation, wayOf } from './variation.ts';

/** Lifetimes in seconds, where they vary. */
export function variedLifetimes(variations: readonly Variation[]): { lifetime?: number; longestLifetime?: number } {
  const way = wayOf(variations, 'lifetime');
  const lifetime = way === 'an hour' ? 3600 : 31_536_000;
  return way === undefined ? {} : { lifetime, longestLifetime: lifetime };
}

/** Microseconds between times that the CSE tells apart. */
export function variedTimeStep(variations: readonly Variation[]): { timeStep?: number } {
  return wayOf(variations, 'times') === 'in milliseconds' ? { timeStep: 1000 } : {};
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
  const way = wayOf(variations, 'identifiers');
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
