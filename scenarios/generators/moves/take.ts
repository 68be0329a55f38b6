/** How what was created becomes part of the model. */
import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import type { ModelResource } from '../model/resource.ts';
import { type Came, type Ground, textIn } from './move.ts';

/** Milliseconds by which clocks and the times of a request may differ. */
export const tolerance = 60_000;

type Created = Pick<ModelResource, 'kind' | 'parent' | 'owner' | 'spRelative'> & {
  /** Undefined where the service made one up. */
  readonly name: string | undefined;
  readonly held: Readonly<Record<string, unknown>>;
};

/** What the answer tells becomes part of the model. Undefined where that does not say what was created. */
export function take(created: Created, { view }: Came, ground: Ground): ModelResource | undefined {
  const { model } = ground;
  const { kind, name, parent, held, owner, spRelative = false } = created;
  const called = name ?? textIn(view, 'rn');
  if (called === undefined || called.includes('/') || model.at(parent, called) !== undefined) {
    lose(parent, undefined, ground);
    return undefined;
  }
  for (const label of Array.isArray(held.lbl) ? held.lbl : []) model.labels.add(String(label));
  return model.add({
    ...{ kind, name: called, parent, owner, spRelative, held: { ...held } },
    shown: { ri: textIn(view, 'ri'), ct: textIn(view, 'ct'), aei: textIn(view, 'aei') },
    expires: expiryOf(created, view, model.passed),
    known: limitsAreKept(held, view),
  });
}

/** Nobody can tell what was created. */
export function lose(parent: ModelResource | undefined, name: string | undefined, { model }: Ground): void {
  if (name !== undefined) model.use(parent, name);
  if (parent !== undefined) parent.known = false;
}

/** A container that shows other limits than were wished for may hold less. */
function limitsAreKept(held: Created['held'], { attributes = {} }: Came['view']): boolean {
  return ['mni', 'mbs', 'mia'].every((name) => {
    const shown = attributes[name] ?? held[name];
    return held[name] === undefined || String(shown) === String(held[name]);
  });
}

/** A content instance may go sooner by the largest age that its container allows. */
function expiryOf({ kind, parent }: Created, view: Came['view'], passed: number): number | undefined {
  const [from, to] = ['ct', 'et'].map((name) => parseTimestamp(textIn(view, name) ?? ''));
  const mia = kind === 'content instance' ? parent?.held.mia : undefined;
  const lives = [
    ...(from === undefined || to === undefined ? [] : [Number((to - from) / 1000n)]),
    ...(mia === undefined ? [] : [Number(mia) * 1000]),
  ];
  return lives.length === 0 ? undefined : passed + Math.min(...lives) - tolerance;
}
