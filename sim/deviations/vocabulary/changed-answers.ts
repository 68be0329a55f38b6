import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';

/** The response status code; not a number where the answer has none. */
export function codeOf({ headers }: HttpResponse): number {
  return Number(headers['X-M2M-RSC']);
}

/** A refusal as the reference CSE words it. */
export function refused(status: number, code: number, request: HttpRequest, says = 'Refused.'): HttpResponse {
  const { 'x-m2m-ri': identifier, 'x-m2m-rvi': release } = request.headers;
  const headers = {
    'X-M2M-RSC': String(code),
    ...(identifier !== undefined && { 'X-M2M-RI': identifier }),
    ...(release !== undefined && { 'X-M2M-RVI': release }),
    'Content-Type': 'application/json',
  };
  return { status, headers, body: JSON.stringify({ 'm2m:dbg': says }) };
}

/** The answer with another status and response status code. */
export function recoded(answer: HttpResponse, status: number, code: number): HttpResponse {
  return labelled({ ...answer, status }, { 'X-M2M-RSC': String(code) });
}

/** The answer with these headers too, or in place of those that it has. */
export function labelled(answer: HttpResponse, headers: HttpResponse['headers']): HttpResponse {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

export function withoutHeaders(answer: HttpResponse, ...names: readonly string[]): HttpResponse {
  const kept = Object.entries(answer.headers).filter(([name]) => !names.includes(name));
  return { ...answer, headers: Object.fromEntries(kept) };
}

/** The answer with another JSON value in its body. */
export function withBody(answer: HttpResponse, value: unknown): HttpResponse {
  return { ...answer, body: JSON.stringify(value) };
}
