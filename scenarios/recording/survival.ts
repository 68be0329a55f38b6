import { deathSentence } from '../engine/judging/death-words.ts';
import { stranger } from '../engine/messages/usual-headers.ts';
import type { LostRequest } from '../engine/result.ts';
import { Deaths } from '../engine/running/deaths.ts';
import { Liveness, signOf } from '../engine/targets/liveness.ts';
import { now, type Target } from '../engine/targets/target.ts';
import { urlTarget } from '../engine/targets/url.ts';
import { type PreparedUrl, usualTargetWait } from '../engine/targets/url-choice.ts';

export interface SurvivalOptions {
  /** Milliseconds for each look whether it is alive. */
  readonly timeout: number;
  /** Hears as a sentence that the target died, or is back. */
  readonly tell: (sentence: string) => void;
}

/** Holds what an application sends while the target is dead. */
export class Survival {
  readonly #target: Target;
  readonly #liveness: Liveness;
  readonly #deaths: Deaths;
  readonly #over = new AbortController();
  #back: Promise<boolean> | undefined;

  constructor({ choice, description, trust, own }: PreparedUrl, { timeout, tell }: SurvivalOptions) {
    const startedAt = now();
    this.#target = urlTarget({ description, trust, connections: 1, keepAlive: false, timeout, startedAt });
    const { dialect = 'documented', release = '3', admin, originator = admin } = choice;
    const speech = { dialect, release, requestIdentifier: () => 'cselab-alive' };
    const sender = { originator: originator ?? (dialect === 'onem2m' ? stranger : undefined), speech };
    const way = own !== undefined && description.url.startsWith('https:') ? { certificate: own } : {};
    const ask = () => signOf(this.#target, { sender, way, timeout });
    this.#liveness = new Liveness({ ask, waitFor: choice.waitForTarget ?? usualTargetWait });
    this.#deaths = new Deaths({
      ...{ liveness: this.#liveness, startedAt, signal: this.#over.signal },
      tell: ({ type, death }) =>
        tell(type === 'target back' ? 'the target is back' : `${deathSentence([{ ...death, backAfter: 0 }])}; waiting`),
    });
  }

  /** Resolves when the target may be asked. */
  async ready(): Promise<void> {
    await this.#back;
  }

  /** After a request without an answer: whether the target was dead, and is back. */
  async survives({ method, path }: Pick<LostRequest, 'method' | 'path'>): Promise<boolean> {
    await this.#liveness.look();
    if (!this.#deaths.isDown) return false;
    this.#back ??= this.#wait({ method, path, scenario: 'recording', step: 0, curl: '' });
    return this.#back;
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#target.close();
  }

  async #wait(lost: LostRequest): Promise<boolean> {
    this.#deaths.record([lost]);
    return this.#deaths.comeBack().finally(() => {
      this.#back = undefined;
    });
  }
}

const neverSent = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|UND_ERR_CONNECT_TIMEOUT)$/;

/** Whether nothing of a request has come to the target, so that it may be sent again. */
export function neverCame(error: unknown): boolean {
  return error instanceof Error && 'code' in error && neverSent.test(String(error.code));
}
