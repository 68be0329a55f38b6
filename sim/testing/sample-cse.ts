/** For tests of this room: a CSE whose clock stands still until it is moved, spoken to without a socket. */
import { type CseOptions, createCse, type InMemoryCse, type ReferenceCse } from '../index.ts';

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

type SentHeaders = Readonly<Record<string, string | null>>;

export interface SampleCse extends InMemoryCse {
  readonly clock: { microseconds: number };
  send(method: string, target: string, body?: unknown, headers?: SentHeaders): Promise<Answer>;
}

/**
 * A text body is sent as it is, anything else as JSON. In the onem2m dialect, what every request must say is added; null leaves a
 * header out.
 */
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
        headers: present({ ...usualHeaders(cse.core, method, body), ...headers }),
        body: new TextEncoder().encode(text),
      });
      const bodyText = String(answer.body);
      const json: unknown = bodyText === '' ? undefined : JSON.parse(bodyText);
      return { status: answer.status, headers: answer.headers, text: bodyText, json, attributes: attributesOf(json) };
    },
  };
}

function usualHeaders({ configuration }: ReferenceCse['core'], method: string, body: unknown): SentHeaders {
  if (configuration.dialect.name === 'documented') return { 'content-type': 'application/vnd.onem2m-res+json' };
  const [root] = Object.keys(typeof body === 'object' && body !== null ? body : {});
  const type = method === 'POST' ? configuration.types.find((one) => one.root === root) : undefined;
  return {
    'content-type': type === undefined ? 'application/json' : `application/json;ty=${type.ty}`,
    'x-m2m-ri': 'sample',
    'x-m2m-rvi': '4',
    // An AE that is created names itself, or is given its name.
    ...(type?.root !== 'm2m:ae' && { 'x-m2m-origin': 'CAdmin' }),
  };
}

function present(headers: SentHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(kept);
}

function attributesOf(json: unknown): Record<string, unknown> {
  const object = typeof json === 'object' && json !== null ? Object.values(json)[0] : undefined;
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : {};
}
