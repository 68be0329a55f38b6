/** What quirks are made of, beside what faults are made of: answers of every kind, at every depth. */
import type { Cse } from '../core/cse.ts';
import type { HttpRequest, HttpResponse } from '../dialects/http-message.ts';
import type { OutgoingRequest, Sender } from '../dialects/outgoing-message.ts';
import { type Asked, type Attributes, asked, isSuccess, json } from '../faults/asked.ts';
import { changingAnswers, changingRequests, handling } from '../faults/blocks.ts';
import type { Wrap } from '../faults/fault.ts';

export const isObject = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON object that a request carries. */
export function contentOf({ body }: HttpRequest): Attributes | undefined {
  const value = json(Buffer.from(body).toString());
  return isObject(value) ? value : undefined;
}

export interface Described {
  readonly root: string;
  readonly attributes: Attributes;
}

/** What stands below the only key of what a request or an answer holds. */
export function describedIn(content: unknown): Described | undefined {
  const [[root, attributes] = [], ...more] = isObject(content) ? Object.entries(content) : [];
  return root !== undefined && isObject(attributes) && more.length === 0 ? { root, attributes } : undefined;
}

/** What a request would create; undefined for one of another method. */
export function toBeCreated(request: HttpRequest): Described | undefined {
  return request.method === 'POST' ? describedIn(contentOf(request)) : undefined;
}

/** The answer with another JSON value in its body. */
export const withBody = (answer: HttpResponse, value: unknown): HttpResponse => ({
  ...answer,
  body: JSON.stringify(value),
});

/** The request with what it describes in other words. */
export const describing = (request: HttpRequest, { root, attributes }: Described): HttpRequest => ({
  ...request,
  body: Buffer.from(JSON.stringify({ [root]: attributes })),
});

/** Changes what is to be created, before it is; undefined leaves it as it is. */
export function changingCreates(change: (described: Described) => Attributes | undefined): Wrap {
  return changingRequests((request) => {
    const described = toBeCreated(request);
    const attributes = described && change(described);
    return attributes && describing(request, { root: described.root, attributes });
  });
}

/** Changes, in place, the JSON value of each successful answer. */
export function changingContent(change: (value: Attributes, about: Asked, core: Cse) => void): Wrap {
  return changingAnswers((answer, about, core) => {
    const value = isSuccess(answer) ? json(answer.body) : undefined;
    if (!isObject(value)) return undefined;
    change(value, about, core);
    return withBody(answer, value);
  });
}

/** Every object in a JSON value, with the key under which it stands; the elements of a list stand under that of the list. */
export function eachObject(value: unknown, visit: (object: Attributes, key: string) => void, key = ''): void {
  if (Array.isArray(value)) for (const element of value) eachObject(element, visit, key);
  else if (isObject(value)) {
    visit(value, key);
    for (const [name, inner] of Object.entries(value)) eachObject(inner, visit, name);
  }
}

/** Changes the attributes of a kind (of every kind, when `root` is undefined), in place, wherever an answer shows them. */
export function changingShown(root: string | undefined, change: (attributes: Attributes, core: Cse) => void): Wrap {
  return changingContent((value, _, core) =>
    eachObject(value, (object, key) => {
      if (root === undefined ? key.includes(':') : key === root) change(object, core);
    }),
  );
}

/**
 * What was given with a create or an update is shown from then on, as `told` says; it gives undefined for what the CSE
 * tells rightly.
 */
export function tellingAsGiven(told: (given: Attributes, core: Cse) => Attributes | undefined): Wrap {
  const kept = new Map<unknown, Attributes>();
  return handling(async (request, service, core) => {
    const answer = await service.handle(request);
    const value = isSuccess(answer) ? json(answer.body) : undefined;
    if (!isObject(value)) return answer;
    remember(request, value);
    eachObject(value, (object) => {
      const other = kept.get(object.ri);
      for (const name in other) if (object[name] !== undefined) object[name] = other[name];
    });
    return withBody(answer, value);

    function remember({ method }: HttpRequest, shown: unknown): void {
      const given = describedIn(contentOf(request))?.attributes;
      const id = describedIn(shown)?.attributes.ri;
      if (id === undefined || given === undefined || (method !== 'POST' && method !== 'PUT')) return;
      const other = told(given, core);
      if (other !== undefined) kept.set(id, { ...kept.get(id), ...other });
    }
  });
}

/** Changes what a refusal says, where the service refuses and `where` says yes. */
export function changingRefusals(
  change: (answer: HttpResponse, request: HttpRequest, about: Asked) => HttpResponse | undefined,
): Wrap {
  return handling(async (request, service) => {
    const answer = await service.handle(request);
    return (isSuccess(answer) ? undefined : change(answer, request, asked(request))) ?? answer;
  });
}

/** Changes each request before it is sent. */
export function changingSent(
  change: (request: OutgoingRequest, baseUrl: string, core: Cse) => OutgoingRequest | undefined,
): (sender: Sender, core: Cse) => Sender {
  return (sender, core) => ({
    send: (baseUrl, request, signal) => sender.send(baseUrl, change(request, baseUrl, core) ?? request, signal),
  });
}

/** The `m2m:sgn` in what is sent, if it is one. */
export function notificationIn({ body }: OutgoingRequest): Attributes | undefined {
  const value = typeof body === 'string' ? json(body) : undefined;
  const single = isObject(value) ? value['m2m:sgn'] : undefined;
  return isObject(single) ? single : undefined;
}
