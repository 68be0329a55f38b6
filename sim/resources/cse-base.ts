import type { ResourceTypeTable } from '../core/resource-type.ts';
import { OPERATION_NOT_ALLOWED } from '../core/status.ts';
import { controlled, identity, labels, location } from './common.ts';

const byTheCse = { create: 'not permitted', update: 'not permitted', announced: 'when asked' } as const;

/** CSEBase (TS-0001, clause 9.6.3): the root of the tree. */
export const cseBase: ResourceTypeTable = {
  ty: 5,
  root: 'm2m:cb',
  prefix: 'cb',
  longName: 'CSEBase',
  // It is made by configuration, never by a request (TS-0004, clause 7.4.3.2.1).
  misplaced: { onem2m: OPERATION_NOT_ALLOWED },
  children: [1, 2, 3, 9, 14, 16, 17, 23, 28, 29, 10_002, 10_005],
  operations: { documented: ['retrieve', 'update'], onem2m: ['retrieve'] },
  attributes: {
    ...identity,
    ...labels,
    csi: { type: 'text', long: 'CSE-ID', ...byTheCse },
    cst: { type: 'integer', long: 'cseType', ...byTheCse },
    srt: { type: 'list of integer', long: 'supportedResourceType', ...byTheCse },
    poa: { type: 'list of text', long: 'pointOfAccess', ...byTheCse },
    srv: {
      ...{ type: 'list of text', long: 'supportedReleaseVersions', ...byTheCse, only: 'onem2m' },
      announced: 'always',
    },
    ici: { type: 'text', long: 'IN-CSE-ID', ...byTheCse, only: 'onem2m' },
    spi: { type: 'text', long: 'SP-ID', ...byTheCse, only: 'onem2m' },
    ctm: { type: 'timestamp', long: 'currentTime', ...byTheCse, only: 'onem2m' },
    csz: { type: 'list of text', long: 'contentSerialization', ...byTheCse, only: 'onem2m' },
    ...controlled,
    ...location,
  },
  retrieving({ values }, { ports, configuration }) {
    if (configuration.dialect.name === 'onem2m') values.ctm = ports.clock.now();
  },
};
