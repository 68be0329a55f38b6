import type { Dialect } from '../../engine/grammar/dialects.ts';
import { isSuccess, viewOf } from '../../engine/judging/answer.ts';
import type { CseNames } from '../../engine/messages/address.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import { AcceptedRequests } from './accepted-requests.ts';
import { limits } from './attribute-tables.ts';
import { standingOf } from './certificate-standing.ts';
import { doubt, doubtInstances, forgetReferences, noteFull, settle, unsettle, updateOf } from './changes.ts';
import { fullIn, mayChange } from './effects.ts';
import { noteCreated, noteDeleted } from './existence.ts';
import {
  certainlyLasts,
  confirm,
  isGone,
  isLimited,
  isSame,
  type KnownResource,
  keyOf,
  mayAge,
  type Requester,
  senderKey,
  takeOver,
} from './known-resource.ts';
import { isDoneByAll, membersReached } from './members.ts';
import { type AttributeMap, type ParsedRequest, parseRequest } from './parsed-request.ts';
import { ResourceIndex } from './resource-index.ts';
import { typeOfRoot } from './resource-types.ts';
import type { SeenExchange, SendFacts } from './seen-exchange.ts';
import { doubtAddressed, doubtAt, doubtBelow } from './touched.ts';

interface FanOutRequest {
  readonly method: string;
  readonly attributes: AttributeMap;
  readonly sender: Requester;
  /** Resource keys. */
  readonly members: ReadonlySet<string>;
}

/**
 * Tracks the resources that a run created at a CSE, with their representations. It knows nothing of resources with an uncertain state
 * (no answer, a request that servers read differently).
 */
export class Observation {
  readonly names: CseNames;
  readonly dialect: Dialect;
  readonly index = new ResourceIndex();
  readonly #recent = new Set<KnownResource>();
  readonly isSecure: boolean;
  readonly #demandsCertificate: boolean | undefined;
  /** Whether the target is known to enforce access control policies. */
  readonly looksAtPolicies: boolean | undefined;
  readonly #acceptedSenders = new Set<string>();
  readonly accepted = new AcceptedRequests();
  /** Whether virtual time passed, so that the clock of the CSE differs. */
  timePassed = false;
  /** Milliseconds of virtual time, and the time of the last answer including them. */
  #ahead = 0;
  #now = 0;
  /** Constant attributes of the CSE base, as read. */
  readonly base = new Map<string, unknown>();
  /** The last fan-out that all members reported as done, until anything else changes. */
  lastFanOut?: FanOutRequest | undefined;
  /** The resource identifier of the CSE base, as read. */
  baseIdentifier: unknown;

  constructor(
    names: CseNames & { readonly url?: string },
    dialect: Dialect,
    { demandsCertificate, looksAtPolicies }: Partial<Record<'demandsCertificate' | 'looksAtPolicies', boolean>> = {},
  ) {
    this.names = names;
    this.dialect = dialect;
    this.#demandsCertificate = demandsCertificate;
    this.looksAtPolicies = looksAtPolicies;
    this.isSecure = names.url?.startsWith('https:') === true;
  }

  get all(): readonly KnownResource[] {
    return this.index.all;
  }

  /** Undefined if the request is ambiguous, or for another CSE. */
  see(sent: Exchange, facts: SendFacts): SeenExchange | undefined {
    const { isOrdinary, isConcurrent = false, isThrough = false, uris } = facts;
    const exchange = this.#ahead === 0 ? sent : { ...sent, at: sent.at + this.#ahead };
    this.#now = Math.max(this.#now, exchange.at + exchange.took);
    const read = parseRequest(exchange, this.names, this.dialect);
    if (read === undefined && mayChange(exchange)) this.doubtAll();
    if (read === undefined || read === 'elsewhere') return undefined;
    const request = this.#isBase(read) ? { ...read, names: [] } : read;
    const resource = this.#addressed(request);
    const rn = request.operation === 'create' ? request.attributes?.rn : undefined;
    const names = typeof rn === 'string' ? [...(resource?.names ?? []), rn] : [];
    const before = this.index.named(names);
    const sender = { originator: request.headers.get('x-m2m-origin'), certificate: exchange.certificate };
    const standing = this.#demandsCertificate ? standingOf({ ...sender, uris }) : undefined;
    return {
      ...{ request, sender, exchange, isOrdinary, isConcurrent, isThrough },
      isAuthenticated: this.#isAuthenticated(sender, standing),
      atBase: request.names.length === 0 && request.virtual === undefined,
      ...(standing && { standing }),
      ...(resource && { resource }),
      ...(before && { before }),
      isUnclear: this.index.isUnclear(names),
    };
  }

  #isAuthenticated(sender: Requester, standing: SeenExchange['standing']): boolean {
    const isOwn = standing === undefined || standing === 'of the originator';
    return isOwn && (!this.isSecure || this.#acceptedSenders.has(senderKey(sender)));
  }

  /** Takes note of the effects of an exchange. */
  take(seen: SeenExchange): void {
    const { request, exchange, resource } = seen;
    if (isSuccess(exchange)) this.#acceptedSenders.add(senderKey(seen.sender));
    if (request.operation === 'retrieve') this.#read(seen);
    if (request.operation === 'discover') this.index.noteFound(request.query.get('lbl'), viewOf(exchange).found);
    // An instance that does not fit may evict others, even if it is refused.
    if (request.operation === 'create' && resource !== undefined && isLimited(resource)) doubtInstances(resource);
    if (!mayChange(exchange)) return;
    this.#outlive();
    const members = membersReached(seen, this.index, this.names);
    if (members === undefined) this.#changed(seen);
    else this.#fanOut(members, seen);
  }

  #changed(seen: SeenExchange): void {
    const { request, resource, atBase } = seen;
    if (resource === undefined && !atBase) doubtAddressed(seen, this);
    if (request.operation === 'create') noteCreated(seen, this);
    else if (request.operation === 'delete') noteDeleted(seen, this);
    else if (request.operation === 'update' && resource !== undefined) {
      if (updateOf(resource, seen, this.dialect, true)) this.accepted.note(seen, resource);
    } else if (request.operation === 'other') this.#doneOtherwise(seen);
  }

  /** An unknown operation on all members of a group, or on the addressed resource; what a polling channel receives is for others. */
  #doneOtherwise(seen: SeenExchange): void {
    const { request, resource, atBase, exchange } = seen;
    const isAnything = request.names.includes('fopt') || (atBase && exchange.request.method !== 'POST');
    if (isAnything) this.doubtAll();
    else if (resource !== undefined) doubtAt(resource, seen, this);
    else if (atBase) doubtBelow([], seen, this);
  }

  /** Forgets the reached members, their descendants and subscriptions. */
  #fanOut(members: readonly KnownResource[], { request, exchange, sender }: SeenExchange): void {
    const { method } = exchange.request;
    const isWhole = request.names.at(-1) === 'fopt' && request.virtual === undefined && request.query.size === 0;
    if (isWhole && members.every((one) => !isLimited(one)) && isDoneByAll(exchange, members.length)) {
      const keys = new Set(members.map(({ names }) => keyOf(names)));
      this.lastFanOut = { method, attributes: request.attributes ?? {}, sender, members: keys };
    }
    for (const one of members) {
      forgetReferences(this.all, one);
      this.index.forget(one.names);
      const watching = (one.parent?.children ?? []).filter(({ type }) => type === 'subscription');
      for (const { names } of watching) this.index.forget(names);
    }
  }

  forget(): void {
    this.index.forgetAll();
    this.base.clear();
    this.baseIdentifier = undefined;
  }

  /** Virtual time passed, in milliseconds: resources may have expired. */
  passTime(milliseconds: number): void {
    this.timePassed = true;
    this.#ahead += milliseconds;
    this.#now += milliseconds;
    for (const one of this.all.filter((one) => !isGone(one))) {
      if (!certainlyLasts(one, this.#now)) {
        forgetReferences(this.all, one);
        unsettle(one);
      } else if (mayAge(one)) doubtInstances(one);
    }
    this.#outlive();
  }

  doubtAll(): void {
    for (const one of this.all) doubt(one);
    this.#outlive();
    // In the standard, one request can change any resource, as a fan-out does.
    if (this.dialect === 'onem2m') this.index.forgetAll();
  }

  #outlive(): void {
    this.lastFanOut = undefined;
    for (const one of this.#recent) one.recent = undefined;
    this.#recent.clear();
  }

  #addressed({ form, names }: ParsedRequest): KnownResource | undefined {
    if (form !== 'identifier') return this.index.named(names);
    const [identifier, ...below] = names;
    const one = this.index.identified(identifier);
    if (one?.confirmed.has('ri') !== true) return undefined;
    return below.length === 0 ? one : this.index.named([...one.names, ...below]);
  }

  /** Whether the identifier is that of the CSE base, as read or as the confirmed parent of a resource. */
  #isBase({ form, names, virtual }: ParsedRequest): boolean {
    const [identifier, ...below] = names;
    if (this.dialect !== 'onem2m' || form !== 'identifier' || below.length > 0 || virtual !== undefined) return false;
    const isParent = ({ parent, returned, confirmed }: KnownResource) =>
      parent === undefined && confirmed.has('pi') && returned.get('pi') === identifier;
    return this.baseIdentifier === identifier || this.all.some(isParent);
  }

  /** Takes over the representation of a read. */
  #noteReturned(seen: SeenExchange): void {
    const { exchange, resource, request, sender } = seen;
    const { attributes, root } = viewOf(exchange);
    if (resource === undefined || request.virtual !== undefined) return;
    const isReturned = attributes !== undefined && typeOfRoot(root, this.dialect)?.name === resource.type;
    const isMissing = exchange.answer?.status === 404 && isSame(resource.createdBy, sender);
    if (isReturned || isMissing) settle(resource, isReturned);
    if (!isReturned) return;
    takeOver(resource, attributes, ['lt', ...limits]);
    resource.full.clear();
    noteFull(resource, seen);
    if (request.form === 'CSE-relative' && request.query.size === 0) {
      resource.recent = { sender, returned: attributes };
      this.#recent.add(resource);
    }
    confirm(resource, attributes);
    this.index.note(resource);
  }

  #read(seen: SeenExchange): void {
    const { request, exchange, atBase } = seen;
    const { attributes, root } = viewOf(exchange);
    if (atBase && root === 'm2m:cb') this.baseIdentifier = attributes?.ri;
    if (atBase) this.#readBase(seen);
    // The interface specification does not show other forms.
    const isUsual = request.form === 'CSE-relative' || request.form === 'SP-relative';
    if (isUsual || this.dialect === 'onem2m') this.#noteReturned(seen);
  }

  #readBase(seen: SeenExchange): void {
    const full = fullIn(seen) ?? {};
    for (const name of ['ri', 'pi', 'ct', 'csi', 'cst', 'csz', 'ici', 'lbl', 'poa', 'spi', 'srt', 'srv'])
      if (Object.hasOwn(full, name) && !this.base.has(name)) this.base.set(name, full[name]);
  }
}
