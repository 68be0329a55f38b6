import { readTimestamp, writeTimestamp } from '../dialects/timestamp.ts';
import type { Fault } from './fault.ts';
import { areaOf, kinds, nameOf } from './vocabulary/asked.ts';
import { changingResources, changingValues } from './vocabulary/blocks.ts';

const second = 1_000_000;

/** The same time, so many microseconds later, in the documented form. */
function shifted(timestamp: unknown, microseconds: number): unknown {
  const read = typeof timestamp === 'string' ? readTimestamp(timestamp) : undefined;
  return read === undefined ? timestamp : writeTimestamp(read + microseconds);
}

const order: readonly Fault[] = kinds.flatMap((kind) => [
  {
    id: `${areaOf[kind]}.lt.before-ct`,
    violates: 'common.lt.not-before-ct',
    says: `Answers that show ${nameOf[kind]} give a modification time one second before its creation.`,
    wrap: changingResources(kind, (attributes) => {
      attributes.lt = shifted(attributes.ct, -second);
    }),
  },
  {
    id: `${areaOf[kind]}.et.before-ct`,
    violates: 'common.et.not-before-ct',
    says: `Answers that show ${nameOf[kind]} give an expiration time one second before its creation.`,
    wrap: changingResources(kind, (attributes) => {
      attributes.et = shifted(attributes.ct, -second);
    }),
  },
  {
    id: `${areaOf[kind]}.ct.changes`,
    violates: 'common.ct.stable',
    says: `Reading ${nameOf[kind]} answers a creation time one second before the one that its creation answered.`,
    wrap: changingResources(
      kind,
      (attributes) => {
        attributes.ct = shifted(attributes.ct, -second);
      },
      ({ method }) => method === 'GET',
    ),
  },
]);

const every = ['ct', 'lt', 'et'];

const forms: readonly Fault[] = [
  {
    id: 'wire.timestamp.basic-form',
    says: 'Timestamps are answered without hyphens and colons, with a comma and without an offset.',
    names: every,
    write: (text: string) =>
      text
        .replace(/[-:]/g, '')
        .replace('.', ',')
        .replace(/\+0000$/, ''),
  },
  {
    id: 'wire.timestamp.z',
    says: 'Timestamps are answered with Z instead of an offset.',
    names: every,
    write: (text: string) => text.replace('+00:00', 'Z'),
  },
  {
    id: 'wire.timestamp.without-offset',
    says: 'Timestamps are answered without an offset.',
    names: every,
    write: (text: string) => text.replace('+00:00', ''),
  },
  {
    id: 'wire.timestamp.space',
    says: 'Timestamps are answered with a space instead of the letter T.',
    names: every,
    write: (text: string) => text.replace('T', ' '),
  },
  {
    id: 'wire.timestamp.nanoseconds',
    says: 'Timestamps are answered with nine digits of fraction.',
    names: every,
    write: (text: string) => text.replace(/(\.\d{6})/, '$1000'),
  },
  {
    id: 'wire.timestamp.number',
    says: 'Timestamps are answered as numbers: seconds since 1970.',
    names: every,
    write: (text: string) => Math.floor((readTimestamp(text) ?? 0) / second),
  },
  // Times that are cut off would change what was created before and after; of expiration it matters to nobody here.
  {
    id: 'wire.timestamp.milliseconds',
    says: 'Expiration times are answered with three digits of fraction.',
    names: ['et'],
    write: (text: string) => text.replace(/(\.\d{3})\d{3}/, '$1'),
  },
  {
    id: 'wire.timestamp.whole-seconds',
    says: 'Expiration times are answered without a fraction.',
    names: ['et'],
    write: (text: string) => text.replace(/\.\d{6}/, ''),
  },
].map(({ id, says, names, write }) => ({
  id,
  violates: 'wire.timestamp-shape',
  says,
  wrap: changingValues(names, (value) => (typeof value === 'string' ? write(value) : value)),
}));

/** Creation, modification and expiration times, and how timestamps are written. */
export const times: readonly Fault[] = [...order, ...forms];
