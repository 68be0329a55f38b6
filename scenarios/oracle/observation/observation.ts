import type { Dialect } from '../../engine/grammar/dialects.ts';
import { isSuccess, viewOf } from '../../engine/judging/answer.ts';
import type { CseNames } from '../../engine/messages/address.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import { askedIn, type ParsedRequest } from './asked.ts';
import { limits } from './attribute-tables.ts';
import { standingOf } from './certified.ts';
import {
  countChange,
  doubt,
  doubtInstances,
  forgetReferences,
  heldFrom,
  type Made,
  settle,
  showWhole,
  unsettle,
  updateOf,
} from './changes.ts';
import { isDeletion, madeBy, mayChange, wholeIn } from './effects.ts';
import {
  certainlyLasts,
  confirm,
  type Held,
  isGone,
  isLimited,
  isSame,
  isThere,
  keyOf,
  leaveOpen,
  mayAge,
  mayBeOver,
  type Requester,
  type Shown,
  takeOver,
  whoIs,
} from './held.ts';
import { isDoneByAll, reachedBy } from './members.ts';
import { Places } from './places.ts';
import { typeOfRoot } from './resource-types.ts';
import type { Seen, Sent } from './seen.ts';
import { Taken } from './taken-before.ts';
import { doubtAddressed, doubtAt, doubtBelow } from './touched.ts';

/** What all members of a group were asked for. */
interface Reached {
  readonly method: string;
  readonly given: Shown;
  readonly sender: Requester;
  /** By their keys. */
  readonly members: ReadonlySet<string>;
}

/**
 * What a run made true at a CSE, and what it was shown of it. It follows only what the run created; of what nobody can
 * tell (no answer came, a request that servers read differently) it knows nothing.
 */
export class Observation {
  readonly names: CseNames;
  readonly dialect: Dialect;
  readonly places = new Places();
  /** Those of which a recent read is known. */
  readonly #lately = new Set<Held>();
  readonly isSecure: boolean;
  readonly #demandsCertificate: boolean | undefined;
  /** Whether the target is known to, so that its answers show rights. */
  readonly looksAtPolicies: boolean | undefined;
  /** Senders of which a request was accepted. */
  readonly #accepted = new Set<string>();
  readonly taken = new Taken();
  /** Whether time was let pass, so that the clock of the service is another. */
  timePassed = false;
  /** Milliseconds that were let pass, beside those that passed by themselves; and when the last answer had come, with them. */
  #ahead = 0;
  #now = 0;
  /** What stays of the CSE base, as it was read. */
  readonly base = new Map<string, unknown>();
  /** What each member of a group was asked for, and said that it did, until anything else changes. */
  reachedLast?: Reached | undefined;
  /** The identifier of the CSE base, as it was read. */
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

  get all(): readonly Held[] {
    return this.places.all;
  }

  /** Undefined where nothing can be told of what was asked. */
  see(sent: Exchange, { isOrdinary, isTwin = false, isThrough = false, uris }: Sent): Seen | undefined {
    const exchange = this.#ahead === 0 ? sent : { ...sent, at: sent.at + this.#ahead };
    this.#now = Math.max(this.#now, exchange.at + exchange.took);
    const read = askedIn(exchange, this.names, this.dialect);
    if (read === 'elsewhere') return undefined;
    if (read === undefined) {
      if (mayChange(exchange)) this.doubtAll();
      return undefined;
    }
    const asked = this.#isBase(read) ? { ...read, names: [] } : read;
    const held = this.#addressed(asked);
    const rn = asked.operation === 'create' ? asked.given?.rn : undefined;
    const place = typeof rn === 'string' ? [...(held?.names ?? []), rn] : [];
    const before = this.places.named(place);
    const sender = { originator: asked.headers.get('x-m2m-origin'), certificate: exchange.certificate };
    const standing = this.#demandsCertificate ? standingOf({ ...sender, uris }) : undefined;
    const atBase = asked.names.length === 0 && asked.virtual === undefined;
    const isAuthenticated = this.#isAuthenticated(sender, standing);
    return {
      ...{ asked, sender, exchange, isOrdinary, isTwin, isThrough, isAuthenticated, atBase },
      ...(standing && { standing }),
      ...(held && { held }),
      ...(before && { before }),
      isUnclear: this.places.isUnclear(place),
    };
  }

  #isAuthenticated(sender: Requester, standing: Seen['standing']): boolean {
    const isOwn = standing === undefined || standing === 'of the originator';
    return isOwn && (!this.isSecure || this.#accepted.has(whoIs(sender)));
  }

  /** Takes note of what has become of an exchange. */
  take(seen: Seen): void {
    const { asked, exchange, held } = seen;
    if (isSuccess(exchange)) this.#accepted.add(whoIs(seen.sender));
    if (asked.operation === 'retrieve') this.#read(seen);
    if (asked.operation === 'discover') this.#found(seen);
    // What does not fit may cost what is there, even where it is refused.
    if (asked.operation === 'create' && held !== undefined && isLimited(held)) doubtInstances(held);
    if (!mayChange(exchange)) return;
    this.#outlive();
    const members = reachedBy(seen, this.places, this.names);
    if (members === undefined) this.#changed(seen);
    else this.#reached(members, seen);
  }

  #changed(seen: Seen): void {
    const { asked, held, atBase } = seen;
    if (held === undefined && !atBase) doubtAddressed(seen, this);
    if (asked.operation === 'create') this.#created(seen);
    else if (asked.operation === 'delete') this.#deleted(seen);
    else if (asked.operation === 'update' && held !== undefined) {
      if (updateOf(held, seen, { dialect: this.dialect, isTold: true })) this.taken.note(seen, held);
    } else if (asked.operation === 'other') this.#doneOtherwise(seen);
  }

  /** By all members of a group, whoever they are, and by what is addressed; what is brought to a polling channel is for others. */
  #doneOtherwise(seen: Seen): void {
    const { asked, held, atBase, exchange } = seen;
    const isAnything = asked.names.includes('fopt') || (atBase && exchange.request.method !== 'POST');
    if (isAnything) this.doubtAll();
    else if (held !== undefined) doubtAt(held, seen, this);
    else if (atBase) doubtBelow([], seen, this);
  }

  /** Anything may have become of those that a request reached, and of what stands below and watches them. */
  #reached(members: readonly Held[], { asked, exchange, sender }: Seen): void {
    const { method } = exchange.request;
    const isWhole = asked.names.at(-1) === 'fopt' && asked.virtual === undefined && asked.query.size === 0;
    if (isWhole && members.every((one) => !isLimited(one)) && isDoneByAll(exchange, members.length)) {
      const keys = new Set(members.map(({ names }) => keyOf(names)));
      this.reachedLast = { method, given: asked.given ?? {}, sender, members: keys };
    }
    for (const one of members) {
      forgetReferences(this.all, one);
      this.places.forget(one.names);
      const watching = (one.parent?.children ?? []).filter(({ type }) => type === 'subscription');
      for (const { names } of watching) this.places.forget(names);
    }
  }

  /** Nothing is known any more. */
  forget(): void {
    this.places.forgetAll();
    this.base.clear();
    this.baseIdentifier = undefined;
  }

  /** Milliseconds were let pass: what need not last so long may be gone. */
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
    // By the standard anything may have become of anything, as by an update of all members of a group.
    if (this.dialect === 'onem2m') this.places.forgetAll();
  }

  /** No read is recent any more. */
  #outlive(): void {
    this.reachedLast = undefined;
    for (const one of this.#lately) one.recent = undefined;
    this.#lately.clear();
  }

  #addressed({ form, names }: ParsedRequest): Held | undefined {
    if (form !== 'identifier') return this.places.named(names);
    const [identifier, ...below] = names;
    const one = this.places.identified(identifier);
    if (one?.confirmed.has('ri') !== true) return undefined;
    return below.length === 0 ? one : this.places.named([...one.names, ...below]);
  }

  /** Whether it is called by the identifier that was read, or that what stands below it has shown twice as that of its parent. */
  #isBase({ form, names, virtual }: ParsedRequest): boolean {
    const [identifier, ...below] = names;
    if (this.dialect !== 'onem2m' || form !== 'identifier' || below.length > 0 || virtual !== undefined) return false;
    const isParent = ({ parent, shown, confirmed }: Held) =>
      parent === undefined && confirmed.has('pi') && shown.get('pi') === identifier;
    return this.baseIdentifier === identifier || this.all.some(isParent);
  }

  #created(seen: Seen): void {
    const { held, atBase, before, isUnclear } = seen;
    if (held === undefined && !atBase) return;
    const made = this.madeIn(seen);
    if (made !== undefined) {
      this.#add(seen, { ...made, ...(held && { parent: held }) });
      return;
    }
    if (held !== undefined) leaveOpen(held);
    if (isUnclear) return;
    if (this.dialect === 'onem2m') this.places.forgetGoneBelow(held);
    if (before === undefined) return;
    doubt(before);
    this.places.forget(before.names);
  }

  /** Where it is certain what was made: what was accepted twice may be the old one, the new one or both. */
  madeIn(seen: Seen): ReturnType<typeof madeBy> {
    const { before, isUnclear } = seen;
    const isFree = !isUnclear && (before === undefined || isGone(before));
    return isFree || this.#isNew(seen) ? madeBy(seen, this.dialect) : undefined;
  }

  /** Whether nothing else can stand there any more: it is shown with an identifier of its own, where something was not certainly there before. */
  #isNew({ before, exchange }: Seen): boolean {
    const ri = viewOf(exchange).attributes?.ri;
    const mayBeGone = before === undefined || !isThere(before, exchange.at);
    return typeof ri === 'string' && mayBeGone && this.places.showing('ri', ri).length === 0;
  }

  #add(seen: Seen, made: Made): void {
    const { parent } = made;
    if (seen.before !== undefined) seen.before.state = 'gone';
    const held = heldFrom(seen, made, this.dialect);
    this.places.add(held);
    if (parent !== undefined && mayBeOver(parent)) unsettle(held);
    showWhole(held, seen);
    countChange(parent, { isCertain: held.type.endsWith('-instance') });
    this.taken.note(seen, held);
  }

  #deleted(seen: Seen): void {
    const { asked, held } = seen;
    forgetReferences(this.all, asked.virtual === undefined ? held : undefined);
    if (held === undefined) return;
    countChange(held.parent, { isCertain: false });
    if (asked.virtual !== undefined) {
      doubtInstances(held);
      if (!isDeletion(seen, this.dialect)) held.isComplete = false;
    } else if (isDeletion(seen, this.dialect)) {
      held.state = 'gone';
      held.goneAt = seen.exchange.at + seen.exchange.took;
    } else doubt(held);
  }

  /** What a read shows is known from then on. */
  #shown(seen: Seen): void {
    const { exchange, held, asked, sender } = seen;
    const { attributes, root } = viewOf(exchange);
    if (held === undefined || asked.virtual !== undefined) return;
    const isShown = attributes !== undefined && typeOfRoot(root, this.dialect)?.name === held.type;
    if (isShown || (exchange.answer?.status === 404 && isSame(held.createdBy, sender))) settle(held, isShown);
    if (!isShown) return;
    takeOver(held, attributes, ['lt', ...limits]);
    held.whole.clear();
    showWhole(held, seen);
    if (asked.form === 'CSE-relative' && asked.query.size === 0) {
      held.recent = { sender, shown: attributes };
      this.#lately.add(held);
    }
    confirm(held, attributes);
    this.places.note(held);
  }

  #read(seen: Seen): void {
    const { asked, exchange, atBase } = seen;
    const { attributes, root } = viewOf(exchange);
    if (atBase && root === 'm2m:cb') this.baseIdentifier = attributes?.ri;
    if (atBase) this.#readBase(seen);
    // What other forms lead to is not shown.
    if (this.dialect === 'onem2m' || asked.form === 'CSE-relative' || asked.form === 'SP-relative') this.#shown(seen);
  }

  #readBase(seen: Seen): void {
    const shown = wholeIn(seen) ?? {};
    for (const name of ['ri', 'pi', 'ct', 'csi', 'cst', 'csz', 'ici', 'lbl', 'poa', 'spi', 'srt', 'srv'])
      if (Object.hasOwn(shown, name) && !this.base.has(name)) this.base.set(name, shown[name]);
  }

  #found({ asked, exchange }: Seen): void {
    const paths = (viewOf(exchange).found ?? []).map(String);
    this.places.noteFound(asked.query.get('lbl'), paths);
  }
}
