import { pathOf, referenceTo } from '../created/address.ts';
import { contentAt, descendantsOf, type GeneratedResource, instancesOf } from '../created/resource.ts';
import { forget, lookWhoIsThere, read, takeCreated } from '../moves/looks.ts';
import { type AttemptStep, ask, labelAt, type Move, pick } from '../moves/move.ts';
import type { MoveContext } from '../moves/move-context.ts';
import type { StandardDoing } from '../operations/onem2m.ts';

type Act = StandardDoing<'fan out'>['act'];

/** What is sent to fopt reaches each member (TS-0004 7.4.14): what was done to each is looked at there. */
export function* fanOut({ what, act, content }: StandardDoing<'fan out'>, context: MoveContext): Move {
  const { created } = context;
  const group = pick(groupsOf(context), what);
  const members = group === undefined ? [] : membersOf(group, context);
  if (group === undefined || isPointless(act, members)) return;
  const sent = { lbl: [labelAt(content, context)], instance: contentAt(content % 3) };
  const step = steps[act](`${pathOf(group, created)}/fopt`, sent);
  const came = yield ask(step, `fan out: ${act}`, { by: group.owner, kind: 'group' });
  if (came.outcome === 'lost') yield* lookWhoIsThere(members, context);
  if (came.outcome !== 'success') return;
  for (const one of members) {
    if (act === 'update') {
      Object.assign(one.held, { lbl: sent.lbl });
      yield* read(one, context, { operation: 'look at a member' });
    }
    if (act === 'create') yield* createdBelow(one, sent.instance.con, context);
    if (act === 'delete' && created.holds(one)) yield* forget(one, came, context);
  }
}

function isPointless(act: Act, members: readonly GeneratedResource[]): boolean {
  if (act === 'retrieve la') return members.some((one) => instancesOf(one).length === 0);
  // One that goes with another has nothing left to delete.
  return act === 'delete' && members.some((one) => descendantsOf(one).some((below) => members.includes(below)));
}

/** Those that have members. */
export function groupsOf(context: MoveContext): GeneratedResource[] {
  return context.created.all('group').filter((group) => membersOf(group, context).length > 0);
}

export function membersOf({ held: { mid } }: GeneratedResource, { created }: MoveContext): GeneratedResource[] {
  return created.all('container').filter((one) => Array.isArray(mid) && mid.includes(referenceTo(one, created)));
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

/** Its name is made up by the CSE: that of the latest. */
function* createdBelow(container: GeneratedResource, con: string, context: MoveContext): Move {
  const { owner } = container;
  const kind = 'content instance';
  const step = { retrieve: `${pathOf(container, context.created)}/la` };
  const came = yield ask(step, 'look at a member', { by: owner, kind });
  if (came.outcome === 'success')
    takeCreated({ kind, name: undefined, parent: container, owner, held: { con } }, came, context);
}
