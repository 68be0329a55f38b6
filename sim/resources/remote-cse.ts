import type { CseConfiguration } from '../core/configuration.ts';
import { cseTypes } from '../core/numbers.ts';
import { canonical } from '../core/originator.ts';
import type { RequestPrimitive } from '../core/primitive.ts';
import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import type { Services } from '../core/services.ts';
import { CseError } from '../core/status.ts';
import { optional, optionalOnce, required, requiredOnce, unannounced } from './attribute-forms.ts';
import { announceable, common, controlled, creator, location, registering } from './common.ts';

/** `.` and `..` lead elsewhere in the path of a URL. */
const cseId = {
  pattern: /^\/(?!\.{1,2}$)[^/\s]+$/,
  problem: 'must be a CSE-ID with a slash before it, such as /in-cse-1',
};

/** Remote CSE (TS-0001, clause 9.6.4): a CSE that is registered here, or at which this one is registered. */
export const remoteCse: ResourceTypeTable = {
  ty: 16,
  root: 'm2m:csr',
  longName: 'remoteCSE',
  children: [1, 3, 9, 23, 28, 29, 10_001, 10_002, 10_003, 10_004, 10_009, 10_014, 10_028, 10_029],
  attributes: {
    ...common,
    cb: requiredOnce('text', 'CSEBase'),
    csi: optionalOnce('text', 'CSE-ID', { ...unannounced, form: cseId, documented: { create: 'mandatory' } }),
    cst: optionalOnce({ oneOf: [1, 2, 3] }, 'cseType'),
    poa: optional('list of text', 'pointOfAccess'),
    rr: required('boolean', 'requestReachability', unannounced),
    mei: optional('text', 'M2M-Ext-ID', unannounced),
    tri: optional('text', 'Trigger-Recipient-ID'),
    nl: optional('text', 'nodeLink'),
    csz: optional('list of text', 'contentSerialization'),
    srv: optional('list of text', 'supportedReleaseVersions'),
    spi: optional('text', 'SP-ID', { only: 'onem2m' }),
    ici: optional('text', 'IN-CSE-ID', { only: 'onem2m' }),
    trn: optional('integer', 'triggerReferenceNumber', { only: 'onem2m' }),
    dcse: optional('list of text', 'descendantCSEs', { only: 'onem2m' }),
    egid: optional('text', 'externalGroupID', { only: 'onem2m' }),
    ...creator,
    ...registering,
    ...controlled,
    ...announceable,
    ...location,
  },
  alias: ({ values }) => String(values.csi),
  assign(resource, services, request) {
    const { configuration } = services;
    if (configuration.dialect.name === 'onem2m') setRegistree(resource, request, configuration);
    checkCertified(resource, resource.values.poa, request, configuration);
    checkUnique(resource, services);
    setIdentifier(resource, services);
  },
  updating: (resource, { values }, { configuration }, request) =>
    checkCertified(resource, values.poa, request, configuration),
  removing: (resource, { configuration }, request) => checkCertified(resource, undefined, request, configuration),
};

/**
 * A CSE registers itself, under the identifier that it sends; an AE registers no CSE, and an ASN-CSE accepts none (TS-0004, clause
 * 7.4.4.2.1). Entries of this CSE itself have no originator.
 */
function setRegistree({ values }: Resource, { from }: RequestPrimitive, configuration: CseConfiguration): void {
  if (from === undefined) return;
  const registree = canonical(from, configuration);
  if (!/^(\/\/[^/]+)?\/(?!\.{1,2}$)[^/]+$/.test(registree)) {
    throw new CseError('OPERATION_NOT_ALLOWED', `A CSE registers itself, and ${from || '""'} is none.`);
  }
  if (configuration.cseType === cseTypes['ASN-CSE'])
    throw new CseError('OPERATION_NOT_ALLOWED', 'No CSE can register at an ASN-CSE.');
  values.csi = registree;
}

/**
 * Where clients are authenticated by certificate, only the CSE itself changes its registration: requests to it go to its points of
 * access, and whoever set those could read and answer them. They must be HTTPS, as of this CSE.
 */
function checkCertified(
  { values: { csi } }: Resource,
  poa: unknown,
  { authenticated, from = '' }: RequestPrimitive,
  configuration: CseConfiguration,
): void {
  if (authenticated !== true) return;
  const sender = canonical(from, configuration);
  const isOwn = sender === csi || sender === `/${configuration.cseId}` || sender === configuration.accessControl.admin;
  if (!isOwn) {
    throw new CseError('ORIGINATOR_HAS_NO_PRIVILEGE', `Only ${csi} may change its registration, not ${from}.`);
  }
  const plainHttp = Array.isArray(poa) ? poa.find((url) => /^http:/i.test(String(url))) : undefined;
  if (plainHttp === undefined) return;
  throw new CseError(
    'BAD_REQUEST',
    `poa has ${JSON.stringify(plainHttp)}, but a CSE with a certificate must use HTTPS.`,
  );
}

/** A CSE registers once; its identifier, which starts with a slash, differs from every AE's. */
function checkUnique({ values }: Resource, { tree, configuration }: Services): void {
  const csi = String(values.csi);
  const status = configuration.dialect.name === 'onem2m' ? 'ORIGINATOR_HAS_ALREADY_REGISTERED' : 'CONFLICT';
  if (tree.byAlias(csi) !== undefined) throw new CseError(status, `${csi} is registered already.`);
  if (tree.base.values.csi === csi) throw new CseError('CONFLICT', `${csi} is the identifier of this CSE.`);
}

/** The resource gets the CSE's own identifier, as an AE's does, unless that is taken. */
function setIdentifier(resource: Resource, { tree, configuration }: Services): void {
  if (configuration.dialect.identifiers !== 'random') return;
  const identifier = /[^/]+$/.exec(String(resource.values.csi))?.[0];
  if (identifier === undefined || identifier === tree.base.name) return;
  if (tree.byId(identifier) === undefined && tree.byAlias(identifier) === undefined) resource.id = identifier;
}
