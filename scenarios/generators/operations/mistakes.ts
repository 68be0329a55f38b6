import { type DocumentedKind, kindFacts } from '../model/resource.ts';

/** How the reference CSE refuses a creation: the requirement, which is a gap, and the status. */
export interface Refused {
  readonly by: (kind: DocumentedKind) => string;
  readonly status: number;
  /** Attributes that are wrong. */
  readonly wrong?: Readonly<Record<string, unknown>>;
}

/** The one thing that is wrong with a creation; each is a gap of the specification, so that any answer is permitted. */
export const mistakes = {
  'name taken': { by: (kind) => `${kindFacts[kind].area}.create.name-clash`, status: 409 },
  'reserved name': {
    by: (kind) => (kind === 'container' ? 'container.create.reserved-names' : 'content-instance.create.reserved-name'),
    ...{ status: 409, wrong: { rn: 'latest' } },
  },
  'unknown attribute': {
    by: (kind) => `${kindFacts[kind].area}.create.unknown-attribute`,
    ...{ status: 400, wrong: { unknownAttribute: 1 } },
  },
  'attribute of another type': { by: () => 'labels.not-a-list', status: 400, wrong: { lbl: 'x' } },
  'attribute of the service': { by: () => 'ae.create.read-only', status: 400, wrong: { ri: 'x1' } },
  'without what is needed': {
    by: (kind) => (kind === 'ae' ? 'ae.create.without-api' : 'content-instance.create.without-con'),
    status: 400,
  },
  'below what cannot hold it': { by: (kind) => belowOthers[kind], status: 403 },
  'below what is not there': { by: () => 'container.create.unknown-parent', status: 404 },
  'two root keys': { by: () => 'body.two-roots', status: 400 },
} satisfies Readonly<Record<string, Refused>>;

const belowOthers = {
  ae: 'ae.create.below-ae',
  container: 'container.create.below-content-instance',
  'content instance': 'content-instance.create.below-ae',
} as const;

export type Mistake = keyof typeof mistakes;
