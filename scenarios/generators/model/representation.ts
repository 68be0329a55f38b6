/** What the tables of section "Resources and their fields" say about a representation, whichever resource of the kind it is. */
import { attribute, type Expected, expected, whenPresent } from './expected.ts';
import type { ModelKind } from './resource.ts';

/** How the ids of requirements begin that speak of a kind, its root key and its type number. */
export const kindFacts = {
  ae: { area: 'ae', root: 'm2m:ae', ty: 2 },
  container: { area: 'container', root: 'm2m:cnt', ty: 3 },
  'content instance': { area: 'content-instance', root: 'm2m:cin', ty: 4 },
} as const satisfies Readonly<Record<ModelKind, object>>;

const bodyIsObject = expected('wire.answer-is-json', { body: { is: 'object' } });

/** The shape of the body; attributes are looked at only within that shape. */
function shape(kind: ModelKind): Expected[] {
  const { area, root } = kindFacts[kind];
  const permitted = [
    { root, source: 'Wire conventions, payload root' },
    { body: { not: { is: 'object' as const } }, source: 'Judged as wire.answer-is-json' },
  ];
  return [bodyIsObject, expected(`wire.root.${area}`, { 'one of': permitted })];
}

/** "Attributes common to the three kinds". */
function common(kind: ModelKind): Expected[] {
  const { area, ty } = kindFacts[kind];
  const timestamp = { 'when present': { is: 'timestamp' as const } };
  return [
    attribute(`${area}.ri`, 'ri', { is: 'present' }),
    whenPresent(`${area}.ri.shape`, 'ri', { matching: '^[^0-9]+[0-9]+$' }),
    attribute(`${area}.ty`, 'ty', { is: 'integer' }),
    whenPresent(`${area}.type-number`, 'ty', { 'one of': [ty, String(ty)] }),
    attribute(`${area}.pi`, 'pi', { is: 'text' }),
    attribute(`${area}.ct`, 'ct', { is: 'present' }),
    attribute(`${area}.lt`, 'lt', { is: 'present' }),
    expected('wire.timestamp-shape', { attributes: { ct: timestamp, lt: timestamp, et: timestamp } }),
  ];
}

const own: Readonly<Record<ModelKind, readonly Expected[]>> = {
  ae: [
    attribute('ae.aei', 'aei', { is: 'text' }),
    attribute('ae.rr', 'rr', true),
    attribute('ae.nl', 'nl', { is: 'text' }),
  ],
  container: [
    attribute('container.cr', 'cr', { is: 'text' }),
    attribute('container.cni', 'cni', { is: 'integer' }),
    attribute('container.cbs', 'cbs', { is: 'integer' }),
    attribute('container.st', 'st', { is: 'text' }),
  ],
  'content instance': [
    attribute('content-instance.rn', 'rn', { is: 'text' }),
    attribute('content-instance.con', 'con', { is: 'present' }),
    attribute('content-instance.cs', 'cs', { is: 'integer' }),
    attribute('content-instance.st', 'st', { is: 'text' }),
    whenPresent('content-instance.st.zero', 'st', { 'one of': ['0', 0] }),
  ],
};

/** The shape of the body, and the attributes that every resource of the kind has. */
export const representationOf: Readonly<Record<ModelKind, readonly Expected[]>> = {
  ae: [...shape('ae'), ...common('ae'), ...own.ae],
  container: [...shape('container'), ...common('container'), ...own.container],
  'content instance': [...shape('content instance'), ...common('content instance'), ...own['content instance']],
};

/** Of a resource that was created without an expiration time. */
export function expirationOf(kind: ModelKind): Expected {
  return attribute(`${kindFacts[kind].area}.et`, 'et', { is: 'present' });
}

/** Answered as what it is, by another form of address: under any key but those of other kinds. */
export function notOfAnotherKind(requirement: string, kind: ModelKind): Expected {
  const others = ['m2m:cb', 'm2m:ae', 'm2m:cnt', 'm2m:cin'].filter((root) => root !== kindFacts[kind].root);
  return expected(requirement, {
    body: { is: 'object' },
    root: { 'all of': [{ is: 'text' }, { not: { 'one of': others } }] },
  });
}
