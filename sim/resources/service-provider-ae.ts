/**
 * AEs with an identifier of the service provider, which starts with S (TS-0001, clause 10.2.2.2; TS-0004, clause 7.4.5.2.1): the
 * infrastructure node keeps an announced AE for each, which names the CSE where it is registered.
 */
import { announcedEntityType, infrastructureNode, remoteCseType } from '../core/numbers.ts';
import type { RequestPrimitive, ResponsePrimitive } from '../core/primitive.ts';
import { attributesBelowRoot, type Resource } from '../core/resource.ts';
import type { Services } from '../core/services.ts';
import { CseError, statuses, unlessRefused } from '../core/status.ts';

/** TS-0004, clause 7.4.5.2.1: the credential of the AE, which needs none here. */
const labels = ['Credential-ID:'];
const inactive = 'INACTIVE';
/** Placeholder until the infrastructure node has assigned an identifier. */
const unassigned = 'S';

/** Asks the infrastructure node before such an AE is stored; undefined where none is known. */
export function registerAtProvider(
  ae: Resource,
  services: Services,
  { from = '' }: RequestPrimitive,
): Promise<void> | undefined {
  const provider = providerFor(ae, services);
  if (provider === undefined) return undefined;
  return /(^|\/)S$/.test(from) ? assignedByProvider(ae, provider, services) : relink(ae, provider, services);
}

/** Reports that the AE is no longer registered; undefined where no infrastructure node is known. Never rejects. */
export function deregisterAtProvider(ae: Resource, services: Services): Promise<void> | undefined {
  const provider = providerFor(ae, services);
  if (provider === undefined) return undefined;
  const stem = String(ae.values.aei);
  const content = { 'm2m:aeA': { lnk: inactive } };
  const sent = send(services, `${provider.cseId}/${stem}`, stem, { operation: 'update', content });
  return unlessRefused(sent, services.ports).then(() => {});
}

interface Provider {
  /** With a slash before it. */
  readonly cseId: string;
  /** Address of its CSE base. */
  readonly base: string;
}

/** The infrastructure node for the AE; undefined for other AEs, and where this CSE is that node or knows none. */
function providerFor({ values }: Resource, { configuration, tree }: Services): Provider | undefined {
  if (configuration.dialect.name !== 'onem2m' || configuration.cseType === infrastructureNode) return undefined;
  if (!String(values.aei).startsWith('S')) return undefined;
  for (const { type, values: registration } of tree.base.children?.values() ?? []) {
    if (type.ty !== remoteCseType || registration.cst !== infrastructureNode) continue;
    return { cseId: String(registration.csi), base: String(registration.cb) };
  }
  return undefined;
}

/** A new identifier: that of the resource created at the infrastructure node. */
async function assignedByProvider(ae: Resource, { base }: Provider, services: Services): Promise<void> {
  const { content } = succeeded(await create(ae, base, unassigned, services));
  const { ri } = attributesBelowRoot(content);
  if (typeof ri !== 'string' || !/^S./.test(ri)) {
    throw new CseError('OPERATION_DENIED_BY_REMOTE_ENTITY', 'The infrastructure node has assigned no identifier.');
  }
  ae.id = ri;
}

/** For an identifier that the AE had before, perhaps at another CSE. */
async function relink(ae: Resource, { cseId, base }: Provider, services: Services): Promise<void> {
  const stem = String(ae.values.aei);
  const content = { 'm2m:aeA': { lnk: linkTo(stem, services), lbl: labels } };
  const answer = await send(services, `${cseId}/${stem}`, stem, { operation: 'update', content });
  succeeded(answer.status.code === statuses.NOT_FOUND.code ? await create(ae, base, stem, services) : answer);
}

function create(ae: Resource, base: string, stem: string, services: Services): Promise<ResponsePrimitive> {
  const name = stem === unassigned ? {} : { rn: stem };
  const content = { 'm2m:aeA': { ...name, lnk: linkTo(stem, services), api: ae.values.api, lbl: labels } };
  return send(services, base, stem, { operation: 'create', resourceType: announcedEntityType, content });
}

const linkTo = (stem: string, { configuration }: Services) => `/${configuration.cseId}/${stem}`;

function send(
  { outgoing, configuration }: Services,
  target: string,
  stem: string,
  request: Pick<RequestPrimitive, 'operation' | 'content' | 'resourceType'>,
): Promise<ResponsePrimitive> {
  return outgoing.send(target, outgoing.ownRequest({ ...request, from: `/${configuration.cseId}/${stem}` }));
}

function succeeded(answer: ResponsePrimitive): ResponsePrimitive {
  if (answer.status.http < 300) return answer;
  throw new CseError(answer.status, `The infrastructure node answered ${answer.status.code}.`);
}

/** At the infrastructure node: sets the requested identifier, or a new one, also in the link. */
export function assignIdentifier(
  announced: Resource,
  { configuration, tree, ports }: Services,
  { from = '' }: RequestPrimitive,
): void {
  const [stem] = /(?<=^\/[^/]+\/)S[^/]*$/.exec(from) ?? [];
  if (configuration.dialect.name !== 'onem2m' || announced.parent !== tree.base || stem === undefined) return;
  const identifier = stem === unassigned ? `S${ports.randomText(10)}` : stem;
  if (tree.byId(identifier) !== undefined) throw new CseError('CONFLICT', `${identifier} is assigned already.`);
  announced.id = identifier;
  announced.values.aei = identifier;
  if (stem === unassigned) announced.values.lnk = String(announced.values.lnk).replace(/(?<=\/)S$/, identifier);
}
