/** Exchanges as primitives (TS-0004, clause 8.4), as MQTT and WebSocket carry them. */

import { primitiveFields, primitiveOf } from '../engine/messages/primitive.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import { keptBody, keptHeaders } from './exported.ts';

/** The request; a cut body stays cut. */
export function requestText({ request }: Exchange): string {
  const { body, ...others } = request;
  return withContent(primitiveOf({ ...others, headers: keptHeaders(request.headers) }), body);
}

/** The answer, with the identifier of the request. */
export function answerText({ request, answer }: Exchange): string {
  const { rqi } = primitiveFields(keptHeaders(request.headers));
  return withContent({ rqi, ...primitiveFields(keptHeaders(answer?.headers ?? [])) }, answer?.body);
}

function withContent(fields: Readonly<Record<string, unknown>>, body: string | undefined): string {
  const { text } = keptBody(body);
  const json = JSON.stringify(fields);
  return text === '' ? json : `${json.slice(0, -1)},"pc":${text}}`;
}
