/** Deviations that are switched on and off while a CSE runs. */
import type { Cse } from '../core/cse.ts';
import { type Choice, chosen, withDeviations, withSendingDeviations } from '../deviations/applying.ts';
import { type Deviation, UnknownDeviationError } from '../deviations/deviation.ts';
import { deviations } from '../deviations/index.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';

/** Those that stand around a service or a sender: what a CSE presents and writes to sockets is settled when it starts. */
export const switchableDeviations = (): readonly Pick<Deviation, 'id' | 'says'>[] =>
  deviations()
    .filter(isSwitchable)
    .map(({ id, says }) => ({ id, says }));

interface Deviating<Sound> {
  readonly core: Cse;
  readonly made: Sound;
}

export class DeviationSwitch {
  #on: readonly Deviation[] = [];
  #service: Deviating<HttpService> | undefined;
  #sender: Deviating<Sender> | undefined;

  /** Ids of those that are switched on. */
  get ids(): readonly string[] {
    return this.#on.map(({ id }) => id);
  }

  /** Throws an UnknownDeviationError, and changes nothing, for an id that none has or one that is settled when a CSE starts. */
  add(choices: readonly Choice[]): void {
    this.#change([...this.#on, ...choices.map(switchable)]);
  }

  /** These and no others. Throws as `add` does. */
  set(choices: readonly Choice[]): void {
    this.#change(choices.map(switchable));
  }

  clear(): void {
    this.#change([]);
  }

  /** The service with what is switched on around it. One with a state begins anew when they or the CSE change. */
  around(sound: HttpService, core: () => Cse): HttpService {
    const service = (): HttpService => {
      if (this.#on.length === 0) return sound;
      const current = core();
      if (this.#service?.core !== current) {
        this.#service = { core: current, made: withDeviations(sound, current, this.#on) };
      }
      return this.#service.made;
    };
    return { handle: (request) => service().handle(request), refuse: (error) => service().refuse(error) };
  }

  /** The same around what takes its requests to others. */
  aroundSender(sound: Sender, core: () => Cse): Sender {
    return {
      send: (...message) => {
        if (this.#on.length === 0) return sound.send(...message);
        const current = core();
        if (this.#sender?.core !== current) {
          this.#sender = { core: current, made: withSendingDeviations(sound, current, this.#on) };
        }
        return this.#sender.made.send(...message);
      },
    };
  }

  /** Each once. */
  #change(on: readonly Deviation[]): void {
    this.#on = [...new Map(on.map((one) => [one.id, one])).values()];
    this.#service = undefined;
    this.#sender = undefined;
  }
}

function isSwitchable({ wrap, wrapSender }: Deviation): boolean {
  return wrap !== undefined || wrapSender !== undefined;
}

function switchable(choice: Choice): Deviation {
  const fault = chosen(choice);
  const { id } = fault;
  if (isSwitchable(fault)) return fault;
  const instead =
    fault.presents === undefined
      ? `start the CSE with deviations: ['${id}']`
      : `start the CSE with deviations: ['${id}'], or break its certificate: breakage.add('certificate is=${fault.presents}')`;
  throw new UnknownDeviationError(`${id} lies below HTTP and cannot be switched while the CSE runs; ${instead}.`);
}
