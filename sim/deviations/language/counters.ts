/** Rows that have other resources than the one of an exchange shown otherwise: told other values, or counting wrongly. */
import type { HttpResponse } from '../../dialects/http-message.ts';
import { type Attributes, isObject, type Scope } from './scope.ts';
import { changedBy, type Term, valueFor } from './term.ts';
import { type Remembering, showingEach, Told, watching } from './watching.ts';

/** What is to be said of each resource whose identifier a key is or leads to. */
export type ById = Readonly<Record<string, Attributes>>;

/** From a meant exchange on, these resources are shown with other attributes. */
export const tellingOf: Remembering = (meant, those: ById) => (service, core) => {
  const told = new Told();
  return watching(({ scope, answer }, isMeant) => {
    if (isMeant) for (const [id, terms] of idsIn(those, scope)) told.say(id, changedBy(terms, {}, scope));
    return told.in(answer);
  }, meant)(service, core);
};

/** From a meant exchange on, numbers of these resources are shown with so much more. */
export const drifting: Remembering = (meant, those: ById) => (service, core) => {
  const drift = new Drift();
  return watching(({ scope, answer }, isMeant) => {
    if (isMeant) drift.by(those, scope);
    return drift.in(answer);
  }, meant)(service, core);
};

/** By how much numbers of resources are shown wrongly. */
export class Drift {
  readonly #byId = new Map<unknown, Attributes>();

  by(those: ById, scope: Scope): void {
    for (const [id, terms] of idsIn(those, scope)) {
      const until = this.#byId.get(id) ?? {};
      const more = Object.entries(terms).map(([name, term]) => [
        name,
        numberFor(term, scope) + Number(until[name] ?? 0),
      ]);
      this.#byId.set(id, { ...until, ...Object.fromEntries(more) });
    }
  }

  in(answer: HttpResponse): HttpResponse {
    const shown = (one: Attributes) => Object.entries(this.#byId.get(one.ri) ?? {}).reduce(added, one);
    return showingEach(answer, shown, this.#byId.size === 0);
  }
}

const numberFor = (term: Term, scope: Scope) => Number(valueFor(term, scope) ?? 0);

function added(one: Attributes, [name, by]: readonly [string, unknown]): Attributes {
  const was = one[name];
  return typeof was === 'number' ? { ...one, [name]: was + Number(by) } : one;
}

function idsIn(those: ById, scope: Scope): readonly (readonly [unknown, Attributes])[] {
  return Object.entries(those).flatMap(([term, said]) => {
    const id = valueFor(term, scope);
    return id === undefined || !isObject(said) ? [] : [[id, said] as const];
  });
}
