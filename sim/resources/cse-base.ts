import type { ResourceTypeTable } from '../core/resource-type.ts';
import { readOnly } from './attribute-forms.ts';
import { controlled, identity, labels, location } from './common.ts';

const announcedOnRequest = { announced: 'when asked' } as const;
const onem2mOnly = { announced: 'when asked', only: 'onem2m' } as const;

/** CSEBase (TS-0001, clause 9.6.3): the root of the tree. */
export const cseBase: ResourceTypeTable = {
  ty: 5,
  root: 'm2m:cb',
  longName: 'CSEBase',
  // Made by configuration, never by a request (TS-0004, clause 7.4.3.2.1).
  misplacedStatus: 'OPERATION_NOT_ALLOWED',
  children: [1, 2, 3, 9, 14, 16, 17, 23, 28, 29, 10_002, 10_005],
  operations: ['retrieve'],
  documented: { operations: ['retrieve', 'update'], misplacedStatus: 'INVALID_CHILD_RESOURCE_TYPE' },
  attributes: {
    ...identity,
    ...labels,
    csi: readOnly('text', 'CSE-ID', announcedOnRequest),
    cst: readOnly('integer', 'cseType', announcedOnRequest),
    srt: readOnly('list of integer', 'supportedResourceType', announcedOnRequest),
    poa: readOnly('list of text', 'pointOfAccess', announcedOnRequest),
    srv: readOnly('list of text', 'supportedReleaseVersions', { announced: 'always', only: 'onem2m' }),
    ici: readOnly('text', 'IN-CSE-ID', onem2mOnly),
    spi: readOnly('text', 'SP-ID', onem2mOnly),
    ctm: readOnly('timestamp', 'currentTime', onem2mOnly),
    csz: readOnly('list of text', 'contentSerialization', onem2mOnly),
    ...controlled,
    ...location,
  },
  retrieving({ values }, { ports, configuration }) {
    if (configuration.dialect.name === 'onem2m') values.ctm = ports.clock.now();
  },
};
