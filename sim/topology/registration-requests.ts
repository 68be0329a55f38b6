/** The requests of a registration (`gaps`, row 38): to the other CSE, and to the own tree. */

import { randomUUID } from 'node:crypto';
import type { Cse } from '../core/cse.ts';
import { cseTypes, remoteCseType } from '../core/numbers.ts';
import type { Operation, RequestPrimitive } from '../core/primitive.ts';
import { type OutgoingAnswer, type Sender, sendToFirst } from '../dialects/outgoing-message.ts';
import { toHttp } from './messenger.ts';

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

export interface RegistrationRequestsOptions {
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

/** Every method rejects with an UnreachableError or a RegistrationRefused. Times are microseconds since 1970 UTC. */
export class RegistrationRequests {
  readonly #options: RegistrationRequestsOptions;

  constructor(options: RegistrationRequestsOptions) {
    this.#options = options;
  }

  /** How the other CSE is called in messages. */
  get remote(): string {
    return this.#options.remoteCse.cseId;
  }

  /** Registers, or takes over a registration of a former life, and enters the other CSE in the own tree. */
  async register(expires: number): Promise<void> {
    const { base, cseId, cseType, dialect, releases } = this.#options.cse().configuration;
    const shared = {
      et: this.#timestamp(expires),
      lbl: this.#options.labels,
      poa: this.#options.remoteCse.ownPoa,
      rr: true,
      ...(dialect.name === 'onem2m' && { srv: releases }),
    };
    const own = { rn: cseId, csi: `/${cseId}`, cb: `/${cseId}/${base}`, cst: cseType, ...shared };
    const answer = await this.#send('create', this.#base, own);
    if (answer.status === 409 || answer.headers['x-m2m-rsc'] === alreadyRegistered) await this.#takeOver(shared, own);
    else expectSuccess('POST', answer);
    expectSuccess('GET', await this.#send('retrieve', this.#base));
    this.#enter(expires);
  }

  /** Lets the registration live until then. */
  async renew(expires: number): Promise<void> {
    expectSuccess('PUT', await this.#send('update', this.#ownResource, { et: this.#timestamp(expires) }));
    this.#enter(expires);
  }

  /** Whether the registration still stands on both sides. A refusal to show it says nothing to the contrary. */
  async isKnown(): Promise<boolean> {
    const { status } = await this.#send('retrieve', this.#ownResource);
    return status !== 404 && this.#localPath() !== undefined;
  }

  async deregister(): Promise<void> {
    const local = this.#localPath();
    if (local !== undefined) this.#options.cse().perform({ operation: 'delete', to: local });
    const answer = await this.#send('delete', this.#ownResource);
    if (answer.status !== 404) expectSuccess('DELETE', answer);
  }

  /** An update keeps what stands below the registration; where that is refused, the registration is made anew. */
  async #takeOver(shared: object, own: object): Promise<void> {
    const updated = await this.#send('update', this.#ownResource, shared);
    if (isSuccess(updated)) return;
    await this.#send('delete', this.#ownResource);
    expectSuccess('POST', await this.#send('create', this.#base, own));
  }

  /** The other CSE as a resource of this one, so that requests find the way to it. */
  #enter(expires: number): void {
    const { remoteCse } = this.#options;
    const cse = this.#options.cse();
    const { base, cseId, cseType, poa } = remoteCse;
    const et = this.#timestamp(expires);
    const local = this.#localPath();
    const content = {
      'm2m:csr': { rn: cseId, csi: `/${cseId}`, cb: `/${cseId}/${base}`, cst: cseTypes[cseType], poa, rr: true, et },
    };
    const answer =
      local === undefined
        ? cse.perform({ operation: 'create', to: cse.configuration.base, content })
        : cse.perform({ operation: 'update', to: local, content: { 'm2m:csr': { et, poa, rr: true } } });
    if (answer.status.http < 300) return;
    const shown = JSON.stringify(answer.content);
    throw new RegistrationRefused(`this CSE cannot enter it in its own tree: ${shown}`);
  }

  #localPath(): string | undefined {
    return this.#options.cse().tree.byAlias(`/${this.remote}`)?.id;
  }

  get #base(): string {
    const { cseId, base } = this.#options.remoteCse;
    return `/${cseId}/${base}`;
  }

  get #ownResource(): string {
    return `${this.#base}/${this.#options.cse().configuration.cseId}`;
  }

  #timestamp(microseconds: number): unknown {
    return this.#options.cse().configuration.dialect.write('timestamp', microseconds);
  }

  async #send(operation: Operation, to: string, attributes?: object): Promise<OutgoingAnswer> {
    const { sender, remoteCse, cse } = this.#options;
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
}

const isSuccess = ({ status }: OutgoingAnswer) => status >= 200 && status < 300;

function expectSuccess(method: string, answer: OutgoingAnswer): void {
  if (isSuccess(answer)) return;
  const code = answer.headers['x-m2m-rsc'];
  const told = typeof answer.body === 'string' && answer.body !== '' ? ` ${answer.body.slice(0, 200)}` : '';
  throw new RegistrationRefused(`${method} was answered with ${answer.status}${code ? `, RSC ${code}` : ''}${told}`);
}
