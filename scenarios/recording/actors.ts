import type { Dialect } from '../engine/grammar/dialects.ts';
import { viewOfRequest } from '../engine/judging/answer.ts';
import { type Literals, written } from './literals.ts';
import type { Passed } from './proxy.ts';

/** Who sent what was recorded: each originator is an actor of the scenario. */
export class Actors {
  readonly #names = new Map<string, string>();
  readonly #registering = new Set<string>();
  readonly #admin: string | undefined;

  constructor(passed: readonly Passed[], dialect: Dialect, admin: string | undefined) {
    this.#admin = admin;
    for (const { request } of passed) {
      const { headers, root, attributes } = viewOfRequest(request);
      const originator = headers.get('x-m2m-origin');
      if (originator === undefined || originator === '' || originator === admin) continue;
      if (!this.#names.has(originator)) this.#names.set(originator, `app${this.#names.size + 1}`);
      const registers = request.method === 'POST' && root === 'm2m:ae' && attributes !== undefined;
      if (registers) this.#registering.add(originator);
    }
    if (dialect === 'onem2m' && this.#names.size === 0) this.#names.set('C', 'app1');
  }

  get any(): boolean {
    return this.#names.size > 0;
  }

  /** The name of the actor with this originator; undefined for nobody. */
  nameOf(originator: string | undefined): string | undefined {
    if (originator === undefined || originator === '') return undefined;
    return originator === this.#admin ? 'admin' : this.#names.get(originator);
  }

  /** Who registers in the recording gets an originator that nobody else has: the next run must not meet this one. */
  described(literals: Literals): Record<string, object> {
    const entries = [...this.#names].map(([originator, name]) => {
      const own = this.#registering.has(originator) && /^C[^/]*$/.test(originator);
      return [
        name,
        { registered: false, originator: own ? `C${written('name')}-${name}` : literals.replaced(originator) },
      ];
    });
    return Object.fromEntries(entries) as Record<string, object>;
  }

  /** What stands for an originator within a request. */
  literals(): Array<readonly [text: string, name: string]> {
    return [...this.#names].map(([originator, name]) => [originator, written(`${name}.originator`)]);
  }
}
