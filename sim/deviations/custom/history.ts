/** What functions share that look at resources as requests create them, read them and leave them behind. */

import type { Cse } from '../../core/cse.ts';
import { representation } from '../../core/representation.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { resourceAtPath } from '../vocabulary/blocks.ts';
import { type Asked, asked, describedIn, elsewhere, isSuccess, labelled } from '../vocabulary/messages.ts';

/** Turns of the event loop for which a creation waits, so that others can come meanwhile. */
const turns = 10;

export async function waiting({ services }: Cse): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await services.ports.nextTurn();
}

export const isInstance = ({ type }: Resource) => type.isInstance === true;

/** What the request has created here; undefined when it created nothing. */
export function createdBy({ method }: HttpRequest, answer: HttpResponse, core: Cse): Resource | undefined {
  const path = answer.headers['Content-Location'];
  return method === 'POST' && isSuccess(answer) && path !== undefined ? resourceAtPath(path, core) : undefined;
}

/** The container for which a content instance is sent. */
export function containerFor(request: HttpRequest, core: Cse): Resource | undefined {
  const isMeant = request.method === 'POST' && describedIn(request.body)?.root === 'm2m:cin';
  return isMeant ? resourceAtPath(asked(request).path, core) : undefined;
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
