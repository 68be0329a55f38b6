import { resourceType } from '../core/resource-type.ts';
import { identity, labels } from './common.ts';

/** CSEBase (TS-0001, clause 9.6.3): the root of the tree. */
export const cseBase = resourceType({
  ty: 5,
  root: 'm2m:cb',
  prefix: 'cb',
  longName: 'CSEBase',
  children: [2, 3, 16],
  operations: ['retrieve', 'update'],
  attributes: {
    ...identity,
    ...labels,
    csi: { type: 'text', create: 'not permitted', update: 'not permitted' },
    cst: { type: 'integer', create: 'not permitted', update: 'not permitted' },
    srt: { type: 'list of integer', create: 'not permitted', update: 'not permitted' },
    poa: { type: 'list of text', create: 'not permitted', update: 'not permitted' },
  },
});
