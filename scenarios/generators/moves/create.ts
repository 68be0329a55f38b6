import { color, type GeneratedResource, isLimited } from '../created/resource.ts';
import { checkInstances, expectAbsent, read, readUnaccepted, recordAssigned, recordCreated } from './looks.ts';
import { ask, type CreateAttributes, type Move } from './move.ts';
import type { Creation, MoveContext } from './move-context.ts';
import { type PlannedCreation, parentOf, planOf } from './plan.ts';

/** One or several, below one parent. Without a possible parent, one is created first. */
export function* create(operation: Creation, context: MoveContext): Move {
  const { kind, limit, times = 1 } = operation;
  if (kind !== 'ae' && context.created.parentsFor(kind).length === 0)
    yield* create({ ...simplest, kind: kind === 'content instance' ? 'container' : 'ae', limit }, context);
  const parent = parentOf(operation, context);
  for (let time = 0; time < times && parent !== null; time += 1) yield* createBelow(parent, operation, context);
}

const simplest = { below: 0, name: 0, form: 'structured', labels: [], content: 0, by: 'nobody' } as const;

function* createBelow(parent: GeneratedResource | undefined, operation: Creation, context: MoveContext): Move {
  const plan = planOf(operation, parent, context);
  if (plan === undefined) return;
  const { type, owner, form, rcn } = plan;
  const { step, attributes } = takesBase64(plan) ? byBase64(plan) : { step: stepOf(plan), attributes: plan.sent };
  const name = 'raw' in step ? undefined : plan.name;
  const does = 'raw' in step ? 'create by base64 text' : 'create';
  const response = yield ask(step, does, { by: owner, type, form: form === 'root' ? 'structured' : form });
  if (response.outcome !== 'success')
    return name === undefined ? undefined : yield* readUnaccepted(parent, name, context);
  const created = recordCreated({ type, parent, name, owner, attributes: { ...attributes } }, response, context);
  if (created === undefined) return;
  if ((rcn ?? 1) !== 1) recordAssigned(created, yield* read(created, context));
  if (parent !== undefined && type === 'content instance' && isLimited(parent)) yield* checkInstances(parent, context);
  yield* readLeftovers(created, context);
}

function stepOf({ type, path, sent, rcn = null }: PlannedCreation) {
  return {
    ...{ create: type, in: path, attributes: { ...sent } as CreateAttributes },
    ...(type === 'flex container' && { root: color.root }),
    ...(rcn !== null && { query: { rcn } }),
  };
}

/** A new resource at the path of a removed one: looks for the children of the old one below it. */
function* readLeftovers(resource: GeneratedResource, context: MoveContext): Move {
  const { created } = context;
  const name = created.leftBelow(resource).at(-1);
  if (name === undefined || created.at(resource, name) !== undefined) return;
  yield* read(resource, context);
  const left = { ...resource, name, path: `${resource.path}/${name}` };
  yield* expectAbsent(left, 'structured', context);
}

/** A small JSON document. */
const body = 'eyJhIjoxfQ==';

/** How its bytes count is not documented, so it is not sent where they are limited. */
function takesBase64({ type, parent, operation, form, owner }: PlannedCreation): boolean {
  const byPath = form === 'structured' || form === 'SP-relative';
  const isPossible = type === 'content instance' && owner === 'nobody' && byPath;
  return operation.base64 === true && isPossible && parent !== undefined && !isLimited(parent);
}

/** Base64 text of a whole JSON document as the body. */
function byBase64({ path }: PlannedCreation) {
  const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
  return { step: { raw: { method: 'POST', path, headers, body } }, attributes: {} };
}
