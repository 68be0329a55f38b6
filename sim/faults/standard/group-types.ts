/** What the standard says of the types of the members of groups, broken. */

import type { Fault } from '../fault.ts';
import { type Attributes, isSuccess } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded } from '../vocabulary/changed-answers.ts';
import {
  afterwards,
  answeredWith,
  describedAs,
  type Exchange,
  insteadOfRefusing,
  reading,
  refusedAs,
  type When,
} from '../vocabulary/standard-exchanges.ts';
import {
  created,
  createdAs,
  givenMembers,
  isDuplicated,
  isShorter,
  root,
  typeGiven,
  updated,
  updatedAs,
} from '../vocabulary/standard-groups.ts';
import { showing } from '../vocabulary/standard-shown.ts';

const mixed = 0;
const leavingOut = 1;
const badRequest = { status: 400, code: 4000 };
const inconsistent = 4110;
const unreadable = 5105;

/** Among the members that are given is the fan-out of another group. */
const namesFanOut: When = (arrival) => givenMembers(arrival).some((one) => String(one).endsWith('/fopt'));

const strategyOf = ({ given }: Exchange) => given?.attributes.csy;
const becameMixed = (exchange: Exchange) => Number(typeGiven(exchange)) > 0 && exchange.shown?.attributes.mt === mixed;

const notValidated = (attributes: Attributes): Attributes => ({ ...attributes, mtv: false });

const valuesOf = ({ addressed }: Exchange): Attributes => addressed?.values ?? {};

const leavesOut = (exchange: Exchange) => isShorter(exchange) && !isDuplicated(exchange);

const asGiven = (attributes: Attributes, { given }: Exchange): Attributes => ({
  ...attributes,
  mid: given?.attributes.mid,
});

export const groupTypes: readonly Fault[] = [
  breaking(
    'std.group.validated.create',
    'not',
    'A group with a type whose members all have it is created with mtv false, where none of them is a fan-out.',
    createdAs(
      (exchange) =>
        Number(typeGiven(exchange)) > 0 && !becameMixed(exchange) && !isShorter(exchange) && !namesFanOut(exchange),
      notValidated,
    ),
  ),
  breaking(
    'std.group.validated.update',
    'not',
    'After an update of its members a group shows mtv false.',
    updatedAs(
      () => true,
      () => ({ mtv: false }),
    ),
  ),
  breaking(
    'std.group.mixed.create',
    'type-as-given',
    'A group that becomes a mixed one is created with the type that was given.',
    createdAs(becameMixed, (attributes, exchange) => ({ ...attributes, mt: typeGiven(exchange) })),
  ),
  breaking(
    'std.group.mixed.update',
    'type-stays',
    'A group that becomes a mixed one by an update of its members shows the type of containers.',
    updatedAs(
      (exchange) => valuesOf(exchange).mt === mixed && valuesOf(exchange).csy !== undefined,
      () => ({ mt: 3 }),
    ),
  ),
  breaking(
    'std.group.left-out.create',
    'shown',
    'With ABANDON_MEMBER the answer to a creation shows members that were left out.',
    createdAs((exchange) => leavesOut(exchange) && strategyOf(exchange) === leavingOut, asGiven),
  ),
  breaking(
    'std.group.left-out.update',
    'shown',
    'With ABANDON_MEMBER members that an update leaves out are shown.',
    updatedAs(
      (exchange) => leavesOut(exchange) && valuesOf(exchange).csy === leavingOut,
      ({ given }) => ({ mid: given?.attributes.mid }),
    ),
  ),
  breaking(
    'std.group.left-out.default',
    'refused',
    'Without a strategy a group with a member of another type is answered as refused.',
    afterwards((exchange) => {
      const { answer } = exchange;
      const meant = isSuccess(answer) && created(exchange) && strategyOf(exchange) === undefined && leavesOut(exchange);
      return meant ? recoded(answer, 409, inconsistent) : undefined;
    }),
  ),
  breaking(
    'std.group.abandoned.create',
    'bad-request',
    'A group that is abandoned for the type of a member, which is no fan-out, is refused with 4000.',
    refusedAs(badRequest, inconsistent, (one) => created(one) && !namesFanOut(one)),
  ),
  breaking(
    'std.group.abandoned.update',
    'bad-request',
    'An update that is abandoned for the type of a member is refused with 4000.',
    refusedAs(badRequest, inconsistent, updated),
  ),
  breaking(
    'std.group.unreadable.create',
    'no-right',
    'A group with a member whose type may not be read is refused with 4103.',
    refusedAs({ status: 403, code: 4103 }, unreadable, created),
  ),
  breaking(
    'std.group.unreadable.update',
    'no-right',
    'An update to a member whose type may not be read is refused with 4103.',
    refusedAs({ status: 403, code: 4103 }, unreadable, updated),
  ),
  breaking(
    'std.group.unreachable.update',
    'timeout',
    'An update to a member at a CSE that cannot be reached is done, and answered with 4008.',
    answeredWith(408, 4008, (exchange) => updated(exchange) && valuesOf(exchange).mtv === false),
  ),
  breaking(
    'std.group.unreachable.told',
    'validated',
    'A group that is read shows mtv true whether its members could be reached or not.',
    showing(reading(root), (attributes) => ({ ...attributes, mtv: true })),
  ),
  breaking(
    'std.group.validated.mixed',
    'not',
    'A group that becomes a mixed one is created with mtv false.',
    createdAs(becameMixed, notValidated),
  ),
  breaking(
    'std.group.validated.left-out',
    'not',
    'A group that leaves members out is created with mtv false.',
    createdAs(leavesOut, notValidated),
  ),
  breaking(
    'std.group.sub-group.validated',
    'not',
    'A group with the fan-out of another one among its members is created with mtv false.',
    createdAs(namesFanOut, notValidated),
  ),
  breaking(
    'std.group.sub-group.abandoned',
    'mixed',
    'A group that is abandoned for the members of a group among its members is created as a mixed one.',
    insteadOfRefusing(
      inconsistent,
      (one) => created(one) && namesFanOut(one),
      (exchange) => describedAs(exchange, (attributes) => ({ ...attributes, mt: mixed })),
    ),
  ),
];
