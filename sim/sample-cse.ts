/** For tests of this room: a CSE whose clock stands still until it is moved, spoken to without a socket. */
import { type CseOptions, createCse, type ReferenceCse } from './index.ts';

/** 2017-03-02T16:12:53.350093Z, the moment of the specification's examples, in microseconds. */
export const exampleMoment = 1_488_471_173_350_093;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The JSON value of the body; undefined when it is empty. */
  readonly json: unknown;
  /** The object below the root key. */
  readonly attributes: Record<string, unknown>;
}

export interface SampleCse extends ReferenceCse {
  readonly clock: { microseconds: number };
  send(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** A text body is sent as it is, anything else as JSON. */
export function sampleCse(options: CseOptions = {}): SampleCse {
  const clock = { microseconds: exampleMoment };
  const cse = createCse({ clock: { now: () => clock.microseconds }, ...options });
  return {
    ...cse,
    clock,
    async send(method, target, body, headers = {}) {
      const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
      const answer = await cse.http.handle({
        method,
        target,
        headers: { 'content-type': 'application/vnd.onem2m-res+json', ...headers },
        body: new TextEncoder().encode(text),
      });
      const json: unknown = answer.body === '' ? undefined : JSON.parse(answer.body);
      return {
        status: answer.status,
        headers: answer.headers,
        text: answer.body,
        json,
        attributes: attributesOf(json),
      };
    },
  };
}

function attributesOf(json: unknown): Record<string, unknown> {
  const object = typeof json === 'object' && json !== null ? Object.values(json)[0] : undefined;
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : {};
}
