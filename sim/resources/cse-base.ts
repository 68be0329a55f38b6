import type { ResourceTypeTable } from '../core/resource-type.ts';
import { ofCse } from './attribute-forms.ts';
import { controlled, identity, labels, location } from './common.ts';

const shown = { announced: 'when asked' } as const;
const ofStandard = { announced: 'when asked', only: 'onem2m' } as const;

/** CSEBase (TS-0001, clause 9.6.3): the root of the tree. */
export const cseBase: ResourceTypeTable = {
  ty: 5,
  root: 'm2m:cb',
  longName: 'CSEBase',
  // It is made by configuration, never by a request (TS-0004, clause 7.4.3.2.1).
  misplaced: 'OPERATION_NOT_ALLOWED',
  children: [1, 2, 3, 9, 14, 16, 17, 23, 28, 29, 10_002, 10_005],
  operations: ['retrieve'],
  documented: { operations: ['retrieve', 'update'], misplaced: 'INVALID_CHILD_RESOURCE_TYPE' },
  attributes: {
    ...identity,
    ...labels,
    csi: ofCse('text', 'CSE-ID', shown),
    cst: ofCse('integer', 'cseType', shown),
    srt: ofCse('list of integer', 'supportedResourceType', shown),
    poa: ofCse('list of text', 'pointOfAccess', shown),
    srv: ofCse('list of text', 'supportedReleaseVersions', { announced: 'always', only: 'onem2m' }),
    ici: ofCse('text', 'IN-CSE-ID', ofStandard),
    spi: ofCse('text', 'SP-ID', ofStandard),
    ctm: ofCse('timestamp', 'currentTime', ofStandard),
    csz: ofCse('list of text', 'contentSerialization', ofStandard),
    ...controlled,
    ...location,
  },
  retrieving({ values }, { ports, configuration }) {
    if (configuration.dialect.name === 'onem2m') values.ctm = ports.clock.now();
  },
};
