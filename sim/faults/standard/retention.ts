/** What the standard says of what a container keeps, broken. */

import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import { BAD_REQUEST, CREATED, NOT_ACCEPTABLE, NOT_FOUND, OK } from '../../core/status.ts';
import type { HttpService } from '../../dialects/http-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { bytesOf, jsonBytes } from '../vocabulary/bytes.ts';
import { codeOf, refused } from '../vocabulary/changed-answers.ts';
import { describing } from '../vocabulary/changed-requests.ts';
import { describedIn } from '../vocabulary/representations.ts';
import { amending, codingAs, refusingThose } from '../vocabulary/standard-changes.ts';
import { byPath, haunting } from '../vocabulary/standard-remains.ts';
import { all, creates, Exchange, readsWhole, updates, type Which } from '../vocabulary/standard-wanted.ts';
import { Told } from '../vocabulary/told.ts';

const storing = creates('m2m:cin');
const reading = readsWhole('m2m:cnt');

type Limit = 'mni' | 'mbs';

const limitOf = ({ values }: Resource, limit: Limit) => (typeof values[limit] === 'number' ? values[limit] : undefined);

function sizeOf({ sent }: Exchange): number {
  const { con = '' } = sent?.attributes ?? {};
  return (typeof con === 'string' ? bytesOf(con) : jsonBytes(con)).length;
}

/** The container that has no room for what is created, by this limit. */
function fullBy(limit: Limit, exchange: Exchange): Resource | undefined {
  const { target } = exchange;
  const most = storing(exchange) && target !== undefined ? limitOf(target, limit) : undefined;
  if (target === undefined || most === undefined) return undefined;
  const number = (target.instances?.size ?? 0) + 1;
  const bytes = target.instanceBytes + sizeOf(exchange);
  return (limit === 'mni' ? number : bytes) > most ? target : undefined;
}

const intoFull =
  (limit: Limit): Which =>
  (exchange) =>
    fullBy(limit, exchange) !== undefined;

/** The oldest content instance is still answered at its path after it has made room. */
const stillThere = (limit: Limit): Wrap => haunting((exchange) => [fullBy(limit, exchange)?.instances?.first], byPath);

const pathOf = (resource: Resource | undefined) => resource && byPath(resource);

/** What has become the oldest, as another made room, is not found. */
function nextNotFound(service: HttpService, core: Cse): HttpService {
  const hidden = new Set<string>();
  return handling(async (request) => {
    const exchange = new Exchange(request, core);
    const container = fullBy('mni', exchange);
    if (request.method === 'GET' && hidden.has(exchange.path)) return refused(NOT_FOUND.http, NOT_FOUND.code, request);
    const answer = await service.handle(request);
    const path = isSuccess(answer) ? pathOf(container?.instances?.first) : undefined;
    if (path !== undefined) hidden.add(path);
    return answer;
  })(service, core);
}

/** A lower limit is told, and the one before it obeyed. */
function loweredInVain(service: HttpService, core: Cse): HttpService {
  const told = new Told();
  return handling(async (request) => {
    const exchange = new Exchange(request, core);
    const { mni } = exchange.sent?.attributes ?? {};
    const held = updates('m2m:cnt')(exchange) ? exchange.target?.instances?.size : undefined;
    if (exchange.sent === undefined || held === undefined || typeof mni !== 'number' || mni >= held) {
      return told.in(await service.handle(request));
    }
    const { mni: _lower, ...attributes } = exchange.sent.attributes;
    const answer = await service.handle(describing(request, { ...exchange.sent, attributes }));
    if (isSuccess(answer)) told.say(exchange.target?.id, { mni });
    return told.in(answer);
  })(service, core);
}

/** An age is kept, and nothing goes because of it. */
function ageless(service: HttpService, core: Cse): HttpService {
  const told = new Told();
  return handling(async (request) => {
    const { sent } = new Exchange(request, core);
    const { mia, ...attributes } = sent?.attributes ?? {};
    if (sent?.root !== 'm2m:cnt' || typeof mia !== 'number' || mia <= 0) return told.in(await service.handle(request));
    const answer = await service.handle(describing(request, { ...sent, attributes }));
    const id = isSuccess(answer) ? describedIn(answer.body)?.attributes.ri : undefined;
    if (id !== undefined) told.say(id, { mia });
    return told.in(answer);
  })(service, core);
}

/** What is refused for its size has made room all the same. */
function lostAllTheSame(service: HttpService, core: Cse): HttpService {
  return handling(async (request) => {
    const exchange = new Exchange(request, core);
    const container = fullBy('mbs', exchange);
    const answer = await service.handle(request);
    if (container === undefined || codeOf(answer) !== NOT_ACCEPTABLE.code) return answer;
    for (const instance of [...(container.instances ?? [])]) core.tree.remove(instance, 'to make room');
    return answer;
  })(service, core);
}

/** The oldest of as many content instances as a container may hold, none of which had to make room. */
const oldestOfFull: Which = ({ method, about, target }) => {
  const parent = target?.parent;
  if (method !== 'GET' || about.virtual || target === undefined || parent?.instances?.first !== target) return false;
  return parent.instances.size === limitOf(parent, 'mni') && parent.stateTag === parent.instances.size;
};

/** More than one content instance is allowed, and some have made room. */
const overflown: Which = ({ target }) => {
  const most = target === undefined ? undefined : limitOf(target, 'mni');
  return most !== undefined && most > 1 && target !== undefined && target.stateTag > most;
};

export const retention: readonly Fault[] = [
  breaking(
    'std.retention.mni.within',
    'oldest-hidden',
    'While a container holds as many content instances as mni allows, and none has made room, the oldest is not found by its own path.',
    refusingThose(oldestOfFull, NOT_FOUND),
  ),
  breaking(
    'std.retention.mni.create',
    'ok',
    'The create of one content instance more than mni allows is answered with 2000.',
    codingAs(intoFull('mni'), CREATED, OK),
  ),
  breaking(
    'std.retention.mni.oldest-goes',
    'answered',
    'A content instance that has made room because of mni is still answered to who reads its path.',
    stillThere('mni'),
  ),
  breaking(
    'std.retention.mni.others-stay',
    'next-hidden',
    'A content instance that has become the oldest, as another made room because of mni, is not found by its own path.',
    nextNotFound,
  ),
  breaking(
    'std.retention.mni.counted',
    'one-more',
    'cni of a container that is read, where mni is greater than 1 and content instances have made room, is one too high.',
    amending(all(reading, overflown), (attributes) => {
      attributes.cni = Number(attributes.cni) + 1;
    }),
  ),
  breaking(
    'std.retention.mni.lowered',
    'not-obeyed',
    'A lower mni of a container that holds more than that is told, and the one before it obeyed.',
    loweredInVain,
  ),
  breaking(
    'std.retention.mbs.create',
    'ok',
    'The create of a content instance that would exceed mbs is answered with 2000.',
    codingAs(intoFull('mbs'), CREATED, OK),
  ),
  breaking(
    'std.retention.mbs.oldest-goes',
    'answered',
    'A content instance that has made room because of mbs is still answered to who reads its path.',
    stillThere('mbs'),
  ),
  breaking(
    'std.retention.mbs.counted',
    'beyond',
    'cbs of a container with mbs that is read is greater by mbs than it is.',
    amending(
      all(reading, ({ target }) => target?.values.mbs !== undefined),
      (attributes) => {
        attributes.cbs = Number(attributes.cbs) + Number(attributes.mbs);
      },
    ),
  ),
  breaking(
    'std.retention.mbs.too-large',
    'bad-request',
    'A content instance that is larger than mbs alone is refused with 4000.',
    codingAs(storing, NOT_ACCEPTABLE, BAD_REQUEST),
  ),
  breaking(
    'std.retention.mbs.too-large.loses-nothing',
    'all',
    'A content instance that is larger than mbs alone is refused after all others of the container have made room.',
    lostAllTheSame,
  ),
  breaking(
    'std.retention.mia',
    'not-obeyed',
    'mia of a container is kept, and no content instance goes because of it.',
    ageless,
  ),
];
