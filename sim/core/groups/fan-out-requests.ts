/** Fan-outs by their group request identifiers: each reaches a resource once, which also ends groups in a circle (TS-0004, clause 7.3.3.2). */
import type { Address } from '../address.ts';
import type { Ports } from '../configuration.ts';
import { CseError } from '../status.ts';

/** How long an identifier that came from another CSE is remembered. */
const rememberedMilliseconds = 60_000;

export class GroupRequests {
  readonly #ports: Ports;
  /** What each has reached. */
  readonly #reached = new Map<string, Set<string>>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** A new identifier for a fan-out that starts at this address; `end` forgets it. */
  begin(address: Pick<Address, 'resource' | 'handler'>): string {
    const identifier = this.#ports.randomText(16);
    this.#reached.set(identifier, new Set([keyOf(address)]));
    return identifier;
  }

  end(identifier: string): void {
    this.#reached.delete(identifier);
  }

  /** Throws GROUP_REQUEST_IDENTIFIER_EXISTS when the fan-out has been here before. */
  admit(identifier: string, address: Pick<Address, 'resource' | 'handler'>): void {
    let reached = this.#reached.get(identifier);
    if (reached === undefined) {
      reached = new Set();
      this.#reached.set(identifier, reached);
      this.#ports.clock.schedule(rememberedMilliseconds, () => this.end(identifier));
    }
    const key = keyOf(address);
    if (reached.has(key)) {
      throw new CseError(
        'GROUP_REQUEST_IDENTIFIER_EXISTS',
        'This fan-out of a group has reached the resource already.',
      );
    }
    reached.add(key);
  }
}

function keyOf({ resource, handler }: Pick<Address, 'resource' | 'handler'>): string {
  return handler === undefined ? resource.id : `${resource.id}/fopt/${handler.rest}`;
}
