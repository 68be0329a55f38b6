import { pathOf } from '../model/address.ts';
import { contentAt } from '../model/contents.ts';
import { expected } from '../model/expected.ts';
import { type DocumentedKind, kindFacts, type ModelResource } from '../model/resource.ts';
import { mistakes, type Refused } from '../operations/mistakes.ts';
import type { Doing } from '../operations/operation.ts';
import { type AttemptStep, type Attributes, ask, type Ground, type Move } from './move.ts';
import { nothingCreated } from './read.ts';

/**
 * A creation that is wrong in one way. What becomes of it is a gap, so that any answer is permitted; but where it is refused, and a
 * look shows that nothing was created, everything is held as before.
 */
export function* createWrongly(operation: Doing<'create wrongly'>, ground: Ground): Move {
  const { kind, mistake } = operation;
  const { model } = ground;
  const parent = parentFor(operation, ground);
  if (kind !== 'ae' && parent === undefined) return;
  const wrong = wrongly(operation, parent, ground);
  if (wrong === undefined) return;
  const { by, status } = mistakes[mistake];
  const refusal = expected(by(kind), { status });
  const { outcome } = yield ask(stepOf(operation, wrong), `create wrongly: ${mistake}`, [refusal], { kind });
  const { name } = wrong;
  const concerned = model.at(parent, name);
  if (mistake === 'name taken' && concerned !== undefined) {
    if (outcome === 'refused') return;
    model.remove(concerned);
  }
  if (mistake === 'below what is not there' && outcome === 'refused') return;
  // What is called `latest` could not be read by that name if it had been created.
  const readable = mistake === 'reserved name' ? undefined : name;
  if (outcome === 'refused') return yield* nothingCreated(parent, readable, ground);
  model.use(parent, name);
  if (parent !== undefined) parent.known = false;
}

/** What could hold the kind; what cannot, where that is the mistake. */
function parentFor({ kind, mistake, below }: Doing<'create wrongly'>, { model }: Ground): ModelResource | undefined {
  const holders = model.holdersOf(kind);
  const cannot = mistake === 'below what cannot hold it';
  const among = cannot ? model.all().filter((one) => !holders.includes(one)) : holders;
  return among[below % Math.max(among.length, 1)];
}

interface Wrong {
  readonly name: string;
  readonly path: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Undefined where there is nothing to make this mistake with. */
function wrongly(
  { kind, mistake, content }: Doing<'create wrongly'>,
  parent: ModelResource | undefined,
  { model }: Ground,
): Wrong | undefined {
  const isNeedless = mistake === 'without what is needed';
  if (isNeedless ? kind === 'container' : parent === undefined && nested.has(mistake)) return undefined;
  const siblings = parent === undefined ? model.all('ae') : parent.children;
  const taken = mistake === 'name taken' ? siblings.at(-1)?.name : model.freeName(parent, 0);
  if (taken === undefined) return undefined;
  const { wrong = {} }: Refused = mistakes[mistake];
  const attributes = { rn: taken, ...(!isNeedless && needed(kind, content)), ...wrong };
  const path = pathOf(parent, model) + (mistake === 'below what is not there' ? '/nowhere' : '');
  return { name: attributes.rn, path, attributes };
}

/** What cannot be wrong directly below the CSE base. */
const nested: ReadonlySet<string> = new Set(['reserved name', 'below what cannot hold it', 'below what is not there']);

/** What a creation has to give. */
export function needed(kind: DocumentedKind, content: number): Readonly<Record<string, unknown>> {
  if (kind === 'ae') return { api: 'org.example.a', rr: 'TRUE' };
  return kind === 'container' ? {} : contentAt(content);
}

function stepOf({ kind, mistake }: Doing<'create wrongly'>, { path, attributes, name }: Wrong): AttemptStep {
  if (mistake !== 'two root keys') return { create: kind, in: path, attributes: { ...attributes } as Attributes };
  const body = JSON.stringify({ [kindFacts[kind].root]: attributes, 'm2m:other': {} });
  const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
  return { raw: { method: 'POST', path, headers, body }, creates: `${path}/${name}` };
}
