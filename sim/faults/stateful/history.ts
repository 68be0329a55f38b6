/** What faults are made of that show only after something has happened. */
import type { Cse } from '../../core/cse.ts';
import { representation } from '../../core/representation.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../fault.ts';
import { type Asked, type Attributes, asked, isSuccess, resourceAtPath } from '../vocabulary/asked.ts';
import { elsewhere, handling } from '../vocabulary/blocks.ts';
import { changingShown, labelled } from '../vocabulary/changed-answers.ts';
import { type End, hearing } from '../vocabulary/removals.ts';
import { Told } from '../vocabulary/told.ts';

/** What the request has created here; undefined when it created nothing. */
export function createdBy({ method }: HttpRequest, answer: HttpResponse, core: Cse): Resource | undefined {
  const path = answer.headers['Content-Location'];
  return method === 'POST' && isSuccess(answer) && path !== undefined ? resourceAtPath(path, core) : undefined;
}

/** The resource below which the request is to create another. */
export function parentOf({ method, path }: Asked, core: Cse): Resource | undefined {
  return method === 'POST' ? resourceAtPath(path, core) : undefined;
}

/** `then` hears of each resource that a request has created, once it is answered. */
export function afterCreations(then: (created: Resource, about: Asked, core: Cse) => void): Wrap {
  return handling(async (request, service, core) => {
    const answer = await service.handle(request);
    const created = createdBy(request, answer, core);
    if (created !== undefined) then(created, asked(request), core);
    return answer;
  });
}

/** `then` hears of each resource that a request has updated, once it is answered; `before` is what it was labelled with. */
export function afterUpdates(
  then: (updated: Resource, before: readonly string[], request: HttpRequest, core: Cse) => void,
): Wrap {
  return handling(async (request, service, core) => {
    const { method, path } = asked(request);
    const updated = method === 'PUT' ? resourceAtPath(path, core) : undefined;
    const before = updated?.labels ?? [];
    const answer = await service.handle(request);
    if (updated !== undefined && isSuccess(answer)) then(updated, before, request, core);
    return answer;
  });
}

export { type End, hearing };

type Drift = (container: Resource, by: number) => void;
/** What is looked at after each request; nothing where the removals say enough. */
type Seen = (request: HttpRequest, answer: HttpResponse) => void;

/** A counter of containers that is wrong, in every answer, by what `watch` has told of until then. */
export function drifting(counter: 'cni' | 'cbs', watch: (drift: Drift, core: Cse) => Seen | undefined): Wrap {
  return (service, core) => {
    const wrongBy = new Map<unknown, number>();
    const seen = watch(({ id }, by) => wrongBy.set(id, (wrongBy.get(id) ?? 0) + by), core);
    const watched = handling(async (request, inner) => {
      const answer = await inner.handle(request);
      seen?.(request, answer);
      return answer;
    })(service, core);
    return changingShown('m2m:cnt', (attributes) => {
      const by = wrongBy.get(attributes.ri);
      if (by !== undefined && typeof attributes[counter] === 'number') attributes[counter] += by;
    })(watched, core);
  };
}

/** Answers show other attributes of single resources than those that they have, as `watch` has told until then. */
export function retelling(
  watch: (tell: (resource: Resource, attributes: Attributes) => void, core: Cse) => Seen,
): Wrap {
  return (service, core) => {
    const told = new Told();
    const seen = watch(({ id }, attributes) => told.say(id, attributes), core);
    return handling(async (request, inner) => {
      const answer = await inner.handle(request);
      seen(request, answer);
      return told.in(answer);
    })(service, core);
  };
}

/** The container whose newest instance is read. */
export function latestAskedOf({ method, path }: Asked, core: Cse): Resource | undefined {
  if (method !== 'GET' || !/\/(latest|la)$/.test(path)) return undefined;
  const container = resourceAtPath(path.slice(0, path.lastIndexOf('/')), core);
  return container?.instances === undefined ? undefined : container;
}

/** The request for one of the container's instances, in place of its newest. */
export function askingFor(instance: Resource, request: HttpRequest): HttpRequest {
  const { path } = asked(request);
  return elsewhere(request, `${path.slice(0, path.lastIndexOf('/'))}/${encodeURIComponent(instance.name)}`);
}

/** The answer that shows the resource as it was last, though it may be gone. */
export function ghost(resource: Resource, request: HttpRequest, { configuration }: Cse): HttpResponse {
  const { text } = representation(resource, configuration.dialect);
  const headers = { 'X-M2M-RSC': '2000', 'Content-Type': 'application/vnd.onem2m-res+json' };
  return echoing({ status: 200, headers, body: text }, request);
}

/** The answer to another request as one to this. */
export function echoing(answer: HttpResponse, { headers }: HttpRequest): HttpResponse {
  const { 'x-m2m-ri': identifier, 'x-m2m-rvi': release } = headers;
  return labelled(answer, {
    ...(identifier !== undefined && { 'X-M2M-RI': identifier }),
    ...(release !== undefined && { 'X-M2M-RVI': release }),
  });
}

/** Removed resources that are still read where nothing else is: `addressOf` is the path at which one is remembered. */
export function haunted(
  dies: (resource: Resource, end: End) => boolean,
  addressOf: (resource: Resource) => string = ({ path }) => `/${path}`,
): Wrap {
  return (service, core) => {
    const ghosts = new Map<string, Resource>();
    hearing(core, (resource, end) => {
      if (dies(resource, end)) ghosts.set(addressOf(resource), resource);
    });
    return handling(async (request) => {
      const { method, path, discovery } = asked(request);
      const answer = await service.handle(request);
      const read = method === 'GET' && !discovery && answer.status === 404;
      const resource = read ? ghosts.get(path) : undefined;
      return resource === undefined ? answer : ghost(resource, request, core);
    })(service, core);
  };
}

export const isInstance = ({ type }: Resource) => type.isInstance === true;
export const isContainer = ({ type }: Resource) => type.root === 'm2m:cnt';
export const isApplicationEntity = ({ type }: Resource) => type.root === 'm2m:ae';
/** A container in a container. */
export const isNested = (resource: Resource) =>
  isContainer(resource) && resource.parent !== undefined && isContainer(resource.parent);
