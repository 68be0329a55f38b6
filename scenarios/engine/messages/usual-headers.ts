import { randomBytes } from 'node:crypto';
import type { Dialect } from '../grammar/dialects.ts';
import type { HeaderList, RequestMessage } from './target.ts';

/** The originator where none is known; no application entity of that name need be registered. */
export const defaultOriginator = 'Ccselab';

/** Headers by name; null leaves one out. */
export type Headers = Readonly<Record<string, string | null>>;

/** Dialect and identifiers of requests to a target. */
export interface Speech {
  readonly dialect: Dialect;
  /** Sent as X-M2M-RVI (onem2m dialect). */
  readonly release: string;
  /** A unique request identifier. */
  readonly requestIdentifier: () => string;
}

/** Numbers requests after a common prefix; `sent`: how many were sent before. */
export function numberedSpeech(
  { dialect, release }: Omit<Speech, 'requestIdentifier'>,
  start: string,
  sent = 0,
): Speech {
  let requests = sent;
  return { dialect, release, requestIdentifier: () => `${start}${++requests}` };
}

/** For requests beside a run: a CSE may take a request for an earlier one by its identifier alone. */
export const freshIdentifier = (why: string): string => `${why}-${randomBytes(6).toString('base64url')}`;

export interface HeaderSender {
  readonly originator: string | undefined;
  readonly speech: Speech;
}

/** The originator, and in the onem2m dialect the other mandatory headers (TS-0009 6.4). */
export function senderHeaders({ originator, speech }: HeaderSender): Headers {
  const origin: Headers = originator === undefined ? {} : { 'X-M2M-Origin': originator };
  if (speech.dialect === 'documented') return origin;
  return { ...origin, 'X-M2M-RI': speech.requestIdentifier(), 'X-M2M-RVI': speech.release };
}

/** A request without content: only the originator, and that the answer is to be JSON. */
export function bareRequest(
  method: 'GET' | 'DELETE',
  path: string,
  sender: HeaderSender,
): Omit<RequestMessage, 'body'> {
  return { method, path, headers: headerList(usualHeaders(sender)) };
}

/** Also the content type, with the resource type to create. */
export function usualHeaders(sender: HeaderSender, content?: { readonly ty?: number | undefined }): Headers {
  const from = senderHeaders(sender);
  const documented = sender.speech.dialect === 'documented';
  if (documented) return content === undefined ? from : { 'Content-Type': 'application/vnd.onem2m-res+json', ...from };
  const all = { ...from, Accept: 'application/json' };
  if (content === undefined) return all;
  return { ...all, 'Content-Type': `application/json${content.ty === undefined ? '' : `;ty=${content.ty}`}` };
}

export function headerList(headers: Headers): HeaderList {
  return Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}
