import { type Query, withQuery } from './encode.ts';
import type { CreateStep, DiscoverStep, Kind, RawStep, ReceiveStep, SendingStep, Step, UpdateStep } from './grammar.ts';
import { interpolate, interpolateToText, type Names } from './interpolate.ts';
import { predicate } from './sentences.ts';
import type { HeaderList, RawRequest, RequestMessage } from './targets/target.ts';

/** Short name of each kind, the only key of a payload ("Wire conventions"). */
export const rootKeys: Readonly<Record<Kind, string>> = {
  ae: 'm2m:ae',
  container: 'm2m:cnt',
  'content instance': 'm2m:cin',
};
const contentType = 'application/vnd.onem2m-res+json';

export type Prepared =
  | { readonly kind: 'message'; readonly request: RequestMessage }
  | { readonly kind: 'raw'; readonly request: RawRequest };

type Headers = Readonly<Record<string, string | null>>;

/** The request of a step; throws MissingValue when the step uses a capture that found nothing. */
export function prepare(step: SendingStep, names: Names, originator: string | undefined): Prepared {
  const origin: Headers = originator === undefined ? {} : { 'X-M2M-Origin': originator };
  if ('raw' in step) return { kind: 'raw', request: prepareRaw(step, names, origin) };
  const { method, path, query, content } = partsOf(step);
  const usual: Headers = content === undefined ? origin : { 'Content-Type': contentType, ...origin };
  const request = {
    method,
    path: withQuery(interpolateToText(path, names), interpolate(query ?? {}, names)),
    headers: mergedHeaders(usual, textHeaders(step.headers ?? {}, names)),
  };
  if (content === undefined) return { kind: 'message', request };
  return { kind: 'message', request: { ...request, body: Buffer.from(JSON.stringify(interpolate(content, names))) } };
}

interface Parts {
  readonly method: string;
  readonly path: string;
  readonly query: Query | undefined;
  readonly content?: unknown;
}

function partsOf(step: Exclude<SendingStep, RawStep>): Parts {
  if ('create' in step)
    return { method: 'POST', path: step.in, query: step.query, content: payload(step.create, step) };
  if ('update' in step)
    return { method: 'PUT', path: step.update, query: step.query, content: payload(step.kind, step) };
  if ('retrieve' in step) return { method: 'GET', path: step.retrieve, query: step.query };
  if ('delete' in step) return { method: 'DELETE', path: step.delete, query: step.query };
  return { method: 'GET', path: step.discover, query: discoveryQuery(step) };
}

function payload(kind: Kind, step: CreateStep | UpdateStep): unknown {
  return { [rootKeys[kind]]: step.attributes ?? {} };
}

/** `fu` is sent with the value 1 in every discovery request ("Endpoints", note 2). */
function discoveryQuery(step: DiscoverStep): Query {
  return { ...step.where, fu: step.where?.fu ?? 1 };
}

function prepareRaw(step: RawStep, names: Names, origin: Headers): RawRequest {
  if ('bytes' in step.raw) return { bytes: bodyBytes(step.raw.bytes, names) };
  const { method, path, version, headers = {}, body } = step.raw;
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return {
    method,
    path: interpolateToText(path, names),
    version: version ?? '1.1',
    headers: mergedHeaders(origin, textHeaders(headers, names)),
    addHost: !given.has('host'),
    addContentLength: !given.has('content-length') && !given.has('transfer-encoding'),
    ...(body === undefined ? {} : { body: bodyBytes(body, names) }),
  };
}

type BodyPart = string | { readonly repeat: string; readonly times: number } | { readonly hex: string };

function bodyBytes(body: BodyPart | readonly BodyPart[], names: Names): Buffer {
  const parts: readonly BodyPart[] = isList(body) ? body : [body];
  return Buffer.concat(parts.map((part) => partBytes(part, names)));
}

function isList(body: BodyPart | readonly BodyPart[]): body is readonly BodyPart[] {
  return Array.isArray(body);
}

function partBytes(part: BodyPart, names: Names): Buffer {
  if (typeof part === 'string') return Buffer.from(interpolateToText(part, names));
  if ('hex' in part) return Buffer.from(part.hex, 'hex');
  const once = Buffer.from(part.repeat);
  return once.length === 0 ? once : Buffer.alloc(once.length * part.times, once);
}

function textHeaders(headers: Headers, names: Names): Headers {
  const texts = Object.entries(headers).map(([name, value]) => [
    name,
    value === null ? null : interpolateToText(value, names),
  ]);
  return Object.fromEntries(texts) as Headers;
}

/** Given headers replace the usual ones of the same name; `null` leaves one out. */
function mergedHeaders(usual: Headers, given: Headers): HeaderList {
  const replaced = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const kept = Object.entries(usual).filter(([name]) => !replaced.has(name.toLowerCase()));
  return [...kept, ...Object.entries(given)].flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
}

/** Such as `create container in /onem2m/x`; names without a value stay as they are written. */
export function titleOf(step: Step, names: Names): string {
  const text = (template: string): string => {
    try {
      return interpolateToText(template, names);
    } catch {
      return template;
    }
  };
  if ('create' in step) return `create ${step.create} in ${text(step.in)}`;
  if ('update' in step) return `update ${step.kind} ${text(step.update)}`;
  if ('retrieve' in step) return `retrieve ${text(step.retrieve)}`;
  if ('delete' in step) return `delete ${text(step.delete)}`;
  if ('discover' in step) return `discover below ${text(step.discover)}${criteria(step)}`;
  if ('receive' in step) return `receive ${awaited(step.receive)}`;
  return 'bytes' in step.raw ? 'send exact bytes' : `send ${step.raw.method} ${text(step.raw.path)}`;
}

function awaited({ method, path, root }: ReceiveStep['receive']): string {
  const words = [
    method === undefined ? 'a request' : `a ${method} request`,
    path === undefined ? '' : `whose path ${predicate(path)}`,
    root === undefined ? '' : `whose root ${predicate(root)}`,
  ];
  return words.filter(Boolean).join(' ');
}

function criteria(step: DiscoverStep): string {
  const names = Object.keys(step.where ?? {});
  return names.length === 0 ? '' : ` by ${names.join(' and ')}`;
}
