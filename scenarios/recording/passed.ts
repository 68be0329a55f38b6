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
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const [entry, ...others] = Object.entries(json);
  return entry === undefined || others.length > 0 ? undefined : { root: entry[0], value: entry[1] };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
