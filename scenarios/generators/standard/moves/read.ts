import { milliseconds } from '../../../engine/grammar/duration.ts';
import { attribute, type Expected } from '../../model/expected.ts';
import { isDoubtful } from '../../model/tree.ts';
import { type Came, numberIn, textIn } from '../../moves/move.ts';
import { formRequirement, pathOf, type StandardForm } from '../model/address.ts';
import { answered, understood } from '../model/answers.ts';
import { asHeld } from '../model/held.ts';
import { kindFacts } from '../model/kinds.ts';
import { instancesOf, type StandardResource } from '../model/resource.ts';
import type { StandardGround, StandardPart } from './move.ts';

/** A read by its path, of what the model holds. */
export function* read(
  resource: StandardResource,
  ground: StandardGround,
  operation = 'retrieve',
  more: readonly Expected[] = [],
): StandardPart<Came> {
  const { model } = ground;
  const came = yield {
    step: { retrieve: pathOf(resource, model) },
    by: resource.owner,
    expect: 'success',
    expectations: [...more, ...readExpectations(resource, 'structured', ground)],
    about: { operation, kind: resource.kind, form: 'structured' },
  };
  takeShown(resource, came);
  return came;
}

export function readExpectations(
  resource: StandardResource,
  form: StandardForm,
  { model }: StandardGround,
): Expected[] {
  const { area, root } = kindFacts[resource.kind];
  const doubtful = isDoubtful(resource);
  const found = form === 'structured' ? [] : [understood(formRequirement[form])];
  const led = form === 'structured' ? [] : [attribute(formRequirement[form], 'rn', resource.name)];
  const status = doubtful ? [] : [...found, ...answered(`std.${area}.retrieve`, 2000, { root })];
  return [...status, ...led, ...asHeld(resource, model)];
}

/** What the CSE has set is what holds from now on. */
export function takeShown(resource: StandardResource, { outcome, view }: Came): void {
  if (outcome !== 'success' || view.attributes === undefined) return;
  const { shown } = resource;
  shown.ri ??= textIn(view, 'ri');
  shown.ct ??= textIn(view, 'ct');
  shown.et = textIn(view, 'et') ?? shown.et;
  if (resource.kind === 'container') shown.st = numberIn(view, 'st') ?? shown.st;
}

/** Whether something is still there. A look, at which nothing is judged. */
export function* isThere(resource: StandardResource, { model }: StandardGround): StandardPart<Came['outcome']> {
  const { outcome, view } = yield {
    step: { retrieve: pathOf(resource, model) },
    by: resource.owner,
    expect: 'either',
    expectations: [],
    about: { operation: 'look whether it is there', kind: resource.kind, form: 'structured' },
  };
  return outcome === 'refused' && view.rsc !== 4004 ? 'lost' : outcome;
}

/** Finds out which content instances a container holds, where that is left to the CSE. */
export function* lookWhoIsThere(container: StandardResource, ground: StandardGround): StandardPart<void> {
  for (const child of instancesOf(container)) {
    const outcome = yield* isThere(child, ground);
    if (outcome === 'lost') container.known = false;
    if (outcome === 'refused') ground.model.remove(child);
  }
  container.counted = 'made room';
}

/** Makes sure that what is gone is not answered any more. */
export function* lookForNothing(
  resource: StandardResource,
  requirement: string,
  { model }: StandardGround,
  address = pathOf(resource, model),
): StandardPart<void> {
  const { outcome } = yield {
    step: { retrieve: address },
    by: resource.owner,
    expect: 'either',
    expectations: answered(requirement, 4004),
    about: { operation: 'look whether it is gone', kind: resource.kind, form: 'structured' },
  };
  if (outcome !== 'refused' && resource.parent !== undefined) resource.parent.known = false;
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
