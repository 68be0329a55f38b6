/** Requests for another CSE, forwarded unchanged (TS-0001, clause 7.2; `gaps`, row 39). */

import { applicationEntityType } from '../core/numbers.ts';
import type { Cse } from '../core/operations/cse.ts';
import { originatorElsewhere } from '../core/originator.ts';
import type { Resource } from '../core/resource.ts';
import { CseError } from '../core/status.ts';
import { readTrace, traceHeaders } from '../core/trace-context.ts';
import { isObject, jsonIn } from '../dialects/body.ts';
import type { HttpRequest, HttpResponse } from '../dialects/http-message.ts';
import { type OutgoingRequest, type Sender, sendToFirst, UnreachableError } from '../dialects/outgoing-message.ts';
import type { NodeSettings } from './node-settings.ts';

interface RetargetingOptions {
  readonly cse: Cse;
  readonly sender: Sender;
  readonly settings: Pick<NodeSettings, 'overwriteOriginator' | 'overwriteForwarded' | 'tls'>;
}

/** CSEs that one request may pass. */
const mostHops = 8;

/** Headers of one connection, not of the message (RFC 9110, clause 7.6.1), and those that each connection sets anew. */
const ofConnection: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect', 'host', 'content-length', 'date', 'traceparent', 'tracestate'],
  // Of the page that sent it, which was checked here.
  ...['origin', 'referer', 'cookie', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'sec-fetch-user'],
]);

/**
 * The `retarget` of `HttpServiceOptions`. Method, target, query, body and headers arrive as they were sent, but for the originator and the
 * targets of a subscription, which are written as the other CSE needs them, Via, which detects loops, and the trace, which has a parent for
 * each leg.
 */
export function retargeting(options: RetargetingOptions) {
  const { cse } = options;
  return (request: HttpRequest, to: string): Promise<HttpResponse> | undefined => {
    const remote = to.startsWith('/') ? pointsOfAccess(to, cse) : undefined;
    if (remote === undefined) return undefined;
    return forward({ ...request, body: subscriptionElsewhere(request.body, to, cse) }, remote, options);
  };
}

/** Of the CSE in the address; undefined for this one, and for one that is not registered here. */
function pointsOfAccess(to: string, { configuration, tree }: Cse): readonly string[] | undefined {
  const { spId, cseId } = configuration;
  const [, absolute, inAbsolute, inRelative] = /^(?:\/\/([^/]*)\/([^/]*)|\/([^/]*))/.exec(to) ?? [];
  const called = inAbsolute ?? inRelative;
  if (called === cseId || (absolute !== undefined && absolute !== spId)) return undefined;
  const remote = tree.byAlias(`/${called}`);
  if (remote === undefined) return undefined;
  return remote.values.rr === false ? [] : ((remote.values.poa as readonly string[] | undefined) ?? []);
}

async function forward(
  request: HttpRequest,
  pointsOfAccess: readonly string[],
  options: RetargetingOptions,
): Promise<HttpResponse> {
  const via = viaOf(request, options.cse.configuration.cseId);
  try {
    const answer = await sendToFirst(options.sender, pointsOfAccess, (url) => outgoing(request, url, via, options));
    return { status: answer.status, headers: ofMessage(answer.headers), body: answer.body };
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    throw new CseError('TARGET_NOT_REACHABLE', 'The CSE cannot be reached at its points of access.');
  }
}

/** The CSEs passed so far and this one. A CseError when the request was here before, or has passed too many. */
function viaOf({ headers }: HttpRequest, cseId: string): string {
  const own = `1.1 ${encodeURIComponent(cseId)}`;
  const passed = headers.via === undefined ? [] : headers.via.split(',').map((one) => one.trim());
  if (passed.includes(own)) {
    throw new CseError('TARGET_NOT_REACHABLE', `The request came back to ${cseId}: the points of access make a loop.`);
  }
  if (passed.length < mostHops) return [...passed, own].join(', ');
  throw new CseError('TARGET_NOT_REACHABLE', `The request has passed ${mostHops} CSEs, which is the limit (mostHops).`);
}

/** Our own identifier replaces a missing originator where this CSE presents its certificate. */
function outgoing(request: HttpRequest, url: string, via: string, options: RetargetingOptions): OutgoingRequest {
  const { method, target, body } = request;
  const { overwriteOriginator, overwriteForwarded, tls } = options.settings;
  const { configuration } = options.cse;
  const authenticated = tls !== undefined && url.startsWith('https:');
  const { 'x-m2m-origin': origin = '' } = request.headers;
  const isReplaced = overwriteForwarded === true || (origin === '' && authenticated);
  const own = overwriteOriginator ?? `//${configuration.spId}/${configuration.cseId}`;
  const originator = isReplaced ? own : originatorElsewhere(origin, configuration);
  const { 'x-m2m-origin': _original, via: _via, ...headers } = ofMessage(request.headers);
  const trace = readTrace(request.headers);
  const traced = trace && traceHeaders(options.cse.services.ports.childTrace(trace));
  return {
    method,
    target,
    headers: { ...headers, ...traced, via, ...(originator && { 'x-m2m-origin': originator }) },
    ...(body.length > 0 && { body }),
  };
}

function ofMessage(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const alsoOfConnection = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !ofConnection.has(entry[0]) && !alsoOfConnection.includes(entry[0]),
  );
  return Object.fromEntries(kept);
}

/**
 * The content of a forwarded request: a subscription with targets as the other CSE needs them. Deployed applications use their short name
 * (`CApp`), which there would be one of that CSE's own; deployed backends write it out. The standard leaves it to the originator (TS-0001,
 * clause 7.2), so the onem2m dialect changes nothing.
 */
const root = 'm2m:sub';

/** In the form of `to`. Other content is returned unchanged. */
export function subscriptionElsewhere(body: Uint8Array, to: string, cse: Cse): Uint8Array {
  const { spId, cseId, dialect } = cse.configuration;
  if (dialect.name !== 'documented' || !Buffer.from(body).includes(`"${root}"`)) return body;
  const attributes = attributesIn(body);
  if (attributes === undefined) return body;
  const prefix = `${to.startsWith('//') ? `//${spId}` : ''}/${cseId}/`;
  const written = (target: unknown) =>
    typeof target === 'string' && isApplicationHere(target, cse) ? prefix + target : target;
  const { nu, su } = attributes;
  const [targets, subscriber] = [Array.isArray(nu) ? nu.map(written) : nu, written(su)];
  if (JSON.stringify([targets, subscriber]) === JSON.stringify([nu, su])) return body;
  return Buffer.from(JSON.stringify({ [root]: { ...attributes, nu: targets, su: subscriber } }));
}

function attributesIn(body: Uint8Array): Record<string, unknown> | undefined {
  const content = jsonIn(body);
  const attributes = isObject(content) && Object.keys(content).join() === root ? content[root] : undefined;
  return isObject(attributes) ? attributes : undefined;
}

/** Whether it is the AE-ID of an application here, or its path below the CSE base. */
function isApplicationHere(target: string, { tree }: Cse): boolean {
  const [base, name, ...more] = target.split('/');
  const byPath: Resource | undefined =
    base === tree.base.name && name !== undefined && more.length === 0 ? tree.base.children?.get(name) : undefined;
  return (tree.byAlias(target) ?? byPath)?.type.ty === applicationEntityType;
}
