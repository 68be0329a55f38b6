import { Tree } from '../../model/tree.ts';
import { kindFacts, type StandardKind } from './kinds.ts';
import { contentOf, instancesOf, type StandardResource } from './resource.ts';

type Given = Pick<StandardResource, 'kind' | 'name' | 'parent' | 'owner' | 'held' | 'shown'>;

/** A CSE as the standard describes it. */
export class StandardModel extends Tree<StandardKind, StandardResource> {
  /** Whether rules may not know what they have seen any more: time was let pass, or something was asked by way of a group or another CSE. */
  isBlind = false;

  add(given: Given): StandardResource {
    const resource = this.put({
      ...given,
      ...this.standing(given),
      updated: new Set(),
      counted: 'grown',
      born: this.passed,
    });
    if (resource.parent !== undefined) this.#takeIn(resource, resource.parent);
    return resource;
  }

  #takeIn({ kind }: StandardResource, parent: StandardResource): void {
    const { shown } = parent;
    const isInstance = kind === 'content instance';
    shown.st = isInstance && shown.st !== undefined ? shown.st + 1 : undefined;
    if (isInstance) parent.counted = 'grown';
    for (const one of isInstance ? this.#tooMany(parent) : []) {
      this.remove(one);
      parent.counted = 'made room';
    }
  }

  /** The oldest make room until number and bytes fit (TS-0004 7.4.7.2.1 step 2). */
  #tooMany(container: StandardResource): StandardResource[] {
    const { mni = Number.POSITIVE_INFINITY, mbs = Number.POSITIVE_INFINITY } = container.shown;
    const instances = instancesOf(container);
    let number = instances.length;
    let bytes = bytesOf(instances);
    return instances.filter((one) => {
      if (number <= mni && bytes <= mbs) return false;
      number -= 1;
      bytes -= Buffer.byteLength(contentOf(one));
      return true;
    });
  }

  /** A resource goes, and with it everything below. */
  override remove(resource: StandardResource): void {
    super.remove(resource);
    if (resource.kind === 'container') this.#leaveGroups(resource);
    if (resource.parent === undefined) return;
    resource.parent.shown.st = undefined;
    if (resource.kind === 'content instance') resource.parent.counted = 'shrunk';
  }

  /** Whether a group still lists a member that was deleted by itself, nobody says. */
  #leaveGroups(member: StandardResource): void {
    const reference = `${this.names.base}/${member.path}`;
    for (const { held } of this.all('group')) {
      if (Array.isArray(held.mid) && held.mid.includes(reference)) delete held.mid;
    }
  }

  /** What may hold a resource of a kind, the youngest first. */
  holdersOf(kind: StandardKind): StandardResource[] {
    const { holders = [] } = kindFacts[kind];
    return this.all()
      .filter((one) => holders.includes(one.kind))
      .reverse();
  }
}

export function bytesOf(instances: readonly StandardResource[]): number {
  return instances.reduce((sum, one) => sum + Buffer.byteLength(contentOf(one)), 0);
}
