/** Faults of a CSE that are switched on and off while it runs. */
import type { Cse } from '../core/cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import { faults, withFaults } from '../faults/index.ts';

/** Those that stand around the HTTP service: what a CSE sends, presents and writes to sockets is settled when it starts. */
export const switchable: readonly { readonly id: string; readonly says: string }[] = faults
  .filter(({ wrap }) => wrap !== undefined)
  .map(({ id, says }) => ({ id, says }));

const known = new Set(switchable.map(({ id }) => id));

export class SwitchedFaults {
  #ids: readonly string[] = [];
  #service: HttpService | undefined;
  #made: { readonly core: Cse; readonly faulty: HttpService } | undefined;

  /** Those that are switched on. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** Returns the first id that cannot be switched on, and changes nothing then. */
  set(ids: readonly string[]): string | undefined {
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) return unknown;
    this.#ids = [...new Set(ids)];
    this.#made = undefined;
    return undefined;
  }

  /** The service with what is switched on around it. A fault with a state begins anew when faults or the CSE change. */
  around(service: HttpService, core: () => Cse): HttpService {
    this.#service = service;
    return {
      handle: (request) => (this.#ids.length === 0 ? service : this.#faulty(core())).handle(request),
      refuse: (error) => service.refuse(error),
    };
  }

  #faulty(core: Cse): HttpService {
    if (this.#service === undefined) throw new TypeError('there is no service yet');
    if (this.#made?.core !== core) this.#made = { core, faulty: withFaults(this.#service, core, this.#ids) };
    return this.#made.faulty;
  }
}
