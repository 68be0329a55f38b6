/** The requests of a registration (`gaps`, row 38): to the other CSE, and to our own tree. */

import { randomUUID } from 'node:crypto';
import { cseTypes, remoteCseType } from '../core/numbers.ts';
import type { Cse } from '../core/operations/cse.ts';
import type { Operation, RequestPrimitive } from '../core/primitive.ts';
import { toHttp } from '../dialects/messenger.ts';
import { type OutgoingAnswer, type Sender, sendToFirst } from '../dialects/outgoing-message.ts';

/** The other CSE, as the configuration describes it. */
export interface RemoteCse {
  readonly base: string;
  /** Without a slash. */
  readonly cseId: string;
  readonly cseType: 'IN-CSE' | 'MN-CSE' | 'ASN-CSE';
  /** URLs under which it reaches this CSE. */
  readonly ownPoa: readonly string[];
  /** URLs under which this CSE reaches it; the first that answers is used. */
  readonly poa: readonly string[];
}

/** The CSEs of a registration. */
export interface RegistrationContext {
  /** The CSE at this moment. */
  readonly cse: () => Cse;
  readonly sender: Sender;
  readonly remoteCse: RemoteCse;
  readonly labels: readonly string[];
}

/** The other CSE answered, but not as the exchange needs it. */
class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused';
}

/** `ORIGINATOR_HAS_ALREADY_REGISTERED`, which some CSEs answer instead of a conflict. */
const alreadyRegistered = '4117';

// Each rejects with an UnreachableError or a RegistrationRefused. Times are microseconds since 1970 UTC.

/** Registers, or takes over a former registration, and enters the other CSE in our own tree. */
export async function register(at: RegistrationContext, expires: number): Promise<void> {
  const { base, cseId, cseType, dialect, releases } = at.cse().configuration;
  const shared = {
    et: timestamp(at, expires),
    lbl: at.labels,
    poa: at.remoteCse.ownPoa,
    rr: true,
    ...(dialect.name === 'onem2m' && { srv: releases }),
  };
  const own = { rn: cseId, csi: `/${cseId}`, cb: `/${cseId}/${base}`, cst: cseType, ...shared };
  const answer = await send(at, 'create', baseOf(at), own);
  if (answer.status === 409 || answer.headers['x-m2m-rsc'] === alreadyRegistered) await takeOver(at, shared, own);
  else expectSuccess('POST', answer);
  expectSuccess('GET', await send(at, 'retrieve', baseOf(at)));
  enter(at, expires);
}

/** Extends the registration until then. */
export async function renew(at: RegistrationContext, expires: number): Promise<void> {
  expectSuccess('PUT', await send(at, 'update', ownResource(at), { et: timestamp(at, expires) }));
  enter(at, expires);
}

/** Whether both sides still have the registration. A refused retrieval does not count as a loss. */
export async function isKnown(at: RegistrationContext): Promise<boolean> {
  const { status } = await send(at, 'retrieve', ownResource(at));
  return status !== 404 && localPath(at) !== undefined;
}

export async function deregister(at: RegistrationContext): Promise<void> {
  const local = localPath(at);
  if (local !== undefined) at.cse().perform({ operation: 'delete', to: local });
  const answer = await send(at, 'delete', ownResource(at));
  if (answer.status !== 404) expectSuccess('DELETE', answer);
}

/** An update keeps the resources below the registration; where it is refused, the registration is made anew. */
async function takeOver(at: RegistrationContext, shared: object, own: object): Promise<void> {
  if (isSuccess(await send(at, 'update', ownResource(at), shared))) return;
  await send(at, 'delete', ownResource(at));
  expectSuccess('POST', await send(at, 'create', baseOf(at), own));
}

/** Enters the other CSE as a resource of this one, so that requests can be forwarded to it. */
function enter(at: RegistrationContext, expires: number): void {
  const { base, cseId, cseType, poa } = at.remoteCse;
  const changing = { poa, rr: true, et: timestamp(at, expires) };
  const names = { rn: cseId, csi: `/${cseId}`, cb: `/${cseId}/${base}`, cst: cseTypes[cseType] };
  const [cse, local] = [at.cse(), localPath(at)];
  const answer =
    local === undefined
      ? cse.perform({
          ...{ operation: 'create', to: cse.configuration.base },
          content: { 'm2m:csr': { ...names, ...changing } },
        })
      : cse.perform({ operation: 'update', to: local, content: { 'm2m:csr': changing } });
  if (answer.status.http < 300) return;
  throw new RegistrationRefused(`this CSE cannot create it in its own tree: ${JSON.stringify(answer.content)}`);
}

const localPath = ({ cse, remoteCse }: RegistrationContext) => cse().tree.byAlias(`/${remoteCse.cseId}`)?.id;

const baseOf = ({ remoteCse: { cseId, base } }: RegistrationContext) => `/${cseId}/${base}`;

const ownResource = (at: RegistrationContext) => `${baseOf(at)}/${at.cse().configuration.cseId}`;

const timestamp = ({ cse }: RegistrationContext, microseconds: number) =>
  cse().configuration.dialect.write('timestamp', microseconds);

async function send(
  { sender, remoteCse, cse }: RegistrationContext,
  operation: Operation,
  to: string,
  attributes?: object,
): Promise<OutgoingAnswer> {
  const { configuration, services } = cse();
  const { dialect, releases } = configuration;
  const release = dialect.name === 'onem2m' ? releases.at(-1) : undefined;
  const request: RequestPrimitive = {
    ...{ operation, to, from: services.outgoing.originator, requestIdentifier: randomUUID() },
    ...(release !== undefined && { releaseVersionIndicator: release }),
    ...(operation === 'create' && { resourceType: remoteCseType }),
    ...(attributes !== undefined && { content: { 'm2m:csr': attributes } }),
  };
  return sendToFirst(sender, remoteCse.poa, (url) => toHttp(url, request, { dialect: dialect.name }));
}

const isSuccess = ({ status }: OutgoingAnswer) => status >= 200 && status < 300;

function expectSuccess(method: string, answer: OutgoingAnswer): void {
  if (isSuccess(answer)) return;
  const code = answer.headers['x-m2m-rsc'];
  const detail = typeof answer.body === 'string' && answer.body !== '' ? ` ${answer.body.slice(0, 200)}` : '';
  throw new RegistrationRefused(`${method} was answered with ${answer.status}${code ? `, RSC ${code}` : ''}${detail}`);
}
