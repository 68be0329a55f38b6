/** What the standard says of polling channels and what is fetched from them, broken. */

import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Attributes, isSuccess, resourceAt } from '../vocabulary/asked.ts';
import { changingDiscoveries, handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded } from '../vocabulary/changed-answers.ts';
import { withHeaders } from '../vocabulary/changed-requests.ts';
import {
  type Arrival,
  afterwards,
  answeredWith,
  arrivalOf,
  creating,
  insteadOfRefusing,
  reading,
  refusedAs,
  removing,
  updating,
  type When,
  without,
} from '../vocabulary/standard-exchanges.ts';
import { showing } from '../vocabulary/standard-shown.ts';

const noPrivilege = 4103;
const notAllowed = 4005;

/** A request to the address to fetch from. */
const atAddress =
  (method: string): When =>
  ({ about }) =>
    about.method === method && about.path.endsWith('/pcu');

const fetching = atAddress('GET');

/** Something was fetched. */
const fetched = (arrival: Arrival) => fetching(arrival);

/** The request as if it came from the application entity at which it arrives. */
function asItself(arrival: Arrival): HttpRequest {
  return withHeaders(arrival.request, { 'x-m2m-origin': String(entityOf(arrival.addressed)?.values.aei) });
}

function entityOf(resource: Resource | undefined): Resource | undefined {
  return resource?.type.root === 'm2m:ae' ? resource : resource?.parent;
}

const byOther = (what: string, how: string, when: When): Fault =>
  breaking(
    `std.polling-channel.${what}-by-other`,
    'done',
    `Somebody else who ${how} a polling channel does so as if it were the application entity.`,
    insteadOfRefusing(noPrivilege, when, asItself),
  );

const ofFetched = (id: string, how: string, says: string, change: (request: Attributes) => Attributes): Fault =>
  breaking(`std.polling-channel.${id}`, how, says, showing(fetched, change));

/** Who fetches again without having answered gets the same once more. */
const sameAgain: Wrap = (service, core) => {
  const last = new Map<string, HttpResponse>();
  return handling(async (request) => {
    const arrival = arrivalOf(request, core, (one) => service.handle(one));
    const { path } = arrival.about;
    const before = fetching(arrival) ? last.get(path) : undefined;
    const answer = await service.handle(request);
    if (fetching(arrival) && isSuccess(answer)) last.set(path, before ?? answer);
    return before !== undefined && isSuccess(answer) ? before : answer;
  })(service, core);
};

export const pollingChannels: readonly Fault[] = [
  breaking(
    'std.polling-channel.optional',
    'labels-not-answered',
    'The answer to the creation of a polling channel does not show its labels.',
    showing(creating('m2m:pch'), (attributes) => without(attributes, 'lbl')),
  ),
  breaking(
    'std.polling-channel.not-for-others',
    'not-found',
    'Somebody else who fetches from a polling channel is refused with 4004.',
    refusedAs({ status: 404, code: 4004 }, noPrivilege, fetching),
  ),
  byOther('create', 'creates', creating('m2m:pch')),
  byOther('retrieve', 'reads', reading('m2m:pch')),
  byOther('update', 'updates', updating('m2m:pch')),
  byOther('delete', 'deletes', removing('m2m:pch')),
  breaking(
    'std.polling-channel.fetch-ends',
    'nothing-found',
    'A fetch whose time has passed is answered with 4004.',
    refusedAs({ status: 404, code: 4004 }, 4008, fetching),
  ),
  breaking(
    'std.polling-channel.uri-operations',
    'no-right',
    'What is to be created at the address to fetch from is refused with 4103.',
    afterwards((exchange) =>
      [notAllowed, 4108].includes(exchange.code) && atAddress('POST')(exchange)
        ? recoded(exchange.answer, 403, noPrivilege)
        : undefined,
    ),
  ),
  breaking(
    'std.polling-channel.uri-update',
    'channel-updated',
    'An update of the address to fetch from updates the polling channel.',
    insteadOfRefusing(notAllowed, atAddress('PUT'), atChannel),
  ),
  breaking(
    'std.polling-channel.uri-delete',
    'channel-deleted',
    'Who deletes the address to fetch from deletes the polling channel.',
    insteadOfRefusing(notAllowed, atAddress('DELETE'), atChannel),
  ),
  breaking(
    'std.polling-channel.discovered',
    'left-out',
    'Polling channels are not discovered.',
    changingDiscoveries((found, _about, core) =>
      found.filter((address) => resourceAt(address, core)?.type.root !== 'm2m:pch'),
    ),
  ),
  breaking(
    'std.polling-channel.notification',
    'updated',
    'What is fetched is answered with 2004.',
    answeredWith(200, 2004, fetched),
  ),
  ofFetched('notification.content', 'as-text', 'What is fetched has its content as a text.', (request) => ({
    ...request,
    pc: JSON.stringify(request.pc),
  })),
  ofFetched('request.operation', 'create', 'What is fetched calls itself a create request.', (request) => ({
    ...request,
    op: 1,
  })),
  ofFetched('request.identifier', 'missing', 'What is fetched has no request identifier.', (request) =>
    without(request, 'rqi'),
  ),
  ofFetched('request.from', 'entity', 'What is fetched names its target as its originator.', (request) => ({
    ...request,
    fr: request.to,
  })),
  ofFetched('request.to', 'host', 'What is fetched names its originator as its target.', (request) => ({
    ...request,
    to: request.fr,
  })),
  ofFetched('request.category', 'missing', 'What is fetched has no event category.', (request) =>
    without(request, 'ec'),
  ),
  breaking(
    'std.polling-channel.in-turn',
    'same-again',
    'Every fetch from a polling channel brings what was fetched first.',
    sameAgain,
  ),
  breaking(
    'std.polling-channel.answer',
    'created',
    'The answer to what was fetched is taken with 2001.',
    answeredWith(201, 2001, atAddress('POST')),
  ),
  breaking(
    'std.polling-channel.answer.by-other',
    'taken',
    'Somebody else answers what was fetched as if it were the application entity.',
    insteadOfRefusing(noPrivilege, atAddress('POST'), asItself),
  ),
];

function atChannel({ request }: Arrival): HttpRequest {
  return { ...request, target: request.target.replace(/\/pcu(?=\?|$)/, '') };
}
