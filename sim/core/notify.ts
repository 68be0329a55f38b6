/** Events and what subscriptions make of them (TS-0001, clause 10.2.10). */
import type { RequestPrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { Services } from './services.ts';
import type { GivenAttributes } from './validate.ts';

export class Notifier {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** A resource was stored. `request` is undefined for what the CSE did by itself. */
  created(resource: Resource, request: RequestPrimitive | undefined): void {
    void [this.#services, resource, request];
  }

  /** Attributes of the resource changed; `changed` names them. */
  updated(resource: Resource, changed: readonly string[], request: RequestPrimitive | undefined): void {
    void [resource, changed, request];
  }

  /** The resource was removed: `itself`, or `with its parent`. */
  removed(resource: Resource, how: 'itself' | 'with its parent'): void {
    void [resource, how];
  }

  /** The resource was retrieved. */
  retrieved(resource: Resource, request: RequestPrimitive): void {
    void [resource, request];
  }

  /** Asks the blocking subscriptions (event type 7) of a resource that is to be updated; undefined when there is none. */
  askBeforeUpdate(resource: Resource, given: GivenAttributes, request: RequestPrimitive): Promise<void> | undefined {
    void [resource, given, request];
    return undefined;
  }

  /** Resolves when nothing waits to be sent. */
  async settled(): Promise<void> {}
}
