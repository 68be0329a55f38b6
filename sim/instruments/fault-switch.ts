/** Faults that are switched on and off while a CSE runs. */
import type { Cse } from '../core/cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { faultCalled, withFaults, withSendingFaults } from '../faults/applying.ts';
import { type Fault, UnknownFaultError } from '../faults/fault.ts';
import { faults } from '../faults/index.ts';

/** Those that stand around a service or a sender: what a CSE presents and writes to sockets is settled when it starts. */
export const switchableFaults: readonly Pick<Fault, 'id' | 'says'>[] = faults
  .filter(isSwitchable)
  .map(({ id, says }) => ({ id, says }));

interface Faulty<Sound> {
  readonly core: Cse;
  readonly made: Sound;
}

export class FaultSwitch {
  #ids: readonly string[] = [];
  #service: Faulty<HttpService> | undefined;
  #sender: Faulty<Sender> | undefined;

  /** Ids of those that are switched on. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** Throws an UnknownFaultError, and changes nothing, for an id that none has or one that is settled when a CSE starts. */
  add(ids: readonly string[]): void {
    this.set([...this.#ids, ...ids]);
  }

  /** These and no others. Throws as `add` does. */
  set(ids: readonly string[]): void {
    for (const id of ids) checkSwitchable(id);
    this.#change([...new Set(ids)]);
  }

  clear(): void {
    this.#change([]);
  }

  /** The service with what is switched on around it. A fault with a state begins anew when the faults or the CSE change. */
  around(sound: HttpService, core: () => Cse): HttpService {
    const service = (): HttpService => {
      if (this.#ids.length === 0) return sound;
      const current = core();
      if (this.#service?.core !== current) {
        this.#service = { core: current, made: withFaults(sound, current, this.#ids) };
      }
      return this.#service.made;
    };
    return { handle: (request) => service().handle(request), refuse: (error) => service().refuse(error) };
  }

  /** The same around what takes its requests to others. */
  aroundSender(sound: Sender, core: () => Cse): Sender {
    return {
      send: (...message) => {
        if (this.#ids.length === 0) return sound.send(...message);
        const current = core();
        if (this.#sender?.core !== current) {
          this.#sender = { core: current, made: withSendingFaults(sound, current, this.#ids) };
        }
        return this.#sender.made.send(...message);
      },
    };
  }

  #change(ids: readonly string[]): void {
    this.#ids = ids;
    this.#service = undefined;
    this.#sender = undefined;
  }
}

function isSwitchable({ wrap, wrapSender }: Fault): boolean {
  return wrap !== undefined || wrapSender !== undefined;
}

function checkSwitchable(id: string): void {
  const fault = faultCalled(id);
  if (isSwitchable(fault)) return;
  const instead =
    fault.presents === undefined
      ? `start the CSE with faults: ['${id}']`
      : `start the CSE with faults: ['${id}'], or break its certificate: breakage.add('certificate is=${fault.presents}')`;
  throw new UnknownFaultError(`${id} lies below HTTP and cannot be switched while the CSE runs; ${instead}.`);
}
