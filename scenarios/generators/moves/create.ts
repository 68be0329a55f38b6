import { instancesOf, kindFacts } from '../model/resource.ts';
import { lookForNone, lose, takeCreated } from './looks.ts';
import { type Attributes, ask, type Move } from './move.ts';
import { placeOf, planOf } from './plan.ts';
import type { Creation, Ground, Place, Plan } from './wording.ts';

/** One or several, at one place. Where nothing can hold it yet, what can hold it is created before. */
export function* create(operation: Creation, ground: Ground): Move {
  const { kind, limit, times = 1 } = operation;
  if (kind !== 'ae' && ground.model.holdersOf(kind).length === 0)
    yield* create({ ...simplest, kind: kind === 'content instance' ? 'container' : 'ae', limit }, ground);
  const place = placeOf(operation, ground);
  for (let time = 0; time < times && place !== undefined; time += 1) yield* createAt(place, operation, ground);
}

const simplest = { below: 0, name: 0, form: 'structured', labels: [], content: 0, by: 'nobody' } as const;

function* createAt(place: Place, operation: Creation, ground: Ground): Move {
  const plan = planOf(operation, place, ground);
  if (plan === undefined) return;
  const { kind, parent, owner, form } = plan;
  const { model, words } = ground;
  const { expect, expectations, step = stepOf(plan), held = plan.sent } = words.creation(plan, ground);
  const name = 'raw' in step ? undefined : plan.name;
  const about = { by: owner, expect, kind, form: form === 'root' ? 'structured' : form };
  const came = yield ask(step, 'raw' in step ? 'create by base64 text' : 'create', expectations, about);
  if (name !== undefined) model.use(parent, name);
  if (came.outcome === 'lost') return lose(parent, ground);
  if (came.outcome === 'refused') return name === undefined ? undefined : yield* lookForNone(parent, name, ground);
  const before = parent === undefined ? [] : instancesOf(parent);
  const created = takeCreated({ kind, parent, name, owner, held: { ...held } }, came, ground);
  if (created !== undefined) yield* words.settle({ created, plan, came, before }, ground);
}

function stepOf({ kind, path, sent, rcn = null }: Plan) {
  return {
    ...{ create: kind, in: path, attributes: { ...sent } as Attributes },
    ...(kind === 'flex container' && { root: kindFacts[kind].root }),
    ...(rcn !== null && { query: { rcn } }),
  };
}
