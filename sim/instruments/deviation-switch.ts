/** Switches deviations on and off while a CSE runs. */
import type { Cse } from '../core/operations/cse.ts';
import { chosen, type DeviationChoice, withDeviations, withSendingDeviations } from '../deviations/applying.ts';
import { UnknownDeviationError, type WrittenDeviation } from '../deviations/vocabulary/deviation.ts';
import { forwardingTo, type HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';

/** Written deviations must have been loaded. */
export class DeviationSwitch {
  #on: readonly WrittenDeviation[] = [];

  /** Ids of the active ones. */
  get ids(): readonly string[] {
    return this.#on.map(({ id }) => id);
  }

  /** Throws an UnknownDeviationError, and changes nothing, for an unknown id or one that only applies at the start of a CSE. */
  add(choices: readonly DeviationChoice[]): void {
    this.#change([...this.#on, ...choices.map(switchable)]);
  }

  /** Replaces the active ones. Throws as `add` does. */
  set(choices: readonly DeviationChoice[]): void {
    this.#change(choices.map(switchable));
  }

  clear(): void {
    this.#change([]);
  }

  /** The service wrapped in the active ones. State of a deviation restarts when they or the CSE change. */
  wrapService(sound: HttpService, core: () => Cse): HttpService {
    return forwardingTo(this.#remade(sound, core, withDeviations));
  }

  /** The same for the sender. */
  wrapSender(sound: Sender, core: () => Cse): Sender {
    const sender = this.#remade(sound, core, withSendingDeviations);
    return {
      send(...message) {
        return sender().send(...message);
      },
    };
  }

  #remade<Sound>(
    sound: Sound,
    core: () => Cse,
    make: (sound: Sound, core: Cse, on: readonly WrittenDeviation[]) => Sound,
  ): () => Sound {
    let last: { readonly core: Cse; readonly on: readonly WrittenDeviation[]; readonly made: Sound } | undefined;
    return () => {
      const on = this.#on;
      if (on.length === 0) return sound;
      const current = core();
      if (last?.core !== current || last.on !== on) last = { core: current, on, made: make(sound, current, on) };
      return last.made;
    };
  }

  /** Removes duplicates. */
  #change(on: readonly WrittenDeviation[]): void {
    this.#on = [...new Map(on.map((one) => [one.id, one])).values()];
  }
}

/** Whether it wraps a service or a sender: certificates and writing to sockets are fixed at the start. */
export function isSwitchable({ wrap, wrapSender }: WrittenDeviation): boolean {
  return wrap !== undefined || wrapSender !== undefined;
}

function switchable(choice: DeviationChoice): WrittenDeviation {
  const deviation = chosen(choice);
  const { id } = deviation;
  if (isSwitchable(deviation)) return deviation;
  const instead =
    deviation.presents === undefined
      ? `start the CSE with deviations: ['${id}']`
      : `start the CSE with deviations: ['${id}'], or break its certificate: disturbances.add('certificate is=${deviation.presents}')`;
  throw new UnknownDeviationError(`${id} is below HTTP and cannot be switched while the CSE runs; ${instead}.`);
}
