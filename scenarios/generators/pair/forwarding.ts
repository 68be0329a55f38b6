import { loadRequirements } from '../../engine/files/catalogue.ts';
import type { Site } from '../../engine/running/installation.ts';
import type { Forwarding } from '../family.ts';
import { addressOf } from '../model/address.ts';
import { type Expected, expected, textOf, whenPresent } from '../model/expected.ts';
import type { ModelResource } from '../model/resource.ts';
import { type Attempt, ask, type Came, type Ground, type Move, type Part, pick } from '../moves/move.ts';
import { moveOf } from '../moves/moves.ts';
import { read } from '../moves/read.ts';
import { type Doing, namesToChoose, type Operation } from '../operations/operation.ts';
import { otherSite, type WayThrough } from './route.ts';
import { directly, expectationsThrough, handedOn, requirementOf, sameAs, sentTo, sites } from './through.ts';

/**
 * Operations through the other CSE. What such a request is answered is a gap, and so is what it does: the CSE that is meant is asked
 * directly afterwards, and what it shows is from then on held by it as if it had been asked directly.
 */
export class DocumentedForwarding implements Forwarding<Operation> {
  readonly #grounds: Readonly<Record<Site, Ground>>;
  readonly #requirements = loadRequirements().requirements;
  isOpen = false;

  constructor(grounds: Readonly<Record<Site, Ground>>) {
    this.#grounds = grounds;
  }

  *move(operation: Operation, way: WayThrough): Move {
    if (operation.does === 'retrieve') return yield* this.#retrieve(operation, way);
    const move = moveOf(prepared(operation), this.#grounds[way.at]);
    let next = move.next();
    while (!next.done) {
      const attempt = next.value;
      const through = attempt.about.operation.startsWith(operation.does);
      const came = through ? yield* this.#carry(attempt, way) : yield* this.#look(attempt, operation, way);
      if (this.isOpen) return;
      next = move.next(came);
    }
  }

  /** All that other requests change without naming it is the same through the other CSE. */
  *look(at: Site): Move {
    for (const container of this.#grounds[at].model.all('container')) {
      if (container.parent?.known !== false)
        yield* this.#compare(container, 'structured', { at, through: 'SP-relative' });
    }
  }

  /** Of each CSE, as the other one holds it. */
  *lookAtRegistrations(): Move {
    for (const site of sites) {
      const { model, plain } = this.#grounds[site];
      const { cseId } = this.#grounds[otherSite(site)].model.names;
      const step = { retrieve: `/${model.names.base}/${cseId}` };
      yield directly(ask(step, 'look at the registration', registrationOf(cseId, site, plain)), site);
    }
  }

  #isDocumented(requirement: string): boolean {
    return this.#requirements.get(requirement)?.level === 'documented';
  }

  *#retrieve({ what, form }: Doing<'retrieve'>, way: WayThrough): Move {
    const resource = pick(this.#grounds[way.at].model.all(), what);
    if (resource !== undefined) yield* this.#compare(resource, form, way);
  }

  /** Read directly, and then through the other CSE. */
  *#compare(resource: ModelResource, form: Doing<'retrieve'>['form'], way: WayThrough): Move {
    const ground = this.#grounds[way.at];
    const before = yield* sentTo(way.at, read(resource, ground));
    if (before.outcome !== 'success') return;
    const identifier = form.endsWith('identifier') ? addressOf(resource, 'identifier', ground.model) : undefined;
    const path = identifier ?? addressOf(resource, 'structured', ground.model) ?? '';
    yield* this.#readThrough(path, resource.kind, way, before);
  }

  /** What was read directly just before. */
  *#readThrough(retrieve: string, kind: string | undefined, way: WayThrough, { view }: Came): Part<void> {
    const isAbsolute = way.through === 'absolute';
    const requirement = isAbsolute ? 'forwarding.absolute-form' : requirementOf({ retrieve }, way);
    const expectations = [expected(requirement, { status: 200 }), ...sameAs(view)];
    yield* this.#through(ask({ retrieve }, 'retrieve', expectations, kind === undefined ? {} : { kind }), way);
  }

  /** Only where the other CSE can vouch for who asks. */
  *#through(attempt: Attempt, way: WayThrough): Part<void> {
    const through = handedOn(attempt, way, this.#grounds[way.at].model.names);
    if (through !== undefined && this.#isVouchedFor('nobody', way)) yield through;
  }

  *#carry(attempt: Attempt, way: WayThrough): Part<Came> {
    const through = handedOn(attempt, way, this.#grounds[way.at].model.names);
    if (through === undefined) return yield directly(attempt, way.at);
    const { step } = through;
    const direct = 'discover' in step ? listedIn(yield directly(attempt, way.at)) : attempt.expectations;
    const isVouchedFor = this.#isVouchedFor(attempt.by, way);
    const judged = isVouchedFor ? expectationsThrough(direct, step, way, (id) => this.#isDocumented(id)) : [];
    const came = yield { ...through, expect: 'either', expectations: judged };
    // A refusal that says that the other CSE was not reached, or does not say why, leaves open what became of the request.
    const isOfHost = came.view.rsc !== undefined && came.view.rsc !== 5103;
    const known = came.outcome === 'refused' && !isOfHost ? { ...came, outcome: 'lost' as const } : came;
    const path = attempt.about.operation.startsWith('create wrongly') ? undefined : changed(attempt);
    return path === undefined ? known : yield* this.#confirmed(path, attempt, known, way);
  }

  /** Over TLS a CSE speaks for itself and for those below it: whoever belongs to another may be refused. */
  #isVouchedFor(by: string, { at }: WayThrough): boolean {
    const { plain, anyOriginator, originator } = this.#grounds[at];
    const entry = otherSite(at);
    if (plain || (anyOriginator && originator === undefined && (by !== 'visitor' || entry === 'gateway'))) return true;
    const { cseId, spId } = this.#grounds[entry].model.names;
    return originator?.startsWith(`//${spId}/${cseId}/`) === true;
  }

  /** After a creation or an update: what the CSE that is meant shows itself. */
  *#confirmed(path: string, attempt: Attempt, came: Came, way: WayThrough): Part<Came> {
    const done = came.outcome === 'success';
    const isDone = expected(requirementOf(attempt.step, way), { status: 200 });
    const expectations = done ? [isDone, ...sameAs(came.view), ...this.#creator(attempt, way)] : [];
    const { kind = 'CSE base' } = attempt.about;
    const operation = 'look at what was asked through the other CSE';
    const shown = yield directly(ask({ retrieve: path }, operation, expectations, { kind }), way.at);
    const isThere = shown.outcome === 'success';
    this.isOpen = 'create' in attempt.step ? isThere !== done : done && !isThere;
    if (isThere) yield* this.#readThrough(path, attempt.about.kind, way, shown);
    return done ? shown : came;
  }

  /** The originator arrives in its absolute form. */
  #creator({ step, by }: Attempt, { at }: WayThrough): Expected[] {
    if (!('create' in step) || step.create !== 'container') return [];
    const { model, anyOriginator } = this.#grounds[at];
    const { cseId, spId } = this.#grounds[otherSite(at)].model.names;
    const { cseId: gateway } = this.#grounds.gateway.model.names;
    const { label } = model.names;
    if (!anyOriginator) {
      const own = ['nobody', `//${spId}/${cseId}`];
      return [whenPresent('forwarding.mutual-tls', 'cr', { not: { 'one of': own } })];
    }
    if (by === 'nobody') return [];
    const originator = by === 'visitor' ? `//${spId}/${gateway}/${label}` : `//${spId}/${cseId}/C${label}-guest`;
    return [textOf('forwarding.originator', 'cr', originator)];
  }

  /** What a move looks at afterwards. A refusal arrives through the other CSE as it is. */
  *#look(attempt: Attempt, { does }: Operation, way: WayThrough): Part<Came> {
    const { step } = attempt;
    const isOfRemoval = does.startsWith('delete');
    const removed = attempt.expectations.some(({ requirement }) => requirement === goneRequirement);
    const expectations = attempt.expectations.map((one) =>
      isOfRemoval && one.requirement === goneRequirement ? { ...one, requirement: 'forwarding.delete' } : one,
    );
    const came = yield directly({ ...attempt, expectations }, way.at);
    if (removed && isOfRemoval) this.isOpen = came.outcome !== 'refused';
    if (removed && 'retrieve' in step && !this.isOpen) {
      const refused = expected('forwarding.errors', { status: came.view.status ?? 404 });
      yield* this.#through(ask(step, 'retrieve what is gone', [refused]), way);
    }
    return came;
  }
}

const goneRequirement = 'lifecycle.removed-is-gone';

/** With a name of its own, by which it can be looked for, and in the form of path to which the name of the CSE is added. */
function prepared(operation: Operation): Operation {
  if (operation.does === 'create') return { ...operation, name: operation.name % namesToChoose, form: 'structured' };
  return 'form' in operation ? { ...operation, form: 'structured' } : operation;
}

/** What a discovery lists directly is listed through the other CSE; how addresses are written is a gap. */
function listedIn({ view: { found = [] } }: Came): Expected[] {
  const each = found.map((one) => ({ contains: { 'ends with': String(one).split('/').at(-1) ?? '' } }));
  const list = { 'all of': [{ length: found.length }, ...each] };
  return [expected('discovery.by-label.status', { status: 200, found: { 'when present': list } })];
}

/** The path of what an attempt creates or changes. */
function changed({ step }: Attempt): string | undefined {
  if ('update' in step) return step.update;
  const name = 'create' in step ? step.attributes?.rn : undefined;
  return 'create' in step && typeof name === 'string' ? `${step.in}/${name}` : undefined;
}

function registrationOf(cseId: string, site: Site, plain: boolean): Expected[] {
  const shown = { status: 200, root: 'm2m:csr', attributes: { csi: `/${cseId}` } };
  const labels = whenPresent('registration.labels', 'lbl', { every: { is: 'text' } });
  return [
    expected(`registration.exchange.at-${site}`, shown),
    ...(site === 'backend' ? [labels] : []),
    ...(plain ? [] : [whenPresent('registration.https-scheme', 'poa', { every: { 'starts with': 'https://' } })]),
  ];
}
