import type { RequestPrimitive } from '../core/primitive.ts';
import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import type { Services } from '../core/services.ts';
import { CseError } from '../core/status.ts';
import { fitsWildcard } from '../core/wildcard.ts';
import { optional, readOnly, required, requiredOnce, unannounced } from './attribute-forms.ts';
import { announceable, common, controlled, location, registering } from './common.ts';
import { linkToNode, unlinkFromNode } from './node.ts';
import { deregisterAtProvider, registerAtProvider } from './service-provider-ae.ts';

/** Media types, one or several (TS-0001, table 9.6.5-1). */
const serializations = {
  pattern: /^application\/[\w.+-]+(,application\/[\w.+-]+)*$/,
  problem: 'must be media types such as application/json',
};

/** Application entity (TS-0001, clause 9.6.5). */
export const ae: ResourceTypeTable = {
  ty: 2,
  root: 'm2m:ae',
  longName: 'AE',
  children: [1, 3, 9, 23, 28, 29],
  attributes: {
    ...common,
    aei: readOnly('text', 'AE-ID', { announced: 'when asked' }),
    api: requiredOnce('text', 'App-ID'),
    rr: required('boolean', 'requestReachability'),
    nl: optional('text', 'nodeLink', {
      documented: { create: 'not permitted', update: 'not permitted', compute: () => 'dummy' },
    }),
    apn: optional('text', 'appName'),
    poa: optional('list of text', 'pointOfAccess'),
    or: optional('text', 'ontologyRef'),
    csz: optional('list of text', 'contentSerialization', { form: serializations }),
    srv: optional('list of text', 'supportedReleaseVersions', { announced: 'always' }),
    mei: optional('text', 'M2M-Ext-ID', { ...unannounced, only: 'onem2m' }),
    regs: optional('text', 'registrationStatus', { only: 'onem2m' }),
    trps: optional('boolean', 'trackRegistrationPoints', { only: 'onem2m' }),
    scp: optional('list of text', 'sessionCapabilities', { only: 'onem2m' }),
    ...registering,
    ...controlled,
    ...announceable,
    ...location,
  },
  alias: ({ values }) => String(values.aei),
  assign(resource, services, request) {
    const { dialect, accessControl } = services.configuration;
    if (dialect.name === 'onem2m') checkAppId(String(resource.values.api), request);
    checkRegistrar(request.from ?? '', accessControl.registrars);
    const identifier = identifierOf(resource, request.from ?? '', services);
    // Letters, digits and `-._~`, the unreserved characters of a URI (TS-0001, clause 7.2).
    if (dialect.name === 'onem2m' && !/^[\w.~-]+$/.test(identifier)) {
      throw new CseError('BAD_REQUEST', `${JSON.stringify(identifier)} has characters that no AE-ID can have.`);
    }
    resource.values.aei = identifier;
    if (dialect.identifiers === 'random' && services.tree.byId(identifier) === undefined) resource.id = identifier;
    checkFree(resource, services);
  },
  ask: (resource, change, services, request) => (change ? undefined : registerAtProvider(resource, services, request)),
  stored: linkToNode,
  updated(resource, _changed, services, _request, before) {
    unlinkFromNode(resource, before, services);
    linkToNode(resource, services);
  },
  removed(resource, services) {
    unlinkFromNode(resource, resource.values, services);
    return deregisterAtProvider(resource, services);
  },
};

/**
 * The one assigned by the infrastructure node, if asked; else the last segment of the originator when it starts with C or, where supported, S; else a new one.
 * A lone letter requests a new one (TS-0004, clause 7.4.5.2.1).
 */
function identifierOf({ id }: Resource, originator: string, { configuration, maker, ports, tree }: Services): string {
  if (id.startsWith('S')) return id;
  const own = originator.slice(originator.lastIndexOf('/') + 1);
  const counted = configuration.dialect.identifiers === 'counted';
  if (own.length > 1 && (own.startsWith('C') || (!counted && own.startsWith('S')))) return own;
  const letter = !counted && own === 'S' ? 'S' : 'C';
  const next = () => `${letter}${counted ? maker.nextNumber('C') : ports.randomText(10)}`;
  let assigned = next();
  while (tree.byAlias(assigned) !== undefined) assigned = next();
  return assigned;
}

/** Allows originators that request an identifier, and those configured (TS-0001, clause 10.2.2.2). */
function checkRegistrar(originator: string, registrars: readonly string[]): void {
  const own = originator.slice(originator.lastIndexOf('/') + 1);
  const requestsId = own === '' || own === 'C' || own === 'S';
  if (registrars.length === 0 || requestsId || registrars.some((pattern) => fitsWildcard(own, pattern))) return;
  throw new CseError(
    'SECURITY_ASSOCIATION_REQUIRED',
    `${originator} may not register here; ${registrars.join(', ')} may.`,
  );
}

/** TS-0004, clause 7.4.5.2.1: N for a non-registered identifier, R for a registered one, before release 4 also r. */
function checkAppId(appId: string, { releaseVersionIndicator = '1' }: RequestPrimitive): void {
  const early = Number.parseInt(releaseVersionIndicator, 10) < 4;
  if (/^[NR]/.test(appId) || (early && appId.startsWith('r'))) return;
  const possible = early ? 'N, R or r' : 'N or R';
  throw new CseError('BAD_REQUEST', `api must start with ${possible}, unlike ${JSON.stringify(appId)}.`);
}

function checkFree({ values }: Resource, { tree, configuration }: Services): void {
  const identifier = String(values.aei);
  if (tree.byAlias(identifier) === undefined) return;
  const status = configuration.dialect.name === 'onem2m' ? 'ORIGINATOR_HAS_ALREADY_REGISTERED' : 'CONFLICT';
  throw new CseError(status, `An AE is already registered as ${identifier}.`);
}
