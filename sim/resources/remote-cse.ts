import type { Resource } from '../core/resource.ts';
import { type CreationContext, resourceType } from '../core/resource-type.ts';
import { CONFLICT, CseError } from '../core/status.ts';
import { common } from './common.ts';

const cseId = { pattern: /^\/[^/\s]+$/, says: 'must be a CSE-ID with a slash before it, such as /in-cse-1' };

/** Remote CSE (TS-0001, clause 9.6.4): a CSE that is registered here, or at which this one is registered. */
export const remoteCse = resourceType({
  ty: 16,
  root: 'm2m:csr',
  prefix: 'csr',
  longName: 'remoteCSE',
  children: [3],
  operations: ['retrieve', 'update', 'delete'],
  attributes: {
    ...common,
    cb: { type: 'text', create: 'mandatory', update: 'not permitted' },
    csi: { type: 'text', create: 'mandatory', update: 'not permitted', form: cseId },
    cst: { type: 'integer', create: 'optional', update: 'not permitted' },
    poa: { type: 'list of text', create: 'optional', update: 'optional' },
    rr: { type: 'boolean', create: 'mandatory', update: 'optional' },
    mei: { type: 'text', create: 'optional', update: 'optional' },
    tri: { type: 'text', create: 'optional', update: 'optional' },
  },
  alias: ({ values }) => String(values.csi),
  assign: beTheOnlyOne,
});

/** A CSE registers once; its identifier, which starts with a slash, is no AE's. */
function beTheOnlyOne({ values }: Resource, { tree }: CreationContext): void {
  const csi = String(values.csi);
  if (tree.byAlias(csi) !== undefined) throw new CseError(CONFLICT, `${csi} is registered already.`);
  if (tree.base.values.csi === csi) throw new CseError(CONFLICT, `${csi} is the identifier of this CSE.`);
}
