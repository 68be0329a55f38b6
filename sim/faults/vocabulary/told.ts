import type { Cse } from '../../core/cse.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../fault.ts';
import { type Attributes, isSuccess } from './asked.ts';
import { handling } from './blocks.ts';
import { withBody } from './changed-answers.ts';
import { toBeWritten } from './changed-requests.ts';
import { describedIn, eachResource, isObject, jsonIn } from './representations.ts';

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

/**
 * What was given with a create or an update is shown from then on, as `toldOf` says; it gives undefined for what the CSE
 * tells rightly.
 */
export function tellingAsGiven(toldOf: (given: Attributes, core: Cse) => Attributes | undefined): Wrap {
  return (service, core) => {
    const told = new Told();
    return handling(async (request) => {
      const answer = await service.handle(request);
      const given = toBeWritten(request)?.attributes;
      const attributes = given && isSuccess(answer) ? toldOf(given, core) : undefined;
      const id = attributes && describedIn(answer.body)?.attributes.ri;
      if (attributes !== undefined && id !== undefined) told.say(id, attributes);
      return told.in(answer);
    })(service, core);
  };
}
