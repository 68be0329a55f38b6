/** What the standard says of the CSE base, broken. */

import { BAD_REQUEST, CREATED, NOT_FOUND, OPERATION_NOT_ALLOWED, UPDATED } from '../../core/status.ts';
import type { Fault } from '../fault.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { codingAs, pretending, refusingThose, rooting } from '../vocabulary/standard-changes.ts';
import { extended, type Mistold, mistelling } from '../vocabulary/standard-mistold.ts';
import { creates, readsWhole, updates } from '../vocabulary/standard-wanted.ts';

const reading = readsWhole('m2m:cb');

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const rows: readonly Mistold[] = [
  {
    attribute: 'csi',
    what: 'without-slash',
    says: 'tells its CSE-ID without the slash before it',
    value: (csi) => String(csi).replace('/', ''),
  },
  { attribute: 'csi', what: 'missing', says: 'does not tell its CSE-ID', value: () => undefined },
  { attribute: 'ri', what: 'number', says: 'tells 0 as its resource identifier', value: () => 0 },
  { attribute: 'rn', what: 'kind', says: 'tells CSEBase as its name', value: () => 'CSEBase' },
  { attribute: 'ty', what: 'text', says: 'tells its type as a text', value: String },
  { attribute: 'pi', what: 'null', says: 'tells null as its parent', value: () => null },
  { attribute: 'ct', what: 'extended', says: 'tells its creation time with dashes and colons', value: extended },
  { attribute: 'ct', what: 'missing', says: 'does not tell its creation time', value: () => undefined },
  { attribute: 'lt', what: 'missing', says: 'does not tell the time of its last modification', value: () => undefined },
  {
    attribute: 'lt',
    what: 'seconds',
    says: 'tells the time of its last modification in seconds',
    value: () => 1_600_000_000,
  },
  {
    attribute: 'srt',
    what: 'no-content-instance',
    says: 'does not list content instances among the kinds that it supports',
    value: (srt) => list(srt).filter((ty) => ty !== 4),
  },
  {
    attribute: 'srt',
    what: 'texts',
    says: 'lists the kinds that it supports as texts',
    value: (srt) => list(srt).map(String),
  },
  { attribute: 'poa', what: 'missing', says: 'does not list its points of access', value: () => undefined },
  {
    attribute: 'poa',
    what: 'text',
    says: 'tells its points of access as one text',
    value: (poa) => list(poa).join(' '),
  },
  {
    attribute: 'et',
    requirement: 'no-expiration',
    what: 'some-day',
    says: 'tells that it expires at the end of 2099',
    value: () => '20991231T235959',
  },
  { attribute: 'cst', what: 'name', says: 'tells its type by a name', value: () => 'IN-CSE' },
  { attribute: 'nl', what: 'null', says: 'tells null as its node', value: () => null },
  {
    attribute: 'csz',
    what: 'short',
    says: 'lists serializations without their media types',
    value: () => ['json', 'cbor'],
  },
  { attribute: 'srv', what: 'numbers', says: 'lists releases as numbers', value: () => [2, 3] },
  { attribute: 'acpi', what: 'null', says: 'tells null as its access control policies', value: () => null },
];

export const cseBase: readonly Fault[] = [
  breaking(
    'std.cse-base.retrieve',
    'long-root',
    'The CSE base is read below the root m2m:CSEBase.',
    rooting(reading, 'm2m:CSEBase'),
  ),
  ...mistelling('std.cse-base', 'The CSE base', reading, rows),
  breaking(
    'std.cse-base.create',
    'done',
    'A create of a CSE base is answered as done, and nothing is created.',
    pretending(creates('m2m:cb'), CREATED),
  ),
  breaking(
    'std.cse-base.create',
    'not-found',
    'A create of a CSE base is refused with 4004.',
    refusingThose(creates('m2m:cb'), NOT_FOUND),
  ),
  breaking(
    'std.cse-base.update',
    'done',
    'An update of the CSE base is answered as done, and nothing is changed.',
    pretending(updates('m2m:cb'), UPDATED),
  ),
  breaking(
    'std.cse-base.update',
    'bad-request',
    'An update of the CSE base is refused with 4000.',
    codingAs(updates('m2m:cb'), OPERATION_NOT_ALLOWED, BAD_REQUEST),
  ),
];
