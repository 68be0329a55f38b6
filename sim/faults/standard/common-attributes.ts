/** What the standard says of the attributes that every kind has, broken for polling channels. */
import type { Fault } from '../fault.ts';
import { broken, showingAs } from '../vocabulary/standard-changes.ts';
import { readsWhole } from '../vocabulary/standard-wanted.ts';

interface Row {
  readonly attribute: string;
  readonly what: string;
  /** Completes "A polling channel that is read …". */
  readonly says: string;
  readonly value: (was: unknown) => unknown;
}

const extended = (time: unknown) =>
  String(time).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d).*$/, '$1-$2-$3T$4:$5:$6Z');

const rows: readonly Row[] = [
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

export const commonAttributes: readonly Fault[] = rows.map(({ attribute, what, says, value }) =>
  broken(
    `std.common.${attribute}`,
    what,
    `A polling channel that is read ${says}.`,
    showingAs(readsWhole('m2m:pch'), attribute, value),
  ),
);
