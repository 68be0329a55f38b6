/** What faults of the standard make of what is given: something else is taken, while what was given is shown. */
import type { Cse } from '../../core/cse.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../deviation.ts';
import { type Attributes, isSuccess } from './asked.ts';
import { handling } from './blocks.ts';
import { withBody } from './changed-answers.ts';
import { describing, toBeWritten } from './changed-requests.ts';
import { type Described, describedIn, eachResource, isObject, jsonIn } from './representations.ts';

/** What is taken in place of what a create or an update gives; undefined for just that. */
export type Taking = (given: Described, core: Cse, request: HttpRequest) => Attributes | undefined;

/** Other attributes are taken than those that were given, which are shown all the same. */
export function takingOtherwise(change: Taking): Wrap {
  return (service, core) => {
    const shown = new Map<unknown, Attributes>();
    return handling(async (request) => {
      const given = toBeWritten(request);
      const taken = given && change(given, core, request);
      const asTaken = taken ? describing(request, { root: given.root, attributes: taken }) : request;
      const answer = await service.handle(asTaken);
      if (given !== undefined && isSuccess(answer))
        remember(shown, answer, given.attributes, taken ?? given.attributes);
      return showing(shown, answer);
    })(service, core);
  };
}

function remember(shown: Map<unknown, Attributes>, answer: HttpResponse, given: Attributes, taken: Attributes): void {
  const id = describedIn(answer.body)?.attributes.ri;
  if (id === undefined) return;
  const before = Object.entries(shown.get(id) ?? {}).filter(([name]) => !(name in given));
  const names = new Set([...Object.keys(given), ...Object.keys(taken)]);
  const now = [...names].filter((name) => given[name] !== taken[name]).map((name) => [name, given[name]] as const);
  shown.set(id, Object.fromEntries([...before, ...now]));
}

function showing(shown: ReadonlyMap<unknown, Attributes>, answer: HttpResponse): HttpResponse {
  const value = shown.size === 0 || !isSuccess(answer) ? undefined : jsonIn(answer.body);
  if (!isObject(value)) return answer;
  return withBody(
    answer,
    eachResource(value, (one) => ({ ...one, ...shown.get(one.ri) })),
  );
}
