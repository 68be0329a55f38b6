import type { Resource } from '../core/resource.ts';
import { type CreationContext, resourceType } from '../core/resource-type.ts';
import { CONFLICT, CseError } from '../core/status.ts';
import { common } from './common.ts';

/** Application entity (TS-0001, clause 9.6.5). */
export const ae = resourceType({
  ty: 2,
  root: 'm2m:ae',
  prefix: 'ae',
  longName: 'AE',
  children: [3],
  operations: ['retrieve', 'update', 'delete'],
  attributes: {
    ...common,
    aei: { type: 'text', create: 'not permitted', update: 'not permitted' },
    api: { type: 'text', create: 'mandatory', update: 'not permitted' },
    rr: { type: 'boolean', create: 'mandatory', update: 'optional' },
    nl: { type: 'node link', create: 'not permitted', update: 'not permitted' },
    apn: { type: 'text', create: 'optional', update: 'optional' },
    poa: { type: 'list of text', create: 'optional', update: 'optional' },
    or: { type: 'text', create: 'optional', update: 'optional' },
  },
  alias: ({ values }) => String(values.aei),
  assign: identify,
});

/**
 * The AE identifier: the last segment of the originator when it starts with C, else a new C<n>.
 * A lone C asks for a new one (TS-0004, clause 7.4.5.2.1).
 */
function identify(resource: Resource, { tree, originator, nextNumber }: CreationContext): void {
  const own = originator?.slice(originator.lastIndexOf('/') + 1);
  if (own !== undefined && own.length > 1 && own.startsWith('C')) {
    if (tree.byAlias(own) !== undefined) throw new CseError(CONFLICT, `An AE is already registered as ${own}.`);
    resource.values.aei = own;
    return;
  }
  let assigned = `C${nextNumber('C')}`;
  while (tree.byAlias(assigned) !== undefined) assigned = `C${nextNumber('C')}`;
  resource.values.aei = assigned;
}
