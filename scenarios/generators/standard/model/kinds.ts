/** The kinds of resources that sequences of the onem2m dialect create, and what the standard's tables say of them. */

/** `area`: how the ids of requirements begin that speak of the kind. */
interface KindFacts {
  readonly area: string;
  readonly root: string;
  /** resourceType, TS-0004 6.3.4.2.1. */
  readonly ty: number;
  /** What it may stand below, among these kinds (TS-0001 9.6, tables of child resources); undefined: directly below the CSE base. */
  readonly holders: readonly string[] | undefined;
}

export const standardKinds = [
  'ae',
  'container',
  'content instance',
  'subscription',
  'group',
  'access control policy',
  'flex container',
] as const;
export type StandardKind = (typeof standardKinds)[number];

export const kindFacts: Readonly<Record<StandardKind, KindFacts>> = {
  ae: { area: 'ae', root: 'm2m:ae', ty: 2, holders: undefined },
  container: { area: 'container', root: 'm2m:cnt', ty: 3, holders: ['ae', 'container'] },
  'content instance': { area: 'content-instance', root: 'm2m:cin', ty: 4, holders: ['container'] },
  subscription: { area: 'subscription', root: 'm2m:sub', ty: 23, holders: ['ae', 'container', 'group'] },
  group: { area: 'group', root: 'm2m:grp', ty: 9, holders: ['ae'] },
  'access control policy': { area: 'policy', root: 'm2m:acp', ty: 1, holders: ['ae'] },
  'flex container': { area: 'flex-container', root: 'cod:color', ty: 28, holders: ['ae', 'container'] },
};

/** The definition of flexible containers that sequences create: a colour. */
export const colorDefinition = 'org.onem2m.common.moduleclass.colour';
