/** How what was created becomes part of the model. */
import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import type { ModelResource } from '../model/resource.ts';
import { type Came, type Ground, textIn } from './move.ts';

/** Milliseconds by which clocks and the times of a request may differ. */
export const tolerance = 60_000;

type Created = Pick<ModelResource, 'kind' | 'parent' | 'originator' | 'spRelative'> & {
  /** Undefined where the service made one up. */
  readonly name: string | undefined;
  readonly sent: Readonly<Record<string, unknown>>;
};

/** What the answer tells becomes part of the model. Undefined where that does not say what was created. */
export function take(created: Created, { view }: Came, ground: Ground): ModelResource | undefined {
  const { model } = ground;
  const { name, parent, sent, ...others } = created;
  const called = name ?? textIn(view, 'rn');
  if (called === undefined || called.includes('/') || model.at(parent, called) !== undefined) {
    lose(parent, undefined, ground);
    return undefined;
  }
  for (const label of Array.isArray(sent.lbl) ? sent.lbl : []) model.labels.add(String(label));
  const shown = { ri: textIn(view, 'ri'), ct: textIn(view, 'ct'), pi: textIn(view, 'pi'), aei: textIn(view, 'aei') };
  const resource = model.add({
    ...others,
    ...{ name: called, parent, sent: { ...sent }, shown },
    expires: expiryOf(created, view, model.passed),
  });
  resource.known = limitsAreKept(sent, view);
  return resource;
}

/** Nobody can tell what was created. */
export function lose(parent: ModelResource | undefined, name: string | undefined, { model }: Ground): void {
  if (name !== undefined) model.use(parent, name);
  if (parent !== undefined) parent.known = false;
}

/** A container that shows other limits than were wished for may hold less. */
function limitsAreKept(sent: Created['sent'], { attributes = {} }: Came['view']): boolean {
  return ['mni', 'mbs', 'mia'].every((name) => {
    const shown = attributes[name] ?? sent[name];
    return sent[name] === undefined || String(shown) === String(sent[name]);
  });
}

/** A content instance may go sooner by the largest age that its container allows. */
function expiryOf({ kind, parent }: Created, view: Came['view'], passed: number): number | undefined {
  const [from, to] = ['ct', 'et'].map((name) => parseTimestamp(textIn(view, name) ?? ''));
  const mia = kind === 'content instance' ? parent?.sent.mia : undefined;
  const lives = [
    ...(from === undefined || to === undefined ? [] : [Number((to - from) / 1000n)]),
    ...(mia === undefined ? [] : [Number(mia) * 1000]),
  ];
  return lives.length === 0 ? undefined : passed + Math.min(...lives) - tolerance;
}
