import type { CreateStep, RawStep, SendingStep, UpdateStep } from '../grammar/grammar-step.ts';
import { factsOf, type ResourceTypeName } from '../grammar/vocabulary.ts';
import { interpolate, interpolateToText, MissingValue, type Names } from './interpolate.ts';
import type { AnyRequest, HeaderList, RawRequest } from './target.ts';
import { type HeaderSender, type Headers, headerList, senderHeaders, usualHeaders } from './usual-headers.ts';
import { type Query, withQuery } from './wire.ts';

/** The request of a step; throws MissingValue for a capture without a value, or with one that cannot be sent. */
export function prepare(step: SendingStep, names: Names, sender: HeaderSender): AnyRequest {
  if ('raw' in step) return prepareRaw(step, names, senderHeaders(sender));
  const { method, path, query, content, ty } = partsOf(step);
  const usual = usualHeaders(sender, content === undefined ? undefined : { ty });
  const request = {
    method,
    path: withQuery(pathOf(path, names), interpolate(query ?? {}, names)),
    headers: step.headers === undefined ? headerList(usual) : mergedHeaders(usual, textHeaders(step.headers, names)),
  };
  return content === undefined
    ? request
    : { ...request, body: Buffer.from(JSON.stringify(interpolate(content, names))) };
}

/** A captured value may be anything. */
function pathOf(path: string, names: Names): string {
  const text = interpolateToText(path, names);
  if (!/^(\/|https?:\/\/)/.test(text))
    throw new MissingValue(`the path ${JSON.stringify(text)} does not begin with a slash`);
  return text;
}

interface Parts {
  readonly method: string;
  readonly path: string;
  readonly query: Query | undefined;
  readonly content?: unknown;
  /** The resource type to create. */
  readonly ty?: number | undefined;
}

function partsOf(step: Exclude<SendingStep, RawStep>): Parts {
  if ('create' in step) {
    const { create: type, in: path, query, ty = factsOf(type).ty } = step;
    return { method: 'POST', path, query, content: payload(type, step), ty };
  }
  if ('update' in step)
    return { method: 'PUT', path: step.update, query: step.query, content: payload(step.kind, step) };
  if ('retrieve' in step) return { method: 'GET', path: step.retrieve, query: step.query };
  if ('delete' in step) return { method: 'DELETE', path: step.delete, query: step.query };
  // `fu` is sent with the value 1 in every discovery request ("Endpoints", note 2).
  return { method: 'GET', path: step.discover, query: { ...step.where, fu: step.where?.fu ?? 1 } };
}

function payload(type: ResourceTypeName, step: CreateStep | UpdateStep): unknown {
  return { [step.root ?? factsOf(type).root ?? '']: step.attributes ?? {} };
}

function prepareRaw(step: RawStep, names: Names, usual: Headers): RawRequest {
  if ('bytes' in step.raw) return { bytes: bodyBytes(step.raw.bytes, names) };
  const { method, path, version, headers = {}, body } = step.raw;
  const headerNames = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return {
    method,
    path: interpolateToText(path, names),
    version: version ?? '1.1',
    headers: mergedHeaders(usual, textHeaders(headers, names)),
    addHost: !headerNames.has('host'),
    addContentLength: !headerNames.has('content-length') && !headerNames.has('transfer-encoding'),
    ...(body === undefined ? {} : { body: bodyBytes(body, names) }),
  };
}

type BodyPart = string | { readonly repeat: string; readonly times: number } | { readonly hex: string };

function bodyBytes(body: BodyPart | readonly BodyPart[], names: Names): Buffer {
  return Buffer.concat([body].flat().map((part) => partBytes(part, names)));
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
function mergedHeaders(usual: Headers, own: Headers): HeaderList {
  const replaced = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const remaining = Object.entries(usual).filter(([name]) => !replaced.has(name.toLowerCase()));
  return headerList(Object.fromEntries([...remaining, ...Object.entries(own)]));
}
