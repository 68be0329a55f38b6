/** What the standard says of creating, broken: names and attributes. */

import { BAD_REQUEST, CONFLICT } from '../../core/status.ts';
import type { Fault } from '../fault.ts';
import { breaking } from '../vocabulary/breaking.ts';
import {
  amending,
  codingAs,
  describingOtherwise,
  lacking,
  overlooking,
  refusingThose,
  showingAs,
} from '../vocabulary/standard-changes.ts';
import { all, creates, gives, readsWhole, type Which } from '../vocabulary/standard-wanted.ts';
import { tellingAsGiven } from '../vocabulary/told.ts';

const group = creates('m2m:grp');
const container = creates('m2m:cnt');
const nameless: Which = ({ sent }) => sent !== undefined && !('rn' in sent.attributes);

const isBelowContainer: Which = ({ target }) => target?.type.root === 'm2m:cnt';

export const creation: readonly Fault[] = [
  breaking(
    'std.create.name-assigned',
    'refused',
    'A node without a name is refused with 4000.',
    refusingThose(all(creates('m2m:nod'), nameless), BAD_REQUEST),
  ),
  breaking(
    'std.create.name-assigned',
    'not-told',
    'The answer to the create of a node without a name does not tell its name.',
    lacking(all(creates('m2m:nod'), nameless), 'rn'),
  ),
  breaking(
    'std.create.name-assigned.leads-there',
    'another',
    'The answer to the create of a group without a name tells another name than it is given.',
    showingAs(all(group, nameless), 'rn', (rn) => `${rn}x`),
  ),
  breaking(
    'std.create.name-kept',
    'capitals',
    'The answer to the create of a group with a name tells it in capital letters.',
    showingAs(all(group, gives('rn')), 'rn', (rn) => String(rn).toUpperCase()),
  ),
  breaking(
    'std.create.name-taken',
    'bad-request',
    'A group with a name that another child of its parent has is refused with 4000.',
    codingAs(
      all(group, ({ namesake }) => namesake !== undefined),
      CONFLICT,
      BAD_REQUEST,
    ),
  ),
  breaking(
    'std.create.name-taken',
    'another',
    'A group with a name that another child of its parent has is given another name.',
    overlooking(
      all(group, ({ namesake }) => namesake !== undefined),
      'rn',
    ),
  ),
  breaking(
    'std.create.et',
    'not-told',
    'The answer to the create of a group that gives et does not tell it.',
    lacking(all(group, gives('et')), 'et'),
  ),
  breaking(
    'std.create.et',
    'extended',
    'The answer to the create of a polling channel that gives et tells it with dashes and colons.',
    showingAs(all(creates('m2m:pch'), gives('et')), 'et', () => '2099-12-31T23:59:59Z'),
  ),
  breaking(
    'std.create.et.parent',
    'as-given',
    'Who is given an expiration time in 2099 is said to have just that one, but for application entities and content instances.',
    tellingAsGiven(({ et, con, api }) =>
      typeof et === 'string' && /^2099\d{4}T\d{6}$/.test(et) && con === undefined && api === undefined
        ? { et }
        : undefined,
    ),
  ),
  breaking(
    'std.create.et.answered',
    'another',
    'The answer to the create of a container below a container that gives et tells a time a year before the one that holds.',
    showingAs(all(container, isBelowContainer, gives('et')), 'et', (et) =>
      String(et).replace(/^\d{4}/, (year) => String(Number(year) - 1)),
    ),
  ),
  breaking(
    'std.create.cr',
    'not-told',
    'A group that asks for its creator does not tell it.',
    lacking(all(group, gives('cr')), 'cr'),
  ),
  breaking(
    'std.create.cr',
    'the-cse',
    'A group that asks for its creator tells the CSE.',
    amending(all(group, gives('cr')), (attributes, { core }) => {
      attributes.cr = `/${core.configuration.cseId}`;
    }),
  ),
  breaking(
    'std.create.cr.given',
    'overwritten',
    'A creator that is given with a value is taken for the question who it is.',
    describingOtherwise(all(creates(), gives('cr')), (attributes) => ({ ...attributes, cr: null })),
  ),
  breaking(
    'std.create.cr.not-asked',
    'told',
    'A container that is read tells its creator, whether that was asked for or not.',
    amending(readsWhole('m2m:cnt'), (attributes, { target }) => {
      attributes.cr = target?.creator;
    }),
  ),
  breaking('std.create.acpi', 'not-kept', 'The answer to the create of a group lacks acpi.', lacking(group, 'acpi')),
  breaking(
    'std.create.acpi',
    'empty',
    'The answer to the create of a group shows an empty list as acpi.',
    showingAs(group, 'acpi', () => []),
  ),
  breaking(
    'std.create.lt',
    'later',
    'A container that has not been modified since its creation says that it has, a second before the end of 2098.',
    showingAs(readsWhole('m2m:cnt'), 'lt', (lt, { ct }) => (lt === ct ? '20981231T235958' : lt)),
  ),
];
