import type { Site } from '../../engine/running/installation.ts';
import { addressOf } from '../model/address.ts';
import { type Expected, expected, textOf, whenPresent } from '../model/expected.ts';
import type { Resource } from '../model/resource.ts';
import { type Attempt, type Came, type Ground, type Move, type Part, pick } from '../moves/move.ts';
import { moveOf } from '../moves/moves.ts';
import { read } from '../moves/read.ts';
import { type Doing, namesToChoose, type Operation } from '../operations/operation.ts';
import { otherSite, type Route } from './route.ts';
import { sameAs } from './same.ts';
import { expectationsThrough, pathThrough, requirementOf, stepThrough, type Through } from './through.ts';

type Way = Route & { readonly through: Through };
type Timeless = Exclude<Operation, { does: 'advance time' }>;

/**
 * Operations through the other CSE. What such a request is answered is a gap, and so is what it does: the CSE that is meant is asked
 * directly afterwards, and what it shows is from then on held by it as if it had been asked directly.
 */
export class Forwarding {
  readonly #grounds: Readonly<Record<Site, Ground>>;
  readonly #isDocumented: (requirement: string) => boolean;
  /** Whether it cannot be told any more what either CSE holds, since a request did something else than it was answered. */
  isOpen = false;

  constructor(grounds: Readonly<Record<Site, Ground>>, isDocumented: (requirement: string) => boolean) {
    this.#grounds = grounds;
    this.#isDocumented = isDocumented;
  }

  *move(operation: Timeless, way: Way): Move {
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

  *#retrieve({ what, form }: Doing<'retrieve'>, way: Way): Move {
    const resource = pick(this.#grounds[way.at].model.all(), what);
    if (resource !== undefined) yield* this.#compare(resource, form, way);
  }

  /** Read directly, and then through the other CSE. */
  *#compare(resource: Resource, form: Doing<'retrieve'>['form'], way: Way): Move {
    const ground = this.#grounds[way.at];
    const before = yield* directly(way.at, read(resource, ground));
    if (before.outcome !== 'success') return;
    const identifier = form.endsWith('identifier') ? addressOf(resource, 'identifier', ground.model) : undefined;
    const path = identifier ?? addressOf(resource, 'structured', ground.model) ?? '';
    if (this.#isVouchedFor({ by: 'nobody' }, way)) yield this.#retrieval(path, resource.kind, way, before);
  }

  #retrieval(path: string, kind: Attempt['about']['kind'], way: Way, { view }: Came): Attempt {
    const step = { retrieve: pathThrough(path, way.through, this.#grounds[way.at].model.names) };
    const requirement = way.through === 'absolute' ? 'forwarding.absolute-form' : requirementOf(step, way);
    return {
      step,
      by: 'nobody',
      expect: 'either',
      expectations: [expected(requirement, { status: 200 }), ...sameAs(view)],
      about: { operation: 'retrieve through the other CSE', ...(kind && { kind }), form: way.through },
      on: otherSite(way.at),
      host: way.at,
    };
  }

  *#carry(attempt: Attempt, way: Way): Part<Came> {
    const { names } = this.#grounds[way.at].model;
    const step = stepThrough(attempt.step, way.through, names);
    if (step === undefined) return yield { ...attempt, on: way.at, host: way.at };
    const { operation, ...about } = attempt.about;
    const came = yield {
      ...attempt,
      step,
      expect: 'either',
      expectations: this.#isVouchedFor(attempt, way)
        ? expectationsThrough(attempt.expectations, step, way, this.#isDocumented)
        : [],
      about: { ...about, operation: `${operation} through the other CSE`, form: way.through },
      on: otherSite(way.at),
      host: way.at,
    };
    const known = came.outcome === 'refused' && !isOfHost(came) ? { ...came, outcome: 'lost' as const } : came;
    if (!operation.startsWith('create wrongly') && changed(attempt) !== undefined)
      return yield* this.#confirmed(attempt, known, way);
    return known;
  }

  /** Over TLS a CSE speaks for itself and for those below it: whoever belongs to another may be refused. */
  #isVouchedFor({ by }: Pick<Attempt, 'by'>, { at }: Way): boolean {
    const { plain, anyOriginator, originator } = this.#grounds[at];
    const entry = otherSite(at);
    if (plain || (anyOriginator && originator === undefined && (by !== 'visitor' || entry === 'gateway'))) return true;
    const { cseId, spId } = this.#grounds[entry].model.names;
    return originator?.startsWith(`//${spId}/${cseId}/`) === true;
  }

  /** After a creation or an update: what the CSE that is meant shows itself. */
  *#confirmed(attempt: Attempt, came: Came, way: Way): Part<Came> {
    const path = changed(attempt) ?? '';
    const done = came.outcome === 'success';
    const requirement = requirementOf(attempt.step, way);
    const shown = yield {
      step: { retrieve: path },
      by: 'nobody',
      expect: 'either',
      expectations: done
        ? [expected(requirement, { status: 200 }), ...sameAs(came.view), ...this.#creator(attempt, way)]
        : [],
      about: { operation: 'look at what was asked through the other CSE', kind: attempt.about.kind ?? 'CSE base' },
      on: way.at,
      host: way.at,
    };
    const created = 'create' in attempt.step;
    const isThere = shown.outcome === 'success';
    this.isOpen = created ? isThere !== done : done && !isThere;
    const { kind } = attempt.about;
    if (isThere && this.#isVouchedFor({ by: 'nobody' }, way)) yield this.#retrieval(path, kind, way, shown);
    return done ? shown : came;
  }

  /** The originator arrives in its absolute form. */
  #creator({ step, by }: Attempt, { at }: Way): Expected[] {
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

  /** What a move looks at afterwards. */
  *#look(attempt: Attempt, { does }: Timeless, way: Way): Part<Came> {
    const { step, expectations } = attempt;
    const removed = expectations.some(({ requirement }) => requirement === goneRequirement);
    const own = does.startsWith('delete')
      ? expectations.map((one) =>
          one.requirement === goneRequirement ? { ...one, requirement: 'forwarding.delete' } : one,
        )
      : expectations;
    const came = yield { ...attempt, expectations: own, on: way.at, host: way.at };
    if (removed && does.startsWith('delete')) this.isOpen = came.outcome !== 'refused';
    const fits = !this.isOpen && this.#isVouchedFor({ by: 'nobody' }, way);
    if (removed && 'retrieve' in step && fits) yield this.#inVain(step.retrieve, came, way);
    return came;
  }

  /** A refusal arrives as it is. */
  #inVain(path: string, { view }: Came, way: Way): Attempt {
    return {
      step: { retrieve: pathThrough(path, way.through, this.#grounds[way.at].model.names) },
      by: 'nobody',
      expect: 'either',
      expectations: [expected('forwarding.errors', { status: view.status ?? 404 })],
      about: { operation: 'retrieve what is gone through the other CSE', form: way.through },
      on: otherSite(way.at),
      host: way.at,
    };
  }
}

const goneRequirement = 'lifecycle.removed-is-gone';

/** With a name of its own, by which it can be looked for, and in the form of path to which the name of the CSE is added. */
function prepared(operation: Timeless): Timeless {
  if (operation.does === 'create') return { ...operation, name: operation.name % namesToChoose, form: 'structured' };
  return 'form' in operation ? { ...operation, form: 'structured' } : operation;
}

/** The path of what an attempt creates or changes. */
function changed({ step }: Attempt): string | undefined {
  if ('update' in step) return step.update;
  const name = 'create' in step ? step.attributes?.rn : undefined;
  return 'create' in step && typeof name === 'string' ? `${step.in}/${name}` : undefined;
}

/** A refusal that says that the other CSE was not reached, or does not say why, leaves open what became of the request. */
function isOfHost({ view }: Came): boolean {
  return view.rsc !== undefined && view.rsc !== 5103;
}

function* directly<T>(site: Site, part: Part<T>): Part<T> {
  let next = part.next();
  while (!next.done) next = part.next(yield { ...next.value, on: site, host: site });
  return next.value;
}
