import { isObject, jsonOf, onlyKey } from '../engine/judging/body.ts';

/** A request with its answer, as it passed through the recording proxy. */
export interface Passed {
  /** Milliseconds since 1970 UTC, when the request came. */
  readonly began: number;
  /** Milliseconds since 1970 UTC, when the answer came. */
  readonly at: number;
  readonly method: string;
  /** Request target: path and query. */
  readonly path: string;
  /** As they came from the client, by lower-case name; the last of several with the same one. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly status: number;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer: Buffer;
}

/** The only key of a JSON object and what stands below it; undefined for any other body. */
export function payloadOf(body: Buffer): { readonly root: string; readonly value: unknown } | undefined {
  const json = jsonOf(body.toString('utf8'));
  const root = onlyKey(json);
  return root === undefined || !isObject(json) ? undefined : { root, value: json[root] };
}
