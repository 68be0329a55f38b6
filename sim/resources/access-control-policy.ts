import type { AttributeType } from '../core/attribute-types.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import { BAD_REQUEST, CseError } from '../core/status.ts';
import { free, needed } from './attribute-forms.ts';
import { announceable, common } from './common.ts';

const context: AttributeType = {
  members: {
    actw: { type: 'list of text', long: 'accessControlWindow' },
    acip: {
      type: {
        members: {
          ipv4: { type: 'list of text', long: 'ipv4Addresses' },
          ipv6: { type: 'list of text', long: 'ipv6Addresses' },
        },
      },
      long: 'accessControlIpAddresses',
    },
    aclr: { type: 'any', long: 'accessControlLocationRegion' },
  },
};

const objectDetail: AttributeType = {
  members: {
    ty: { type: 'integer', long: 'resourceType' },
    spty: { type: 'any', long: 'specializationType' },
    chty: { type: 'list of integer', long: 'childResourceType' },
  },
};

const rule: AttributeType = {
  members: {
    acor: { type: 'list of text', long: 'accessControlOriginators', mandatory: true },
    acop: { type: 'access control operations', long: 'accessControlOperations', mandatory: true },
    acco: { type: { listOf: context }, long: 'accessControlContexts' },
    acod: { type: { listOf: objectDetail }, long: 'accessControlObjectDetails' },
    aca: { type: 'list of text', long: 'accessControlAttributes' },
    acaf: { type: 'boolean', long: 'accessControlAuthenticationFlag' },
  },
};

/** `{"acr":[…]}`; deployed application frameworks send the list alone, which is taken for it. */
const privileges: AttributeType = {
  members: { acr: { type: { listOf: rule }, long: 'accessControlRule' } },
  orAlone: 'acr',
};

/** Access control policy (TS-0001, clause 9.6.2). */
export const accessControlPolicy: ResourceTypeTable = {
  ty: 1,
  root: 'm2m:acp',
  prefix: 'acp',
  longName: 'accessControlPolicy',
  children: [23],
  operations: ['retrieve', 'update', 'delete'],
  attributes: {
    ...common,
    pv: { ...needed(privileges, 'privileges'), announced: 'always' },
    pvs: { ...needed(privileges, 'selfPrivileges'), announced: 'always' },
    adri: free('list of text', 'authorizationDecisionResourceIDs'),
    apri: free('list of text', 'authorizationPolicyResourceIDs'),
    airi: free('list of text', 'authorizationInformationResourceIDs'),
    ...announceable,
  },
  assign: ({ values }) => checkSelfPrivileges(values.pvs),
  updating(_resource, { values }) {
    if (values.pvs !== undefined) checkSelfPrivileges(values.pvs);
  },
};

/** TS-0004, clause 7.4.2: a policy that nobody can change any more is refused. */
function checkSelfPrivileges(pvs: unknown): void {
  const { acr = [] } = (pvs ?? {}) as { acr?: readonly unknown[] };
  if (acr.length === 0) throw new CseError(BAD_REQUEST, 'pvs must have at least one rule (acr).');
}
