import { isSchedule } from '../core/access/schedule.ts';
import type { AttributeType } from '../core/attribute-types.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';
import { optional, required } from './attribute-forms.ts';
import { announceable, common } from './common.ts';

/** A circle (latitude and longitude in degrees, radius in metres), or countries. */
const region: AttributeType = {
  members: {
    accr: { type: { listOf: 'number' }, long: 'circRegion' },
    accc: { type: 'list of text', long: 'countryCode' },
  },
};

/** All parts of a context must hold; those that cannot be evaluated here (users, criteria, limits) never do. */
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
    aclr: { type: region, long: 'accessControlLocationRegion' },
    acui: { type: 'list of text', long: 'accessControlUserIDs' },
    acec: { type: 'any', long: 'accessControlEvalCriteria' },
    acl: { type: 'integer', long: 'accessControlLimit' },
  },
};

const objectDetail: AttributeType = {
  members: {
    ty: { type: 'integer', long: 'resourceType' },
    spty: { type: 'any', long: 'specializationType' },
    chty: { type: 'list of integer', long: 'childResourceType', mandatory: true },
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

/** `{"acr":[…]}`; deployed application frameworks send the bare list, which is read the same way. */
const privileges: AttributeType = {
  members: { acr: { type: { listOf: rule }, long: 'accessControlRule' } },
  listAs: 'acr',
};

/** Deployed application frameworks leave these to the CSE. */
const alwaysPresent = { permanent: true, announced: 'always', documented: { create: 'optional' } } as const;

/** Access control policy (TS-0001, clause 9.6.2). */
export const accessControlPolicy: ResourceTypeTable = {
  ty: 1,
  root: 'm2m:acp',
  longName: 'accessControlPolicy',
  children: [23],
  attributes: {
    ...common,
    pv: required(privileges, 'privileges', alwaysPresent),
    pvs: required(privileges, 'selfPrivileges', alwaysPresent),
    adri: optional('list of text', 'authorizationDecisionResourceIDs'),
    apri: optional('list of text', 'authorizationPolicyResourceIDs'),
    airi: optional('list of text', 'authorizationInformationResourceIDs'),
    ...announceable,
  },
  assign({ values }, { configuration }, { from }) {
    values.pv ??= { acr: [] };
    values.pvs ??= { acr: [{ acor: [...(from ? [from] : []), `/${configuration.cseId}`], acop: everyOperation }] };
    checkSelfPrivileges(values.pvs);
    checkWindows(values.pv, values.pvs);
  },
  updating(_resource, { values }) {
    if (values.pvs !== undefined) checkSelfPrivileges(values.pvs);
    checkWindows(values.pv, values.pvs);
  },
};

const everyOperation = 63;

/** TS-0004, clause 7.4.2: a policy that nobody could change is refused. */
function checkSelfPrivileges(pvs: unknown): void {
  const { acr = [] } = (pvs ?? {}) as { acr?: readonly unknown[] };
  if (acr.length === 0) throw new CseError('BAD_REQUEST', 'pvs must have at least one rule (acr).');
}

interface Privileges {
  readonly acr?: readonly { readonly acco?: readonly { readonly actw?: readonly string[] }[] }[];
}

/** A malformed schedule, which could never apply, is refused (TS-0004, clause 6.3.2, m2m:scheduleEntry). */
function checkWindows(...all: readonly unknown[]): void {
  const rules = all.flatMap((privileges) => (privileges as Privileges | undefined)?.acr ?? []);
  const windows = rules.flatMap(({ acco = [] }) => acco.flatMap(({ actw = [] }) => actw));
  const invalid = windows.find((window) => !isSchedule(window));
  if (invalid === undefined) return;
  throw new CseError(
    'BAD_REQUEST',
    `actw must look like "* * 8-16 * * 1-5 *" (from seconds to years), not ${JSON.stringify(invalid)}.`,
  );
}
