/** What the rows of several sections send: sound requests but for what is said. */
import {
  creating,
  type Parts,
  type Place,
  reading,
  trapOf,
  withLength,
  withLine,
} from '../../generators/wire/wire-case.ts';

type Sent = (at: Place) => Parts;

/** A GET with these header lines as well. */
export const got =
  (...lines: readonly string[]): Sent =>
  (at) =>
    withLine(reading(at), ...lines);

/** A GET with other parts. */
export const gotAs =
  (parts: Partial<Parts>): Sent =>
  (at) => ({ ...reading(at), ...parts });

/** A GET of another target, made from the path of the container. */
export const gotFrom =
  (target: (container: string, at: Place) => string): Sent =>
  (at) => ({ ...reading(at), target: target(at.container, at) });

export const nowhereBelow: Sent = gotFrom((container) => `${container}/nowhere`);

/** A POST of this body with its length, and these header lines as well. */
export const posted =
  (body?: string, ...lines: readonly string[]): Sent =>
  (at) =>
    withLine(withLength(creating(at, body)), ...lines);

/** A POST without a length, but with these header lines. */
export const unmeasured =
  (...lines: readonly string[]): Sent =>
  (at) =>
    withLine(creating(at), ...lines);

/** A POST of plain text. */
export const postedAsText =
  (body: (at: Place) => string): Sent =>
  (at) =>
    withLength({ ...creating(at, body(at)), headers: [...at.usual, 'Content-Type: text/plain'] });

/** A POST whose body is a request, without a length. */
export const trap: Sent = (at) => creating(at, trapOf(at));

export const isPost = { methods: ['POST'] } as const;
export const closes = { closes: true } as const;
