/** Disturbs answers that are messages of their own, as over MQTT, WebSocket and CoAP, independently of HTTP. */
import type { MessageDetour, MessageWire } from '../bindings/detour.ts';
import type { ExchangeDisturbance } from './active-rule.ts';
import type { AnswerEffect, DisturbanceWaits } from './disturbed-answers.ts';

/** Milliseconds that an answer waits to be overtaken. */
const maxOvertaking = 100;

/** For one CSE. */
export class DisturbedMessages {
  readonly #waits: DisturbanceWaits;
  /** Answers that wait to be overtaken. */
  #overtaken: (() => void)[] = [];

  constructor(waits: DisturbanceWaits) {
    this.#waits = waits;
  }

  /** For requests that are never executed. */
  readonly silence: MessageDetour = { isServed: false, take: () => {} };

  /** For undisturbed answers, which can overtake. */
  readonly passThrough: MessageDetour = {
    isServed: true,
    take: (answer, wire) => void (answer && this.#pass(() => wire.write(answer))),
  };

  detourOf({ milliseconds, answerEffect, repeated, left, overtaken }: ExchangeDisturbance): MessageDetour {
    const write = (answer: Uint8Array, wire: MessageWire): void => {
      if (answerEffect?.effect === 'reset') wire.reset();
      if (answerEffect?.effect === 'drop') wire.end?.();
      const disturbed = answerEffect === undefined ? answer : disturbedBy(answerEffect, answer);
      if (disturbed === undefined) return;
      for (let times = repeated ? 2 : 1; times > 0; times -= 1) wire.write(disturbed, { retained: left });
    };
    return {
      isServed: answerEffect === undefined || !('lost' in answerEffect) || answerEffect.lost !== 'request',
      take: (answer, wire) => {
        if (answer === undefined && answerEffect?.effect !== 'reset' && answerEffect?.effect !== 'drop') return;
        const deliver = () => write(answer ?? new Uint8Array(0), wire);
        this.#waits.after(milliseconds, () => (overtaken ? this.#hold(deliver) : this.#pass(deliver)));
      },
    };
  }

  /** Delivers those that were overtaken. */
  releaseOvertaken(): void {
    for (const deliver of this.#overtaken.splice(0)) deliver();
  }

  #pass(deliver: () => void): void {
    deliver();
    this.releaseOvertaken();
  }

  #hold(deliver: () => void): void {
    this.#overtaken.push(deliver);
    this.#waits.after(maxOvertaking, () => {
      if (!this.#overtaken.includes(deliver)) return;
      this.#overtaken = this.#overtaken.filter((one) => one !== deliver);
      deliver();
    });
  }
}

/** Undefined where nothing is sent. Effects of HTTP only leave an answer unchanged. */
function disturbedBy(effect: AnswerEffect, answer: Uint8Array): Uint8Array | undefined {
  if (effect.effect === 'drop' || effect.effect === 'reset') return undefined;
  if (effect.effect === 'empty') return effect.answer === 'nothing' ? undefined : new Uint8Array(0);
  if (effect.effect !== 'truncate') return answer;
  const { bytes, keep = 0.5 } = effect;
  return answer.subarray(0, bytes ?? Math.floor(keep * answer.length));
}
