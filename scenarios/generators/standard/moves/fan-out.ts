import type { Matcher } from '../../../engine/grammar/grammar-matcher.ts';
import { contentAt } from '../../model/contents.ts';
import { attribute, type Expected, expected } from '../../model/expected.ts';
import { descendantsOf, isDoubtful } from '../../model/tree.ts';
import type { AttemptStep } from '../../moves/move.ts';
import { labelAt, pick } from '../../moves/move.ts';
import { pathOf, referenceTo } from '../model/address.ts';
import { instancesOf, type StandardResource } from '../model/resource.ts';
import type { StandardDoing } from '../operations/operation.ts';
import { forget, takeUpdate } from './change.ts';
import type { StandardGround, StandardMove } from './move.ts';
import { read } from './read.ts';

/** What is sent to fopt reaches each member (TS-0004 7.4.14). */
export function* fanOut({ what, act, content }: StandardDoing<'fan out'>, ground: StandardGround): StandardMove {
  const { model } = ground;
  const group = pick(groupsOf(ground), what);
  const members = group === undefined ? undefined : membersOf(group, ground);
  if (group === undefined || members === undefined) return;
  if (act === 'retrieve la' && members.some((one) => instancesOf(one).length === 0)) return;
  // One that goes with another has nothing left to delete.
  if (act === 'delete' && members.some((one) => descendantsOf(one).some((below) => members.includes(below)))) return;
  const lbl = [labelAt(content, ground)];
  const instance = contentAt(content % 3);
  if (act === 'create' && members.some(({ shown }) => (shown.mbs ?? 10) < 3)) return;
  const { outcome } = yield {
    step: stepOf(act, `${pathOf(group, model)}/fopt`, { lbl, instance }),
    by: group.owner,
    expect: 'either',
    expectations: aggregated(act, members),
    about: { operation: `fan out: ${act}`, kind: 'group' },
  };
  model.isBlind = true;
  if (outcome !== 'success') return lose(outcome, members, ground);
  yield* effects(act, { group, members, lbl, con: instance.con }, ground);
}

/** Those whose members are certainly there. */
export function groupsOf(ground: StandardGround): StandardResource[] {
  return ground.model.all('group').filter((group) => membersOf(group, ground) !== undefined);
}

/** Undefined where one of them is not certainly there. */
export function membersOf(group: StandardResource, { model }: StandardGround): StandardResource[] | undefined {
  const { mid } = group.held;
  if (!Array.isArray(mid)) return undefined;
  const named: readonly string[] = mid;
  const living = model.all('container').filter((one) => named.includes(referenceTo(one, model)));
  const certain = living.length === named.length && living.every((one) => one.known && !isDoubtful(one));
  return certain && living.length > 0 ? living : undefined;
}

function lose(outcome: 'refused' | 'lost', members: readonly StandardResource[], { events }: StandardGround): void {
  if (outcome === 'refused') return;
  events.lose();
  for (const one of members) one.known = false;
}

type Act = StandardDoing<'fan out'>['act'];

interface Sent {
  readonly lbl: string[];
  readonly instance: Readonly<Record<'con' | 'cnf', string>>;
}

function stepOf(act: Act, fopt: string, { lbl, instance }: Sent): AttemptStep {
  switch (act) {
    case 'retrieve':
      return { retrieve: fopt };
    case 'retrieve la':
      return { retrieve: `${fopt}/la` };
    case 'create':
      return { create: 'content instance', in: fopt, attributes: { ...instance } };
    case 'update':
      return { update: fopt, kind: 'container', attributes: { lbl } };
    case 'delete':
      return { delete: fopt };
  }
}

const codes = { retrieve: 2000, 'retrieve la': 2000, create: 2001, update: 2004, delete: 2002 } as const;

function responses(matcher: Matcher): Matcher {
  return { fields: { 'm2m:agr': { fields: { 'm2m:rsp': matcher } } } };
}

/** An answer of each member, in one answer: its own code is OK, or that of the operation. */
function aggregated(act: Act, members: readonly StandardResource[]): Expected[] {
  const requirement = act === 'retrieve la' ? 'std.fan-out.virtual' : `std.fan-out.${act}`;
  const body = responses({ length: members.length });
  const rsc = codes[act];
  const whole =
    rsc === 2000
      ? expected(requirement, { rsc, body })
      : expected(requirement, {
          'one of': [
            { rsc, body, source: 'TS-0018, CSE/GMG/005: the code of the operation, with an aggregated response' },
            { rsc: 2000, body, source: 'TS-0004 7.4.14.2.5: OK, whatever the operation' },
          ],
        });
  const each = expected(act === 'retrieve la' ? 'std.fan-out.virtual' : `${requirement}.each`, {
    body: responses({ every: { fields: { rsc } } }),
  });
  return [whole, each, ...contentsOf(act, members)];
}

function contentsOf(act: Act, members: readonly StandardResource[]): Expected[] {
  const shows = (requirement: string, root: string, name: string) =>
    expected(requirement, {
      body: responses({ contains: { fields: { pc: { fields: { [root]: { fields: { rn: name } } } } } } }),
    });
  if (act === 'retrieve') return members.map(({ name }) => shows('std.fan-out.retrieve.content', 'm2m:cnt', name));
  if (act !== 'retrieve la') return [];
  return members.map((one) => shows('std.fan-out.virtual.content', 'm2m:cin', instancesOf(one).at(-1)?.name ?? ''));
}

interface Reached {
  readonly group: StandardResource;
  readonly members: readonly StandardResource[];
  readonly lbl: readonly string[];
  readonly con: string;
}

/** What was done to each member is looked at there. */
function* effects(act: Act, { group, members, lbl, con }: Reached, ground: StandardGround): StandardMove {
  if (act === 'update') {
    for (const one of members) takeUpdate(one, { lbl }, ground);
    const done = [attribute('std.fan-out.update.done', 'lbl', { equals: [...lbl] })];
    for (const one of members) yield* read(one, ground, 'look at a member', done);
  }
  if (act === 'create') for (const one of members) yield* createdBelow(one, con, ground);
  if (act !== 'delete') return;
  // Whether the group still lists them is a matter of releases.
  delete group.held.mid;
  for (const one of members)
    if (ground.model.holds(one)) yield* forget(one, 'success', ground, 'std.fan-out.delete.done');
}

/** Its name is made up by the CSE: that of the latest. */
function* createdBelow(container: StandardResource, con: string, ground: StandardGround): StandardMove {
  const { model, events } = ground;
  const { view } = yield {
    step: { retrieve: `${pathOf(container, model)}/la` },
    by: container.owner,
    expect: 'either',
    expectations: [expected('std.fan-out.create.done', { rsc: 2000, attributes: { con } })],
    about: { operation: 'look at a member', kind: 'content instance' },
  };
  const name = view.attributes?.rn;
  if (typeof name !== 'string' || model.at(container, name) !== undefined) {
    container.known = false;
    events.lose();
    return;
  }
  const { ri, ct, et } = view.attributes as Readonly<Record<string, string>>;
  const shown = { ri, ct, et };
  const { owner } = container;
  events.created(model.add({ kind: 'content instance', name, parent: container, owner, held: { con }, shown }));
}
