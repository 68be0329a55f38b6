/** The onem2m dialect: values in the JSON serialisation of TS-0004, release 3 and later. */
import { readStructured, type SimpleType, Unreadable, type Value, writeStructured } from '../core/attribute-types.ts';
import type { DialectCodec } from '../core/configuration.ts';
import { documented } from './documented.ts';
import { readTimestamp, writeBasicTimestamp } from './timestamp.ts';

export const onem2m: DialectCodec = {
  name: 'onem2m',
  read: (type, value) => readStructured(type, value, readSimple),
  write: (type, value) => (value === undefined ? undefined : writeStructured(type, value, writeSimple)),
  isAbsent: (value) => value === null,
  absentInUpdate: 'removal',
  resultContent: { create: 1, retrieve: 1, update: 1, delete: 0, notify: 0 },
  criteriaSelectChildren: true,
  identifiers: 'random',
};

function readSimple(type: SimpleType, value: unknown): Value | Unreadable {
  if (type === 'boolean') return typeof value === 'boolean' ? value : new Unreadable('must be true or false');
  if (type === 'timestamp') {
    const read = typeof value === 'string' ? readTimestamp(value) : undefined;
    return read ?? new Unreadable('must be a time such as 20300101T000000');
  }
  if (type === 'list of token' && Array.isArray(value) && value.some(isNoToken)) {
    return new Unreadable(
      'must be a list of texts of at least one character without tabs, line ends, and spaces at an end or in a row',
    );
  }
  return documented.read(type, value);
}

/** Text outside the value space of xs:token (TS-0004, table 6.3.2-1), or empty, which an element of a list cannot be. */
export const noToken = /^$|[\t\r\n]|^ | $| {2}/;

const isNoToken = (value: unknown) => typeof value === 'string' && noToken.test(value);

function writeSimple(type: SimpleType, value: Value): unknown {
  return type === 'timestamp' ? writeBasicTimestamp(value as number) : value;
}
