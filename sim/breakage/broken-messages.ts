/** What becomes of answers that are messages of their own, as over MQTT, WebSocket and CoAP, where rules disturb them: nothing of HTTP is in them. */
import type { MessageDetour, MessageWire } from '../bindings/detour.ts';
import type { BreakageWaits } from './broken-answers.ts';
import type { Disturbance } from './standing-rule.ts';

/** Milliseconds for which an answer waits to be overtaken. */
const longestOvertaking = 100;

/** Of one CSE. */
export class BrokenMessages {
  readonly #waits: BreakageWaits;
  /** Answers that wait to be overtaken. */
  #overtaken: (() => void)[] = [];

  constructor(waits: BreakageWaits) {
    this.#waits = waits;
  }

  /** Takes what has been asked for and is never carried out. */
  readonly silence: MessageDetour = { isServed: false, take: () => {} };

  /** Of which nothing is disturbed, so that it can overtake. */
  readonly straight: MessageDetour = {
    isServed: true,
    take: (answer, wire) => void (answer && this.#pass(() => wire.write(answer))),
  };

  detourOf({ milliseconds, breaking, repeated, left, overtaken }: Disturbance): MessageDetour {
    const write = (answer: Uint8Array, wire: MessageWire): void => {
      if (breaking?.effect === 'reset') wire.reset();
      if (breaking?.effect === 'drop') wire.end?.();
      const shown = breaking === undefined ? answer : brokenBy(breaking, answer);
      if (shown === undefined) return;
      for (let times = repeated ? 2 : 1; times > 0; times -= 1) wire.write(shown, { left });
    };
    return {
      isServed: breaking === undefined || !('lost' in breaking) || breaking.lost !== 'request',
      take: (answer, wire) => {
        if (answer === undefined && breaking?.effect !== 'reset' && breaking?.effect !== 'drop') return;
        const deliver = () => write(answer ?? new Uint8Array(0), wire);
        this.#waits.after(milliseconds, () => (overtaken ? this.#hold(deliver) : this.#pass(deliver)));
      },
    };
  }

  /** Those that wait have been overtaken. */
  passed(): void {
    for (const deliver of this.#overtaken.splice(0)) deliver();
  }

  #pass(deliver: () => void): void {
    deliver();
    this.passed();
  }

  #hold(deliver: () => void): void {
    this.#overtaken.push(deliver);
    this.#waits.after(longestOvertaking, () => {
      if (!this.#overtaken.includes(deliver)) return;
      this.#overtaken = this.#overtaken.filter((one) => one !== deliver);
      deliver();
    });
  }
}

/** Undefined where nothing comes. What only HTTP has leaves an answer as it is. */
function brokenBy(breaking: NonNullable<Disturbance['breaking']>, answer: Uint8Array): Uint8Array | undefined {
  if (breaking.effect === 'drop' || breaking.effect === 'reset') return undefined;
  if (breaking.effect === 'empty') return breaking.answer === 'nothing' ? undefined : new Uint8Array(0);
  if (breaking.effect !== 'truncate') return answer;
  const { bytes, keep = 0.5 } = breaking;
  return answer.subarray(0, bytes ?? Math.floor(keep * answer.length));
}
