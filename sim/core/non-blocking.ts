/** Requests whose answer comes later (TS-0001, clause 8.2.1). */
import type { Answer, RequestPrimitive } from './primitive.ts';
import type { Services } from './services.ts';

export class NonBlocking {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Takes a request with `rt` 1, 2, 4 or 5, or one that is to be done later; undefined for one to be answered as it is. */
  accept(request: RequestPrimitive): Answer | undefined {
    void [this.#services, request];
    return undefined;
  }
}
