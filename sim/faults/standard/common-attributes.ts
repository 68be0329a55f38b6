/** What the standard says of the attributes that every kind has, broken for polling channels. */
import type { Fault } from '../fault.ts';
import { extended, type Mistold, mistelling } from '../vocabulary/standard-mistold.ts';
import { readsWhole } from '../vocabulary/standard-wanted.ts';

const rows: readonly Mistold[] = [
  { attribute: 'ri', what: 'another', says: 'tells an identifier with one letter more', value: (ri) => `${ri}x` },
  { attribute: 'ri', what: 'missing', says: 'does not tell its identifier', value: () => undefined },
  {
    attribute: 'rn',
    what: 'capitals',
    says: 'tells its name in capital letters',
    value: (rn) => String(rn).toUpperCase(),
  },
  { attribute: 'ty', what: 'text', says: 'tells the number of its kind as a text', value: String },
  { attribute: 'ty', what: 'another', says: 'tells the number of groups', value: () => 9 },
  { attribute: 'pi', what: 'missing', says: 'does not tell its parent', value: () => undefined },
  {
    attribute: 'pi',
    what: 'sp-relative',
    says: 'tells its parent with a slash before its identifier',
    value: (pi) => `/${pi}`,
  },
  { attribute: 'ct', what: 'extended', says: 'tells its creation time with dashes and colons', value: extended },
  { attribute: 'ct', what: 'missing', says: 'does not tell its creation time', value: () => undefined },
  {
    attribute: 'lt',
    what: 'extended',
    says: 'tells the time of its last modification with dashes and colons',
    value: extended,
  },
  { attribute: 'lt', what: 'missing', says: 'does not tell the time of its last modification', value: () => undefined },
  { attribute: 'et', what: 'extended', says: 'tells its expiration time with dashes and colons', value: extended },
  { attribute: 'et', what: 'missing', says: 'does not tell its expiration time', value: () => undefined },
];

export const commonAttributes: readonly Fault[] = mistelling(
  'std.common',
  'A polling channel that is read',
  readsWhole('m2m:pch'),
  rows,
);
