import { localResource } from '../core/address.ts';
import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import type { Services } from '../core/services.ts';
import { optional, readOnly, required } from './attribute-forms.ts';
import { announceable, common, controlled } from './common.ts';

/** Node (TS-0001, clause 9.6.18): a device and what runs on it. */
export const node: ResourceTypeTable = {
  ty: 14,
  root: 'm2m:nod',
  longName: 'node',
  children: [13, 23, 28],
  attributes: {
    ...common,
    ni: required('text', 'nodeID', { announced: 'always' }),
    hcl: optional('text', 'hostedCSELink'),
    hael: optional({ listOf: 'text', atLeast: 1 }, 'hostedAELinks'),
    hsl: optional('list of text', 'hostedServiceLinks'),
    mgca: optional('list of text', 'mgmtClientAddress'),
    rms: readOnly('boolean', 'roamingStatus'),
    nid: readOnly('text', 'networkID'),
    nty: optional('integer', 'nodeType'),
    ...controlled,
    ...announceable,
  },
  removed: forgetNode,
};

function nodeOf({ nl }: Resource['values'], { tree }: Services): Resource | undefined {
  const named = typeof nl === 'string' ? tree.byId(nl) : undefined;
  return named?.type.root === 'm2m:nod' ? named : undefined;
}

/** Attributes that list resources by identifier. */
type List = 'hael' | 'ldv';

const listIn = ({ values }: Resource, name: List): readonly string[] =>
  (values[name] as readonly string[] | undefined) ?? [];

/** Adds the resource to the list, once, or removes it. */
function setListed(holder: Resource | undefined, name: List, { id }: Resource, isListed: boolean): void {
  if (holder === undefined) return;
  const { [name]: _before, ...others } = holder.values;
  const list = [...listIn(holder, name).filter((listed) => listed !== id), ...(isListed ? [id] : [])];
  holder.values = list.length > 0 ? { ...others, [name]: list } : others;
}

/** Lists the AE in the node that its `nl` names (TS-0001, clause 9.6.18). */
export const linkToNode = (ae: Resource, services: Services): void =>
  setListed(nodeOf(ae.values, services), 'hael', ae, true);

/** Removes the AE from the node that its former `values` name. */
export const unlinkFromNode = (ae: Resource, values: Resource['values'], services: Services): void =>
  setListed(nodeOf(values, services), 'hael', ae, false);

function forgetNode(node: Resource, { tree }: Services): void {
  for (const hosted of listIn(node, 'hael')) {
    const ae = tree.byId(hosted);
    if (ae?.values.nl !== node.id) continue;
    const { nl: _gone, ...others } = ae.values;
    ae.values = others;
  }
}

/**
 * Lists the device in the area network that its `awi` names, by identifier or path (TS-0004, clauses D.6.2.1 and
 * D.6.2.4).
 */
export const listDevice = (device: Resource, services: Services): void =>
  setListed(networkOf(device, services), 'ldv', device, true);

export const unlistDevice = (device: Resource, services: Services): void =>
  setListed(networkOf(device, services), 'ldv', device, false);

function networkOf({ values }: Resource, { tree, configuration }: Services) {
  const named = typeof values.awi === 'string' ? localResource(values.awi, tree, configuration) : undefined;
  return named?.type.root === 'm2m:ani' ? named : undefined;
}
