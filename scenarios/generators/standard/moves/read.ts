import { milliseconds } from '../../../engine/grammar/duration.ts';
import { addressOf, formRequirement, pathOf, type StandardForm } from '../../model/address.ts';
import { attribute, type Expected } from '../../model/expected.ts';
import { instancesOf, isDoubtful, kindFacts, type Resource } from '../../model/resource.ts';
import { isGone } from '../../moves/forget.ts';
import { ask, type Came, numberIn, textIn } from '../../moves/move.ts';
import { answered, understood } from '../model/answers.ts';
import { asHeld } from '../model/held.ts';
import type { StandardGround, StandardPart } from './move.ts';

/** A read by its path, of what the model holds. */
export function* read(
  resource: Resource,
  ground: StandardGround,
  operation = 'retrieve',
  more: readonly Expected[] = [],
): StandardPart<Came> {
  const { owner: by, kind } = resource;
  const expectations = [...more, ...readExpectations(resource, 'structured', ground)];
  const step = { retrieve: pathOf(resource, ground.model) };
  const came = yield ask(step, operation, expectations, { by, expect: 'success', kind });
  takeShown(resource, came);
  return came;
}

export function readExpectations(resource: Resource, form: StandardForm, { model }: StandardGround): Expected[] {
  const { area, root } = kindFacts[resource.kind];
  const named = attribute(formRequirement[form], 'rn', resource.name);
  const status = isDoubtful(resource) ? [] : [...inForm(form), ...answered(`std.${area}.retrieve`, 2000, { root })];
  return [...status, ...(form === 'structured' ? [] : [named]), ...asHeld(resource, model)];
}

/** That a form of address other than the usual one is understood. */
export function inForm(form: StandardForm): Expected[] {
  return form === 'structured' ? [] : [understood(formRequirement[form])];
}

/** Where it is, by the form that is asked for if that can be told. */
export function placeOf(
  resource: Resource,
  asked: StandardForm,
  { model }: StandardGround,
): { readonly path: string; readonly form: StandardForm } {
  const path = addressOf(resource, asked, model);
  return path === undefined ? { path: pathOf(resource, model), form: 'structured' } : { path, form: asked };
}

/** What the CSE has set is what holds from now on. */
export function takeShown(resource: Resource, { outcome, view }: Came): void {
  if (outcome !== 'success' || view.attributes === undefined) return;
  const { shown } = resource;
  shown.ri ??= textIn(view, 'ri');
  shown.ct ??= textIn(view, 'ct');
  shown.et = textIn(view, 'et') ?? shown.et;
  if (resource.kind === 'container') shown.st = numberIn(view, 'st') ?? shown.st;
}

/** Makes sure that what is gone is not answered any more. */
export function* lookForNothing(
  resource: Resource,
  requirement: string,
  { model }: StandardGround,
  address = pathOf(resource, model),
): StandardPart<void> {
  const { owner: by, kind, parent } = resource;
  const { outcome } = yield ask({ retrieve: address }, isGone, answered(requirement, 4004), { by, kind });
  if (outcome !== 'refused' && parent !== undefined) parent.known = false;
}

/** Milliseconds after its end in which a CSE may still hold what is too old: it may look for that from time to time only. */
const tolerance = 15_000;

/** Time passes, and what is older than `mia` of its container is gone. */
export function* letPass(time: string, ground: StandardGround): StandardPart<void> {
  const { model, events } = ground;
  model.passed += milliseconds(time);
  model.isBlind = true;
  for (const container of model.all('container')) {
    const { mia } = container.held;
    if (typeof mia !== 'number') continue;
    for (const one of instancesOf(container)) {
      const over = model.passed - one.born - mia * 1000;
      if (over < -1000) continue;
      events.lose();
      model.remove(one);
      if (over < tolerance) container.known = false;
      else yield* lookForNothing(one, 'std.retention.mia', ground);
    }
  }
}
