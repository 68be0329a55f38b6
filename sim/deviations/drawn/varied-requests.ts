/** What a CSE may leave out of a request, or refuse, because no source says that it is to be done. */

import type { CseIdentity } from '../../core/address.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { readTimestamp } from '../../dialects/timestamp.ts';
import { isObject } from '../vocabulary/messages.ts';
import type { Variation, WaysOf } from './variation-rows.ts';

type Identity = Pick<CseIdentity, 'base' | 'cseId'>;

/** The request as a variation takes it, at this time in microseconds since 1970 UTC. */
export function variedRequest(request: HttpRequest, variation: Variation, now: number): HttpRequest {
  const { method } = request;
  if (!('et' in variation) || variation.et === 'refused') return request;
  if (method !== 'POST' && (method !== 'PUT' || variation.et === 'ignored in a create')) return request;
  const sent = sentIn(request);
  const { et } = sent?.attributes ?? {};
  if (sent === undefined || !(method === 'POST' ? isAhead(et, now) : isGiven(et))) return request;
  const { et: _ignored, ...others } = sent.attributes;
  return { ...request, body: new TextEncoder().encode(JSON.stringify({ [sent.root]: others })) };
}

/** The answer that no source forbids, in place of the usual one; undefined where there is none. */
export function refusedBy(
  request: HttpRequest,
  variations: readonly Variation[],
  identity: Identity,
): HttpResponse | undefined {
  for (const variation of variations) {
    if ('et' in variation && variation.et === 'refused' && isGiven(sentIn(request)?.attributes.et)) return refusal(400);
    const status = 'without' in variation ? withouts[variation.without](request, identity) : undefined;
    if (status !== undefined) return refusal(status);
  }
  return undefined;
}

/** A time that is past, or none, is refused (TS-0004, 7.3.3.3). */
const isAhead = (et: unknown, now: number) => typeof et === 'string' && (readTimestamp(et) ?? 0) > now;
const isGiven = (value: unknown) => value !== undefined && value !== null;

function refusal(status: number): HttpResponse {
  const body = '{"m2m:dbg":"That is not supported."}';
  return { status, headers: { 'Content-Type': 'application/json' }, body };
}

/** The status for a request that is not supported. */
type Without = (request: HttpRequest, identity: Identity) => number | undefined;

const documentedKinds = ['m2m:ae', 'm2m:cnt', 'm2m:cin'];
const documentedFilters = ['lbl', 'cra', 'fu'];

const withouts: Readonly<Record<WaysOf<'without'>, Without>> = {
  updates: ({ method }) => (method === 'PUT' ? 405 : undefined),
  'removal below applications': ({ method, target }, identity) =>
    method === 'DELETE' && within(target, identity).length > 2 ? 405 : undefined,
  'the removal of instances': ({ method, target }, identity) =>
    method === 'DELETE' && within(target, identity).length > 3 ? 405 : undefined,
  'the oldest': ({ target }) => (/\/(?:oldest|ol)(?:\?|$)/.test(target) ? 404 : undefined),
  'addresses by identifier': ({ target }, identity) => {
    const [first] = within(target, identity);
    return first === undefined || first === identity.base || first === '~' ? undefined : 404;
  },
  'other kinds': (request) => {
    const sent = request.method === 'POST' ? sentIn(request) : undefined;
    return sent !== undefined && !documentedKinds.includes(sent.root) ? 400 : undefined;
  },
  'other filters': ({ method, target }) => {
    const query = new URLSearchParams(target.split('?')[1] ?? '');
    const isOther = [...query.keys()].some((name) => !documentedFilters.includes(name));
    return method === 'GET' && query.has('fu') && isOther ? 400 : undefined;
  },
  OPTIONS: ({ method }) => (method === 'OPTIONS' ? 405 : undefined),
};

/** Segments of the path below this CSE; those of another begin with `~`. */
function within(target: string, { cseId }: Identity): string[] {
  const segments = (target.split('?')[0] ?? '').split('/').filter((segment) => segment !== '');
  return segments[0] === '~' && segments[1] === cseId ? segments.slice(2) : segments;
}

function sentIn({
  body,
}: HttpRequest): { readonly root: string; readonly attributes: Record<string, unknown> } | undefined {
  const [[root, attributes] = []] = Object.entries(parsed(new TextDecoder().decode(body)) ?? {});
  return root !== undefined && isObject(attributes) ? { root, attributes } : undefined;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
