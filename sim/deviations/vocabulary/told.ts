import type { HttpResponse } from '../../dialects/http-message.ts';
import { type Attributes, isSuccess } from './asked.ts';
import { withBody } from './changed-answers.ts';
import { eachResource, isObject, jsonIn } from './representations.ts';

/** What answers say of single resources in place of what the CSE itself says. */
export class Told {
  readonly #byId = new Map<unknown, Attributes>();

  say(id: unknown, attributes: Attributes): void {
    this.#byId.set(id, { ...this.#byId.get(id), ...attributes });
  }

  in(answer: HttpResponse): HttpResponse {
    const value = this.#byId.size === 0 || !isSuccess(answer) ? undefined : jsonIn(answer.body);
    if (!isObject(value)) return answer;
    return withBody(
      answer,
      eachResource(value, (one) => ({ ...one, ...this.#byId.get(one.ri) })),
    );
  }
}
