import type { ResourceTypeTable } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';
import { readOnly } from './attribute-forms.ts';
import { common, controlled } from './common.ts';

/** Request (TS-0001, clause 9.6.12): the progress of a non-blocking request. Only the CSE creates one. */
export const request: ResourceTypeTable = {
  ty: 17,
  root: 'm2m:req',
  longName: 'request',
  children: [23],
  operations: ['retrieve', 'delete'],
  attributes: {
    ...common,
    op: readOnly('integer', 'operation'),
    tg: readOnly('text', 'target'),
    org: readOnly('text', 'originator'),
    rid: readOnly('text', 'requestID'),
    mi: readOnly('any', 'metaInformation'),
    pc: readOnly('any', 'primitiveContent', { announced: 'when asked' }),
    rs: readOnly('integer', 'requestStatus'),
    ors: readOnly('any', 'operationResult'),
    ...controlled,
  },
  assign() {
    throw new CseError('OPERATION_NOT_ALLOWED', 'Only the CSE creates m2m:req; send a request with rt=1.', {
      allow: ['retrieve', 'update'],
    });
  },
};
