/** What the standard says of the attributes of application entities, broken. */

import type { Fault } from '../fault.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { lacking, overlooking, rooting, showingAs } from '../vocabulary/standard-changes.ts';
import { extended, type Mistold, mistelling } from '../vocabulary/standard-mistold.ts';
import { creates, reads, readsWhole, updates } from '../vocabulary/standard-wanted.ts';

const reading = readsWhole('m2m:ae');
const changing = updates('m2m:ae');

const rows: readonly Mistold[] = [
  { attribute: 'ri', what: 'missing', says: 'does not tell its resource identifier', value: () => undefined },
  {
    attribute: 'rn',
    what: 'capitals',
    says: 'tells its name in capital letters',
    value: (rn) => String(rn).toUpperCase(),
  },
  { attribute: 'ty', what: 'text', says: 'tells its type as a text', value: String },
  { attribute: 'pi', what: 'missing', says: 'does not tell its parent', value: () => undefined },
  { attribute: 'ct', what: 'extended', says: 'tells its creation time with dashes and colons', value: extended },
  { attribute: 'lt', what: 'missing', says: 'does not tell the time of its last modification', value: () => undefined },
  {
    attribute: 'lt',
    what: 'extended',
    says: 'tells the time of its last modification with dashes and colons',
    value: extended,
  },
  { attribute: 'et', what: 'missing', says: 'does not tell its expiration time', value: () => undefined },
  { attribute: 'et', what: 'extended', says: 'tells its expiration time with dashes and colons', value: extended },
  {
    attribute: 'api',
    what: 'small-letters',
    says: 'tells its application identifier in small letters',
    value: (api) => String(api).toLowerCase(),
  },
  { attribute: 'api', what: 'missing', says: 'does not tell its application identifier', value: () => undefined },
  { attribute: 'aei', what: 'missing', says: 'does not tell its identifier', value: () => undefined },
  {
    attribute: 'aei',
    what: 'without-letter',
    says: 'tells its identifier without the first letter',
    value: (aei) => String(aei).slice(1),
  },
  { attribute: 'rr', what: 'text', says: 'tells whether it can be reached as a text', value: String },
  { attribute: 'rr', what: 'number', says: 'tells whether it can be reached as a number', value: Number },
];

const kept = ['lbl', 'apn', 'poa', 'or', 'csz', 'nl'];
const updated = ['lbl', 'apn', 'poa', 'or', 'csz', 'rr', 'et'];

export const aeAttributes: readonly Fault[] = [
  breaking(
    'std.ae.retrieve',
    'long-root',
    'An application entity is read below the root m2m:AE.',
    rooting(reading, 'm2m:AE'),
  ),
  ...mistelling('std.ae.retrieve', 'An application entity that is read', reading, rows),
  breaking(
    'std.ae.retrieve.parent',
    'itself',
    'An application entity that is read tells itself as its parent.',
    showingAs(reading, 'pi', (_, { ri }) => ri),
  ),
  ...kept.flatMap((attribute) => [
    breaking(
      `std.ae.attribute.${attribute}`,
      'not-kept',
      `A registration with ${attribute} is answered as if it had not been given.`,
      lacking(creates('m2m:ae'), attribute),
    ),
    breaking(
      `std.ae.attribute.${attribute}`,
      'not-shown',
      `An application entity that is read lacks ${attribute}.`,
      lacking(reads('m2m:ae'), attribute),
    ),
  ]),
  ...updated.map((attribute) =>
    breaking(
      `std.ae.update.${attribute}`,
      'not-done',
      `An update of ${attribute} of an application entity is answered as done, and ${attribute} stays as it was.`,
      overlooking(changing, attribute),
    ),
  ),
  breaking(
    'std.ae.update.et',
    'later',
    'An update of an application entity is answered with the end of 2199 as its expiration time.',
    showingAs(changing, 'et', () => '21991231T235959'),
  ),
];
