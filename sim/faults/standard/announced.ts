/** What a CSE answers about what it announces, and about what others announce at it. */

import type { Fault } from '../fault.ts';
import { isSuccess, resourceAtPath } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, refused, withBody } from '../vocabulary/changed-answers.ts';
import { pathOf } from '../vocabulary/changed-requests.ts';
import {
  type Arrival,
  afterwards,
  answeredWith,
  asAdministrator,
  creating,
  giving,
  insteadOfRefusing,
  reading,
  rejecting,
  updating,
  without,
} from '../vocabulary/standard-exchanges.ts';
import { showing } from '../vocabulary/standard-shown.ts';
import { takingOtherwise } from '../vocabulary/standard-taken.ts';

const badRequest = { status: 400, code: 4000 };

const isHere = ({ addressed }: Arrival) => addressed?.values.lnk !== undefined;

/** Whoever the policies of an announced resource allow something is taken for the CSE of its original. */
const changingHere = (method: string) =>
  insteadOfRefusing(
    4103,
    (exchange) => exchange.about.method === method && isHere(exchange) && exchange.addressed?.values.acpi !== undefined,
    asAdministrator,
  );

/** What other CSEs announce here. */
const hosted: readonly Fault[] = [
  breaking(
    'std.announced.root',
    'of-original',
    'What another CSE announces here is read below the root of its original.',
    afterwards((exchange) =>
      reading()(exchange) && isHere(exchange) && isSuccess(exchange.answer) && exchange.shown !== undefined
        ? withBody(exchange.answer, { [exchange.shown.root.replace(/A$/, '')]: exchange.shown.attributes })
        : undefined,
    ),
  ),
  breaking(
    'std.announced.type',
    'of-original',
    'What another CSE announces here tells, when it is read, the type of its original.',
    showing(
      (exchange) => reading()(exchange) && isHere(exchange),
      (attributes) => ({ ...attributes, ty: Number(attributes.ty) - 10_000 }),
    ),
  ),
  breaking(
    'std.announced.update-by-other',
    'allowed',
    'Everybody updates what another CSE announces here and names policies.',
    changingHere('PUT'),
  ),
  breaking(
    'std.announced.delete-by-other',
    'allowed',
    'Everybody deletes what another CSE announces here and names policies.',
    changingHere('DELETE'),
  ),
];

const asksFor = giving('at');
const isAnnounced = ({ addressed }: Arrival) => addressed?.values.at !== undefined;

const answers: readonly Fault[] = [
  breaking(
    'std.announcement.create',
    'as-given',
    'The answer to a create tells at as it was given.',
    showing(
      (exchange) => creating()(exchange) && asksFor(exchange),
      (attributes, { given }) => ({ ...attributes, at: given?.attributes.at }),
    ),
  ),
  breaking(
    'std.announced.update.answer',
    'ok',
    'An update of a container that is announced already is answered by the code 2000.',
    answeredWith(200, 2000, (exchange) => updating('m2m:cnt')(exchange) && isAnnounced(exchange) && !asksFor(exchange)),
  ),
  breaking(
    'std.announced.later.answer',
    'accepted',
    'An update that asks for an announcement is answered by 202 and 1000.',
    answeredWith(202, 1000, (exchange) => updating()(exchange) && asksFor(exchange)),
  ),
  breaking(
    'std.announced.original',
    'not-found',
    'What is announced is not found, 4004, under an address that begins with the CSE-ID.',
    afterwards((exchange) =>
      reading()(exchange) && isAnnounced(exchange) && exchange.about.spRelative
        ? refused(404, 4004, exchange.request)
        : undefined,
    ),
  ),
  breaking(
    'std.announced.content-instance.answer',
    'refused',
    'A content instance that asks for an announcement is refused with 4000.',
    rejecting(badRequest, (arrival) => creating('m2m:cin')(arrival) && asksFor(arrival)),
  ),
  breaking(
    'std.announcement.content-instance.container-first',
    'not-announced',
    'A content instance that asks for an announcement, in a container that is not announced, is created and not announced.',
    takingOtherwise(({ root, attributes }, core, request) => {
      const holder = resourceAtPath(pathOf(request), core);
      const isMeant = root === 'm2m:cin' && attributes.at !== undefined && holder?.values.at === undefined;
      return isMeant ? without(attributes, 'at') : undefined;
    }),
  ),
  ...[
    { root: 'm2m:acp', name: 'policy', called: 'An access control policy' },
    { root: 'm2m:grp', name: 'group', called: 'A group' },
  ].flatMap(({ root, name, called }) => [
    breaking(
      `std.announced.${name}.answer`,
      'refused',
      `${called} that asks for an announcement is refused with 4000.`,
      rejecting(badRequest, (arrival) => creating(root)(arrival) && asksFor(arrival)),
    ),
    breaking(
      `std.announced.${name}.update`,
      'fails',
      `The update of ${called.charAt(0).toLowerCase()}${called.slice(1)} that is announced is done, and answered by 5000.`,
      afterwards((exchange) =>
        updating(root)(exchange) && isAnnounced(exchange) ? recoded(exchange.answer, 500, 5000) : undefined,
      ),
    ),
  ]),
];

export const announced: readonly Fault[] = [...hosted, ...answers];
