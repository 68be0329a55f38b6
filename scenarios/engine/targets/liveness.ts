import { neverArrived } from '../judging/answer.ts';
import { type AnyRequest, asRaw, type RequestMessage, type Target, type Way } from '../messages/target.ts';
import { bareRequest, defaultOriginator, freshIdentifier, type Speech } from '../messages/usual-headers.ts';
import type { Exchange, FailureKind } from '../results/exchange.ts';
import type { TargetDescription } from '../results/result.ts';
import type { DeathKind } from '../results/run-context.ts';
import { type PauseClock, realClock, withGrowingPauses } from './exchanging/clocks.ts';
import { recordedSent } from './exchanging/record.ts';

/** Whether a CSE answers at all, and if not, what it does instead. */
export type Sign = 'alive' | DeathKind;

/** Milliseconds without an answer after which a target counts as hanging. */
const hangTimeout = 3000;
/** Damage by an earlier request shows within `pause` milliseconds, and with several processes after so many `looks`. */
const caution = { pause: 100, looks: 2 };

export interface LivenessOptions {
  /** Sends each CSE of the target a request that it can surely answer. */
  readonly ask: () => Promise<Sign>;
  /** Milliseconds to wait for a dead target. */
  readonly waitFor: number;
  readonly clock?: PauseClock;
}

/** Finds out, after each missing answer, whether the target is dead, and waits until it is back. */
export class Liveness {
  readonly waitFor: number;
  readonly #ask: () => Promise<Sign>;
  readonly #clock: PauseClock;
  #looking: Promise<void> | undefined;
  /** Why no more requests are sent; `since` in milliseconds, by the clock of the run. */
  down: { readonly kind: DeathKind; readonly since: number } | undefined;
  #isCautious = false;

  constructor({ ask, waitFor, clock = realClock }: LivenessOptions) {
    this.#ask = ask;
    this.#clock = clock;
    this.waitFor = waitFor;
  }

  /** Wraps a target: unanswered requests cause a look, and a dead target gets no more requests. */
  watch(target: Target): Target {
    const send: Target['send'] = async (request, way) => {
      if (this.#isCautious) await this.#rest();
      if (this.down !== undefined) return unsent(request);
      const exchange = await target.send(request, this.#isCautious ? { ...way, alone: true } : way);
      if (isSuspicious(exchange)) await this.look();
      return exchange;
    };
    return { ...target, send };
  }

  /** During the work, each request has a connection of its own, and the target proves to be alive right before. */
  async cautiously<T>(work: () => Promise<T>): Promise<T> {
    this.#isCautious = true;
    return work().finally(() => {
      this.#isCautious = false;
    });
  }

  async #rest(): Promise<void> {
    await this.#clock.pause(caution.pause);
    for (let look = 0; look < caution.looks; look += 1) await this.look();
  }

  /** Milliseconds until the target answered again; undefined where it did not within the time. */
  async back(signal?: AbortSignal): Promise<number | undefined> {
    const began = this.#clock.now();
    const isBack = (sign: Sign) => sign === 'alive';
    const sign = await withGrowingPauses(this.#ask, isBack, { limit: this.waitFor, signal, clock: this.#clock });
    if (sign !== 'alive') return undefined;
    const since = this.down?.since ?? began;
    this.down = undefined;
    return this.#clock.now() - since;
  }

  /** Finds out whether it is dead. Concurrent failures share one look. */
  async look(): Promise<void> {
    if (this.down !== undefined) return;
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const since = this.#clock.now();
    const sign = await this.#ask();
    if (sign !== 'alive') this.down = { kind: sign, since };
  }
}

/** The exchange of a request to a dead target. */
function unsent(request: AnyRequest): Exchange {
  const failure = { kind: 'interrupted', message: 'the target was dead' } as const;
  return { request: recordedSent(request), failure, at: 0, took: 0, curl: '' };
}

const cut = new Set(['reset', 'closed', 'cut', 'timeout']);

/** Whether a request was lost or not answered, so that the target may be dead. */
export function isSuspicious(exchange: Exchange): boolean {
  return wasUnderWay(exchange) || neverArrived(exchange);
}

/** Whether a request was sent without getting an answer. */
export function isCutShort({ failure }: Exchange): boolean {
  return failure !== undefined && cut.has(failure.kind);
}

/** Whether a request was sent without an answer of the CSE: it was under way if the target died. */
export function wasUnderWay(exchange: Exchange): boolean {
  return isCutShort(exchange) || isUnavailable(exchange);
}

/** The answer of a proxy for an absent CSE; a CSE itself sends a response status code. */
export function isUnavailable({ answer }: Exchange): boolean {
  const { status = 0, headers = [] } = answer ?? {};
  return status >= 502 && status <= 504 && !headers.some(([name]) => name.toLowerCase() === 'x-m2m-rsc');
}

/** The originator and dialect of a request for a CSE base. */
export interface LivenessAsker extends Pick<Speech, 'dialect' | 'release'> {
  readonly originator?: string | undefined;
  readonly admin?: string | undefined;
}

/** Retrieves the CSE base; `why` is the prefix of the identifier. */
export function baseRequest(
  { base }: TargetDescription,
  { dialect, release, originator, admin }: LivenessAsker,
  why: string,
): RequestMessage {
  const from = originator ?? admin ?? (dialect === 'onem2m' ? defaultOriginator : undefined);
  const speech = { dialect, release, requestIdentifier: () => freshIdentifier(why) };
  return bareRequest('GET', `/${base}`, { originator: from, speech });
}

/** Retrieves the CSE base, on a new connection. Any answer is a sign of life. `timeout` is that of the run. */
export async function signOf(
  target: Target,
  speaker: LivenessAsker,
  { timeout, ...way }: Way & { readonly timeout: number },
): Promise<Sign> {
  const request = asRaw(baseRequest(target.description, speaker, 'cselab-alive'));
  if ((await target.objection(request, way)) !== undefined) return 'alive';
  const exchange = await target.send(request, { ...way, timeout: Math.min(timeout, hangTimeout) });
  if (isUnavailable(exchange)) return 'unavailable';
  return (exchange.failure && signs[exchange.failure.kind]) ?? 'alive';
}

const signs: Partial<Readonly<Record<FailureKind, Sign>>> = {
  ...{ refused: 'died', unreachable: 'died' },
  ...{ timeout: 'hangs', reset: 'closes', closed: 'closes' },
};
