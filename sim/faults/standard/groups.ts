/** What the standard says of groups and the lists of their members, broken. */

import type { Fault } from '../fault.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded } from '../vocabulary/changed-answers.ts';
import {
  afterwards,
  describedAs,
  type Exchange,
  giving,
  insteadOfRefusing,
  lettingPass,
  reading,
  refusedAs,
  without,
} from '../vocabulary/standard-exchanges.ts';
import {
  created,
  createdAs,
  givenMembers,
  isDuplicated,
  isShorter,
  membersIn,
  root,
  typeGiven,
  updated,
  updatedAs,
} from '../vocabulary/standard-groups.ts';
import { rememberingShown, showing } from '../vocabulary/standard-shown.ts';

const badRequest = { status: 400, code: 4000 };
const tooMany = 6010;

export const groups: readonly Fault[] = [
  breaking(
    'std.group.optional',
    'name-not-answered',
    'The answer to the creation of a group does not show gn.',
    showing(created, (attributes) => without(attributes, 'gn')),
  ),
  breaking(
    'std.group.kept',
    'limit-one-less',
    'A group that was never updated shows an mnm that is one too low when it is read.',
    showing(
      (exchange) => reading(root)(exchange) && exchange.shown?.attributes.ct === exchange.shown?.attributes.lt,
      (attributes) => ({ ...attributes, mnm: Number(attributes.mnm) - 1 }),
    ),
  ),
  breaking(
    'std.group.update.optional',
    'name-not-answered',
    'The answer to an update of gn does not show it.',
    showing(
      (exchange) => updated(exchange) && giving('gn')(exchange),
      (attributes) => without(attributes, 'gn'),
    ),
  ),
  breaking(
    'std.group.counted',
    'as-first-shown',
    'cnm is shown as it was when the group was first shown.',
    rememberingShown(root, (attributes, { cnm }) => ({ ...attributes, cnm })),
  ),
  breaking(
    'std.group.members',
    'as-given-hidden',
    'The answer to the creation of a group without mt leaves mid out where it is as it was given.',
    createdAs(
      (exchange) => typeGiven(exchange) === undefined && !isShorter(exchange),
      (attributes) => without(attributes, 'mid'),
    ),
  ),
  breaking(
    'std.group.member-type.default',
    'hidden',
    'The answer to the creation of a group without mt does not show one.',
    createdAs(
      (exchange) => typeGiven(exchange) === undefined,
      (attributes) => without(attributes, 'mt'),
    ),
  ),
  breaking(
    'std.group.limit.mandatory',
    'hundred',
    'A group without mnm is created with one of 100.',
    lettingPass(
      (exchange) => created(exchange) && !giving('mnm')(exchange),
      (attributes) => ({ ...attributes, mnm: 100 }),
    ),
  ),
  breaking(
    'std.group.members.mandatory',
    'none',
    'A group without mid is created with no members.',
    lettingPass(
      (exchange) => created(exchange) && !giving('mid')(exchange),
      (attributes) => ({ ...attributes, mid: [] }),
    ),
  ),
  breaking(
    'std.group.limit.create',
    'raised',
    'A group of more members than mnm is created with a greater mnm.',
    insteadOfRefusing(tooMany, created, raisingLimit),
  ),
  breaking(
    'std.group.limit.update',
    'bad-request',
    'An update to more members than mnm is refused with 4000.',
    refusedAs(badRequest, tooMany, (one) => updated(one) && giving('mid')(one)),
  ),
  breaking(
    'std.group.limit.kept',
    'changed',
    'An update to more members than mnm is answered as refused, and done with a greater mnm.',
    afterwards(async (exchange) => {
      const { code, answer } = exchange;
      if (code !== tooMany || !updated(exchange) || !giving('mid')(exchange)) return undefined;
      await exchange.serve(raisingLimit(exchange));
      return recoded(answer, answer.status, code);
    }),
  ),
  breaking(
    'std.group.limit.lowered',
    'bad-request',
    'An mnm below the number of members is refused with 4000.',
    refusedAs(badRequest, tooMany, (one) => updated(one) && !giving('mid')(one)),
  ),
  breaking(
    'std.group.duplicates.create',
    'shown',
    'The answer to the creation of a group shows members twice that were listed twice.',
    createdAs(isDuplicated, (attributes, { given }) => ({ ...attributes, mid: given?.attributes.mid })),
  ),
  breaking(
    'std.group.duplicates.counted',
    'each',
    'The answer to the creation of a group counts members twice that were listed twice.',
    createdAs(isDuplicated, (attributes, exchange) => ({ ...attributes, cnm: givenMembers(exchange).length })),
  ),
  breaking(
    'std.group.duplicates.update',
    'shown',
    'After an update that lists a member twice it is shown twice.',
    updatedAs(isDuplicated, ({ given }) => ({ mid: given?.attributes.mid })),
  ),
  breaking(
    'std.group.read-only',
    'not-allowed',
    'An update of mt or csy is refused with 4005.',
    refusedAs(
      { status: 405, code: 4005 },
      badRequest.code,
      (one) => updated(one) && (giving('mt')(one) || giving('csy')(one)),
    ),
  ),
];

function raisingLimit(exchange: Exchange) {
  return describedAs(exchange, (attributes) => ({ ...attributes, mnm: membersIn(attributes).length }));
}
