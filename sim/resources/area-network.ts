/** An area network lists the devices that say that they are of it (TS-0004, clauses D.6.2.1 and D.6.2.4). */
import type { CseIdentity } from '../core/address.ts';
import { localResource } from '../core/local-resource.ts';
import type { Resource } from '../core/resource.ts';
import type { Tree } from '../core/tree.ts';

/** `awi` of the device names the area network, by identifier or path. */
export function listDevice(device: Resource, tree: Tree, identity: CseIdentity): void {
  const network = networkOf(device, tree, identity);
  if (network === undefined || devicesOf(network).includes(device.id)) return;
  network.values = { ...network.values, ldv: [...devicesOf(network), device.id] };
}

export function unlistDevice(device: Resource, tree: Tree, identity: CseIdentity): void {
  const network = networkOf(device, tree, identity);
  if (network === undefined || !devicesOf(network).includes(device.id)) return;
  const { ldv: _before, ...others } = network.values;
  const left = devicesOf(network).filter((listed) => listed !== device.id);
  network.values = left.length > 0 ? { ...others, ldv: left } : others;
}

function networkOf({ values }: Resource, tree: Tree, identity: CseIdentity): Resource | undefined {
  const named = typeof values.awi === 'string' ? localResource(values.awi, tree, identity) : undefined;
  return named?.type.root === 'm2m:ani' ? named : undefined;
}

const devicesOf = ({ values }: Resource): readonly string[] => (values.ldv as readonly string[] | undefined) ?? [];
