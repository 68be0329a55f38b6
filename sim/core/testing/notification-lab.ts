/** For tests of notifications: a CSE in virtual time with a container, and a messenger that keeps what is sent. */

import type { CseOptions, ReferenceCse } from '../../cse/create-cse.ts';
import { type ManualClock, manualClock } from '../../environment/clock.ts';
import { exampleMoment, sampleCse } from '../../testing/sample-cse.ts';
import type { RequestPrimitive } from '../primitive.ts';
import { CseError, statusOf } from '../status.ts';

type Representation = Record<string, Record<string, unknown>>;

export interface SentNotification {
  readonly url: string;
  readonly category: number | undefined;
  readonly body: Record<string, unknown>;
  /** The value of `m2m:sgn`. */
  readonly sgn: Record<string, unknown> & { nev?: { net?: number; om?: unknown; rep: Representation } };
}

/** How a receiver answers: by a code, not at all because it is away, or when the promise is fulfilled. */
export type ReceiverBehaviour = number | 'away' | Promise<void>;

export interface Reply {
  readonly code: number;
  /** The JSON value of the content. */
  readonly content: Record<string, Record<string, unknown>>;
}

export interface NotificationLab {
  readonly clock: ManualClock;
  readonly cse: ReferenceCse;
  /** Receivers that do not simply answer 2000, by URL. */
  readonly receivers: Map<string, ReceiverBehaviour>;
  /** What was sent since the subscription. */
  readonly sent: SentNotification[];
  /** When something was sent or could not be: seconds since the beginning. */
  readonly attempts: number[];
  /** Request identifiers of the same. */
  readonly identifiers: (string | undefined)[];
  /** By `Cme`, a retrieve of the container `b/app/c` unless told otherwise. */
  ask(request: Partial<RequestPrimitive>): Promise<Reply>;
  make(to: string, content: object, from?: string): Promise<Reply>;
  /** `b/app/c/s`, for `http://x` unless told otherwise. */
  subscribe(attributes: object): Promise<Reply>;
  /** A new instance with this content. */
  instance(con: string): Promise<Reply>;
  /** An update of the container. */
  change(attributes: object): Promise<Reply>;
  /** What was sent, once nothing is under way. */
  arrived(): Promise<readonly SentNotification[]>;
  /** The contents of the instances that were notified. */
  contents(): Promise<unknown[]>;
}

/** AE `b/app` of `Cme`, which is reached at `http://me`, with the container `b/app/c`, and `Cx`, which is reached at `http://x`. */
export async function notificationLab(options: CseOptions = {}): Promise<NotificationLab> {
  const clock = manualClock(exampleMoment);
  const sent: SentNotification[] = [];
  const attempts: number[] = [];
  const identifiers: (string | undefined)[] = [];
  const receivers = new Map<string, ReceiverBehaviour>();
  const cse = sampleCse({
    ...{ dialect: 'onem2m', base: 'b', cseId: 'c', requireAuth: false, clock, ...options },
    messenger: {
      send(url, request) {
        identifiers.push(request.requestIdentifier);
        attempts.push(Math.round((clock.now() - exampleMoment) / 1_000_000));
        return receive(url, request, receivers, sent);
      },
    },
  });
  const ask = async (request: Partial<RequestPrimitive>) => {
    const defaults = { operation: 'retrieve', to: 'b/app/c', from: 'Cme', requestIdentifier: 'r' } as const;
    const answer = await cse.core.request({ ...defaults, ...request });
    return { code: answer.status.code, content: JSON.parse(JSON.stringify(answer.content ?? null)) };
  };
  const make = (to: string, content: object, from = 'Cme') => ask({ operation: 'create', to, content, from });
  const arrived = async () => {
    await cse.core.services.notifier.settled();
    return sent;
  };
  await make('b', { 'm2m:ae': { rn: 'app', api: 'N', rr: true, poa: ['http://me'] } });
  await make('b/app', { 'm2m:cnt': { rn: 'c' } });
  await make('b', { 'm2m:ae': { rn: 'x', api: 'N', rr: true, poa: ['http://x'] } }, 'Cx');
  return {
    ...{ clock, cse, receivers, sent, attempts, identifiers, ask, make, arrived },
    async subscribe(attributes) {
      const made = await make('b/app/c', { 'm2m:sub': { rn: 's', nu: ['http://x'], ...attributes } });
      sent.length = 0;
      attempts.length = 0;
      identifiers.length = 0;
      return made;
    },
    instance: (con) => make('b/app/c', { 'm2m:cin': { con } }),
    change: (attributes) => ask({ operation: 'update', content: { 'm2m:cnt': attributes } }),
    contents: async () => (await arrived()).map(({ sgn }) => sgn.nev?.rep['m2m:cin']?.con),
  };
}

async function receive(
  url: string,
  { content, eventCategory }: RequestPrimitive,
  receivers: ReadonlyMap<string, ReceiverBehaviour>,
  sent: SentNotification[],
) {
  const receiver = receivers.get(url) ?? 2000;
  if (receiver === 'away') throw new CseError('TARGET_NOT_REACHABLE', `${url} is away.`);
  const body = JSON.parse(JSON.stringify(content ?? {})) as Record<string, unknown>;
  sent.push({ url, category: eventCategory, body, sgn: (body['m2m:sgn'] ?? {}) as SentNotification['sgn'] });
  if (receiver instanceof Promise) await receiver;
  return { status: statusOf(typeof receiver === 'number' ? receiver : 2000, 200) };
}
