import type { Resource } from '../core/resource.ts';
import type { HookContext, ResourceTypeTable } from '../core/resource-type.ts';
import type { Services } from '../core/services.ts';
import { free, needed, ofCse } from './attribute-forms.ts';
import { announceable, common, controlled } from './common.ts';

/** Node (TS-0001, clause 9.6.18): a device and what runs on it. */
export const node: ResourceTypeTable = {
  ty: 14,
  root: 'm2m:nod',
  prefix: 'nod',
  longName: 'node',
  children: [13, 23, 28],
  operations: ['retrieve', 'update', 'delete'],
  attributes: {
    ...common,
    ni: { ...needed('text', 'nodeID'), announced: 'always' },
    hcl: free('text', 'hostedCSELink'),
    hael: free({ listOf: 'text', atLeast: 1 }, 'hostedAELinks'),
    hsl: free('list of text', 'hostedServiceLinks'),
    mgca: free('list of text', 'mgmtClientAddress'),
    rms: ofCse('boolean', 'roamingStatus'),
    nid: ofCse('text', 'networkID'),
    nty: free('integer', 'nodeType'),
    ...controlled,
    ...announceable,
  },
  removed: forgetNode,
};

const isNode = ({ type }: Resource) => type.root === 'm2m:nod';

/** The node that lists an AE. */
const hosts = new WeakMap<Resource, Resource>();

/** The node that `nl` of an AE names lists the AE, and no other does (TS-0001, clause 9.6.18). */
export function linkToNode(ae: Resource, { tree }: Pick<HookContext, 'tree'>): void {
  unlinkFromNode(ae);
  const named = typeof ae.values.nl === 'string' ? tree.byId(ae.values.nl) : undefined;
  if (named === undefined || !isNode(named)) return;
  hosts.set(ae, named);
  setHosted(named, [...hostedBy(named).filter((hosted) => hosted !== ae.id), ae.id]);
}

export function unlinkFromNode(ae: Resource): void {
  const host = hosts.get(ae);
  if (host !== undefined)
    setHosted(
      host,
      hostedBy(host).filter((hosted) => hosted !== ae.id),
    );
  hosts.delete(ae);
}

const hostedBy = ({ values }: Resource): readonly string[] => (values.hael as readonly string[] | undefined) ?? [];

function setHosted(resource: Resource, hosted: readonly string[]): void {
  const { hael: _before, ...others } = resource.values;
  resource.values = hosted.length > 0 ? { ...others, hael: hosted } : others;
}

function forgetNode({ id, values }: Resource, { tree }: Services): void {
  for (const hosted of (values.hael as readonly string[] | undefined) ?? []) {
    const ae = tree.byId(hosted);
    if (ae?.values.nl !== id) continue;
    const { nl: _gone, ...others } = ae.values;
    ae.values = others;
  }
}
