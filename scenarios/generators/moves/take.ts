/** How what was created becomes part of the model. */
import type { Model } from '../model/model.ts';
import type { ModelResource } from '../model/resource.ts';
import { lose } from './looks.ts';
import { type Came, type Ground, numberIn, textIn } from './move.ts';

type Created = Omit<Parameters<Model['add']>[0], 'name' | 'shown' | 'expires'> & {
  /** Undefined where the CSE made one up. */
  readonly name: string | undefined;
};

/** What was created becomes part of the model, as the answer shows it. Undefined where that does not say what was created. */
export function takeCreated({ name, ...created }: Created, came: Came, ground: Ground): ModelResource | undefined {
  const { model, events, words } = ground;
  const { parent } = created;
  const called = name ?? textIn(came.view, 'rn');
  if (called === undefined || called.includes('/') || model.at(parent, called) !== undefined) {
    lose(parent, ground);
    return undefined;
  }
  const life = words.lifeOf(created, came.view);
  const expires = life === undefined ? undefined : model.passed + life;
  const resource = model.add({ ...created, name: called, expires, shown: {} });
  takeShown(resource, came);
  events.created(resource);
  return resource;
}

/** What the CSE has set is what holds from now on. */
export function takeShown(resource: ModelResource, { outcome, view }: Came): void {
  if (outcome !== 'success' || view.attributes === undefined) return;
  const { shown } = resource;
  for (const name of ['ri', 'ct', 'aei'] as const) shown[name] ??= textIn(view, name);
  shown.et = textIn(view, 'et') ?? shown.et;
  if (resource.kind === 'container') shown.st = numberIn(view, 'st') ?? shown.st;
}
