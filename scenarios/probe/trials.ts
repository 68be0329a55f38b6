/** What a probe that may write creates to see whether it is accepted: one of each kind, no larger than it has to be. */
import { factsOf, type Kind } from '../engine/grammar/kinds.ts';
import type { FeatureId } from '../statement/features.ts';

/** Where and as whom a trial creates. */
export interface Ground {
  /** Path of the application entity, with a slash before it. */
  readonly app: string;
  /** The originator that created it. */
  readonly originator: string | undefined;
  /** Of the application entity, as the target assigned it. */
  readonly identifier: string;
}

export interface Trial {
  readonly feature: FeatureId;
  readonly kind: Kind;
  /** Name of its parent below the application entity; absent: that itself. */
  readonly below?: string;
  /** Whether it refers to the container without standing below it. */
  readonly refersToContainer?: true;
  /** Where the definition decides. */
  readonly root?: string;
  readonly attributes: (ground: Ground) => Readonly<Record<string, unknown>>;
}

/** The container that the other trials refer to. */
export const containerName = 'values';

/** In the order in which they are created. Nothing here makes the target send anything. */
export const trials: readonly Trial[] = [
  {
    feature: 'PICS_CNT',
    kind: 'container',
    attributes: ({ app }) => ({ rn: containerName, mni: 1, lbl: [labelOf(app)] }),
  },
  { feature: 'PICS_CIN', kind: 'content instance', below: containerName, attributes: () => instance('21') },
  { feature: 'PICS_CIN', kind: 'content instance', below: containerName, attributes: () => instance('22') },
  {
    feature: 'PICS_SUB',
    kind: 'subscription',
    below: containerName,
    attributes: ({ identifier }) => ({ rn: 'watch', nu: [identifier], enc: { net: [3] } }),
  },
  {
    feature: 'PICS_GRP',
    kind: 'group',
    refersToContainer: true,
    attributes: ({ app }) => ({ rn: 'group', mnm: 2, mid: [`${app.slice(1)}/${containerName}`] }),
  },
  {
    feature: 'PICS_ACP_SUPPORT',
    kind: 'access control policy',
    attributes: ({ originator, identifier }) => {
      const rules = { acr: [{ acor: [originator ?? identifier], acop: 63 }] };
      return { rn: 'policy', pv: rules, pvs: rules };
    },
  },
  {
    feature: 'PICS_FCNT',
    kind: 'flex container',
    root: 'cod:color',
    attributes: () => ({ rn: 'lamp', cnd: 'org.onem2m.common.moduleclass.colour', red: 10, green: 20, blue: 30 }),
  },
  { feature: 'PICS_TS', kind: 'time series', attributes: () => ({ rn: 'series' }) },
  { feature: 'PICS_PCH', kind: 'polling channel', attributes: () => ({ rn: 'channel' }) },
];

/** By which discovery finds the container. */
export function labelOf(app: string): string {
  return app.split('/').at(-1) ?? app;
}

export function contentOf({ kind, root }: Trial, attributes: Readonly<Record<string, unknown>>) {
  const facts = factsOf(kind);
  return { ty: facts.ty, body: { [root ?? facts.root ?? '']: attributes } };
}

function instance(con: string) {
  return { con, cnf: 'text/plain:0' };
}
