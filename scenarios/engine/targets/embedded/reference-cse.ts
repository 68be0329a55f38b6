/** Common set-up of the reference CSE in all installations. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReferenceCse } from '../../../../sim/cse/create-cse.ts';
import type { DrawnDeviation } from '../../../../sim/deviations/drawn/drawn-deviation.ts';
import { rowOf, type World } from '../../../../sim/deviations/drawn/operators.ts';
import type { Variation } from '../../../../sim/deviations/drawn/variation.ts';
import type { HttpService } from '../../../../sim/dialects/http-message.ts';
import type { ManualClock } from '../../../../sim/environment/clock.ts';
import type { Dialect } from '../../grammar/dialects.ts';
import type { Need } from '../../grammar/vocabulary.ts';
import type { RequestLimits } from '../../messages/target.ts';
import type { TargetDescription } from '../../results/result.ts';
import { virtualClock } from '../exchanging/clocks.ts';
import type { Inboxes } from '../inboxes.ts';
import type { Installation } from '../installation.ts';
import { defaults } from '../url-choice.ts';

/** Configuration of the reference CSE for a dialect, and the needs that it thereby meets. */
export const dialectSettings = {
  documented: { cse: {}, has: [] },
  onem2m: {
    cse: { dialect: 'onem2m', base: 'cse-in', requireAuth: true, admin: 'CAdmin' },
    has: ['access control', 'admin'],
  },
} as const satisfies Readonly<Record<Dialect, { readonly cse: object; readonly has: readonly Need[] }>>;

/** The release in requests; the reference CSE supports older and later ones, too. */
const release = '3';

export function speechOf(dialect: Dialect): Pick<Installation, 'dialect' | 'release' | 'admin'> {
  return { dialect, release, ...(dialect === 'onem2m' && { admin: dialectSettings.onem2m.cse.admin }) };
}

/** The parts of an installation beside its CSEs, with its dialect. A clock is virtual. */
export function commonParts(
  members: readonly ReferenceCse[],
  { dialect, inboxes, clock }: { dialect: Dialect; inboxes?: Inboxes | undefined; clock?: ManualClock | undefined },
) {
  const settled = settledIn(members);
  return {
    ...speechOf(dialect),
    settled,
    ...(inboxes && { inboxes, reachesInboxes: true }),
    // Notifications under way arrive before time advances.
    ...(clock && { clock: virtualClock((duration) => settled().then(() => clock.advance(duration))) }),
  };
}

/** Whether it is one of the simulator's, by its id. */
export const isWritten = (deviation: string | DrawnDeviation): deviation is string => typeof deviation === 'string';

export function deviationSettings({ deviations, variations }: Pick<EmbeddedChoice, 'deviations' | 'variations'>) {
  return {
    ...(deviations && { deviations: deviations.map((one) => (isWritten(one) ? one : rowOf(one))) }),
    ...(variations && { variations }),
  };
}

/** Gives requests an address, as over a network. */
export function onThisMachine(service: HttpService): HttpService {
  return {
    handle: (request) => service.handle({ ...request, address: '127.0.0.1' }),
    refuse: (error) => service.refuse(error),
  };
}

/** Names and description of a single CSE in this process. */
export function nameInProcess(dialect: Dialect) {
  const names = { ...defaults, ...dialectSettings[dialect].cse };
  const { base, cseId, spId } = names;
  const description: TargetDescription = { kind: 'in-process', url: 'http://in-process', base, cseId, spId };
  return { names, description };
}

/** One notification can cause another, through a group or another CSE, a turn of the event loop later. */
const turnsOfRest = 10;

/** Resolves when none of them has a notification under way, nor begins one. */
export function settledIn(members: readonly ReferenceCse[]): () => Promise<void> {
  return async () => {
    for (let turn = 0; turn < turnsOfRest; turn += 1) {
      await Promise.all(members.map(({ core }) => core.services.notifier.settled()));
      await nextTurn();
    }
  };
}

/** The project's own reference CSE as a target. */
export interface EmbeddedChoice {
  /** `in-process` leaves out the socket. */
  readonly kind: 'embedded' | 'in-process';
  /** Deviations of the gateway: ids of the simulator, or drawn ones as data. */
  readonly deviations?: readonly (string | DrawnDeviation)[];
  /** Legitimate variations of the gateway's answers. */
  readonly variations?: readonly Variation[];
  /** Only behind a TLS listener that demands a client certificate, or only as a pair; in every installation when absent. */
  readonly world?: World;
  /** For very many runs: no wire unless a scenario checks it, and no waiting for what cannot come. */
  readonly hasty?: boolean;
}

export interface EmbeddedOptions extends EmbeddedChoice, RequestLimits {
  readonly dialect: Dialect;
}
