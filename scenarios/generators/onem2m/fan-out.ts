import type { Matcher } from '../../engine/grammar/grammar-matcher.ts';
import { pathOf, referenceTo } from '../model/address.ts';
import { contentAt } from '../model/contents.ts';
import { attribute, type Expected, expected } from '../model/expected.ts';
import { descendantsOf, endOf, instancesOf, isDoubtful, type ModelResource } from '../model/resource.ts';
import { forget, lose, takeCreated } from '../moves/looks.ts';
import { type AttemptStep, ask, labelAt, type Move, pick } from '../moves/move.ts';
import type { Ground } from '../moves/wording.ts';
import type { StandardDoing } from '../operations/onem2m.ts';
import { codes, read } from './read.ts';
import { takeUpdate } from './update.ts';

type Act = StandardDoing<'fan out'>['act'];

/** What is sent to fopt reaches each member (TS-0004 7.4.14). */
export function* fanOut({ what, act, content }: StandardDoing<'fan out'>, ground: Ground): Move {
  const { model } = ground;
  const group = pick(groupsOf(ground), what);
  const members = group === undefined ? undefined : membersOf(group, ground);
  if (group === undefined || members === undefined || isPointless(act, members)) return;
  const lbl = [labelAt(content, ground)];
  const instance = contentAt(content % 3);
  const step = steps[act](`${pathOf(group, model)}/fopt`, { lbl, instance });
  const { outcome } = yield ask(step, `fan out: ${act}`, aggregated(act, members), { by: group.owner, kind: 'group' });
  if (outcome === 'lost') for (const one of members) lose(one, ground);
  if (outcome === 'success') yield* effects(act, { group, members, lbl, con: instance.con }, ground);
}

function isPointless(act: Act, members: readonly ModelResource[]): boolean {
  if (act === 'retrieve la') return members.some((one) => instancesOf(one).length === 0);
  // One that goes with another has nothing left to delete.
  if (act === 'delete') return members.some((one) => descendantsOf(one).some((below) => members.includes(below)));
  return act === 'create' && members.some(({ shown }) => (shown.mbs ?? 10) < 3);
}

/** Those whose members are certainly there. */
export function groupsOf(ground: Ground): ModelResource[] {
  return ground.model.all('group').filter((group) => membersOf(group, ground) !== undefined);
}

/** Undefined where one of them is not certainly there. */
export function membersOf(group: ModelResource, { model }: Ground): ModelResource[] | undefined {
  const { mid } = group.held;
  if (!Array.isArray(mid)) return undefined;
  const named: readonly string[] = mid;
  const living = model.all('container').filter((one) => named.includes(referenceTo(one, model)));
  const certain = living.length === named.length && living.every((one) => one.known && !isDoubtful(one));
  return certain && living.length > 0 ? living : undefined;
}

interface Sent {
  readonly lbl: string[];
  readonly instance: Readonly<Record<'con' | 'cnf', string>>;
}

const steps: Readonly<Record<Act, (fopt: string, sent: Sent) => AttemptStep>> = {
  retrieve: (retrieve) => ({ retrieve }),
  'retrieve la': (fopt) => ({ retrieve: `${fopt}/la` }),
  create: (fopt, { instance }) => ({ create: 'content instance', in: fopt, attributes: { ...instance } }),
  update: (update, { lbl }) => ({ update, kind: 'container', attributes: { lbl } }),
  delete: (fopt) => ({ delete: fopt }),
};

function responses(matcher: Matcher): Matcher {
  return { fields: { 'm2m:agr': { fields: { 'm2m:rsp': matcher } } } };
}

/** An answer of each member, in one answer: its own code is OK, or that of the operation. */
function aggregated(act: Act, members: readonly ModelResource[]): Expected[] {
  const isVirtual = act === 'retrieve la';
  const requirement = isVirtual ? 'std.fan-out.virtual' : `std.fan-out.${act}`;
  const body = responses({ length: members.length });
  const rsc = codes[act === 'retrieve la' ? 'retrieve' : act];
  const permitted = [
    { rsc, body, source: 'TS-0018, CSE/GMG/005: the code of the operation, with an aggregated response' },
    { rsc: 2000, body, source: 'TS-0004 7.4.14.2.5: OK, whatever the operation' },
  ];
  // Whether it is a number is a requirement of its own.
  const each = { body: responses({ every: { fields: { rsc: { 'one of': [rsc, String(rsc)] } } } }) };
  return [
    expected(requirement, rsc === 2000 ? { rsc, body } : { 'one of': permitted }),
    expected(isVirtual ? requirement : `${requirement}.each`, each),
    ...contentsOf(act, members),
  ];
}

function contentsOf(act: Act, members: readonly ModelResource[]): Expected[] {
  const shows = (requirement: string, root: string, name = '') =>
    expected(requirement, {
      body: responses({ contains: { fields: { pc: { fields: { [root]: { fields: { rn: name } } } } } } }),
    });
  if (act === 'retrieve') return members.map(({ name }) => shows('std.fan-out.retrieve.content', 'm2m:cnt', name));
  if (act !== 'retrieve la') return [];
  return members.map((one) => shows('std.fan-out.virtual.content', 'm2m:cin', endOf(one, 'la')?.name));
}

interface Reached {
  readonly group: ModelResource;
  readonly members: readonly ModelResource[];
  readonly lbl: readonly string[];
  readonly con: string;
}

/** What was done to each member is looked at there. */
function* effects(act: Act, { group, members, lbl, con }: Reached, ground: Ground): Move {
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
function* createdBelow(container: ModelResource, con: string, ground: Ground): Move {
  const { model } = ground;
  const { owner } = container;
  const kind = 'content instance';
  const done = expected('std.fan-out.create.done', { rsc: 2000, attributes: { con } });
  const step = { retrieve: `${pathOf(container, model)}/la` };
  const came = yield ask(step, 'look at a member', [done], { by: owner, kind });
  takeCreated({ kind, name: undefined, parent: container, owner, held: { con } }, came, ground);
}
