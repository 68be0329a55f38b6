/** What the rows of several sections send: sound requests but for what is said. */
import { creating, type Parts, type Place, reading, trapOf, withLength, withLine } from '../wire-case.ts';

type Sent = (at: Place) => Parts;

/** The same with these header lines as well. */
export const also =
  (sent: Sent, ...lines: readonly string[]): Sent =>
  (at) =>
    withLine(sent(at), ...lines);

/** The same with other parts. */
export const otherwise =
  (sent: Sent, parts: Partial<Parts>): Sent =>
  (at) => ({ ...sent(at), ...parts });

/** The same with the length of its body. */
export const measured =
  (sent: Sent): Sent =>
  (at) =>
    withLength(sent(at));

export const got = (...lines: readonly string[]): Sent => also(reading, ...lines);
export const gotAs = (parts: Partial<Parts>): Sent => otherwise(reading, parts);

/** A GET of another target, made from the path of the container. */
export const gotFrom =
  (target: (container: string, at: Place) => string): Sent =>
  (at) => ({ ...reading(at), target: target(at.container, at) });

/** A GET of what stands below the container, if anything does. */
export const below = (segment: string): Sent => gotFrom((container) => `${container}/${segment}`);

/** A GET of the container with this behind its path. */
export const behind = (end: string): Sent => gotFrom((container) => container + end);

/** A GET of the container with its host, or another one, in the target. */
export const absolute = (start: string, host?: string): Sent =>
  gotFrom((container, at) => `${start}${host ?? at.host}${container}`);

export const nowhereBelow: Sent = below('nowhere');

/** A POST of this body with its length, and these header lines as well. */
export const posted = (body?: string, ...lines: readonly string[]): Sent =>
  also((at) => withLength(creating(at, body)), ...lines);

/** A POST without a length, but with these header lines. */
export const unmeasured = (...lines: readonly string[]): Sent => also(creating, ...lines);

/** A POST of plain text. */
export const postedAsText =
  (body: (at: Place) => string): Sent =>
  (at) =>
    withLength({ ...creating(at, body(at)), headers: [...at.usual, 'Content-Type: text/plain'] });

/** A POST whose body is a request, without a length. */
export const trap: Sent = (at) => creating(at, trapOf(at));

/** So many texts, one behind the other. */
export function listed(count: number, text: (at: number) => string, between = ','): string {
  return Array.from({ length: count }, (_, at) => text(at)).join(between);
}

export const closes = { closes: true } as const;
