import { pathOf } from '../created/address.ts';
import type { GeneratedKind, GeneratedResource } from '../created/resource.ts';
import { forget, takeCreated } from '../moves/looks.ts';
import { type AttemptStep, ask, labelAt, type Move, pick } from '../moves/move.ts';
import type { MoveContext } from '../moves/move-context.ts';
import type { StandardDoing } from '../operations/onem2m.ts';

type Act = StandardDoing<'ask as another'>['act'];

/** The operations of accessControlOperations (TS-0001 9.6.2.3). */
const bits: Readonly<Record<Act, number>> = { create: 1, retrieve: 2, update: 4, delete: 8, discover: 32 };

/** Somebody else asks for what is guarded by a policy, or for the policy itself. */
export function* askAsAnother({ what, act, stranger }: StandardDoing<'ask as another'>, context: MoveContext): Move {
  const { created, guards, anyOriginator } = context;
  const resource = guards && anyOriginator ? pick(askedFor({ what, act }, context), what) : undefined;
  if (resource === undefined) return;
  const { kind, owner } = resource;
  const by = stranger ? 'stranger' : owner === 'first' ? 'second' : 'first';
  const asked = { name: created.freeName(resource, 0), lbl: [labelAt(0, context)] };
  const came = yield ask(steps[act](pathOf(resource, created), kind, asked), `ask as another: ${act}`, { by, kind });
  if (came.outcome !== 'success') return;
  if (act === 'update') Object.assign(resource.held, { lbl: asked.lbl });
  if (act === 'delete') yield* forget(resource, came, context);
  const made = { kind: 'content instance', name: asked.name, parent: resource, owner, held: { con: 'a' } } as const;
  if (act === 'create') takeCreated(made, came, context);
}

/** What is guarded by a policy, and can be asked for this: of the kind that the operation means, where there is such. */
export function askedFor({ what, act }: Pick<StandardDoing<'ask as another'>, 'what' | 'act'>, context: MoveContext) {
  const guarded = context.created.all().filter((one) => isPossible(act, one) && isGuarded(one, context));
  const meant = kindMeant(what, act);
  const chosen = guarded.filter(({ kind }) => kind === meant);
  return chosen.length > 0 ? chosen : guarded;
}

/** Mostly a container; a content instance has no policy of its own, and a policy guards itself. */
export function kindMeant(what: number, act: Act): GeneratedKind {
  if (act === 'create' || act === 'discover' || what % 4 < 2) return 'container';
  if (what % 4 === 2 && act !== 'update') return 'content instance';
  return what === 3 ? 'access control policy' : 'container';
}

/** Of the other application entity: just the one, all others, everything or nothing. */
export function rightsFor(what: number, act: Act): number {
  return [everything - bits[act], bits[act], everything, 0][(what >> 1) % 4] ?? 0;
}

const everything = 63;

function isPossible(act: Act, { kind }: GeneratedResource): boolean {
  if (act === 'create' || act === 'discover') return kind === 'container';
  return act !== 'update' || kind !== 'content instance';
}

/** By its own policy, or for a content instance that of its container (TS-0001 9.6.7). */
function isGuarded({ kind, parent, held }: GeneratedResource, { created }: MoveContext): boolean {
  if (kind === 'access control policy') return true;
  const { acpi } = (kind === 'content instance' ? parent?.held : held) ?? {};
  return Array.isArray(acpi) && created.all('access control policy').some(({ shown }) => acpi.includes(shown.ri));
}

/** What is asked, by the act. */
const steps: Readonly<
  Record<Act, (path: string, kind: GeneratedKind, asked: { name: string; lbl: string[] }) => AttemptStep>
> = {
  retrieve: (retrieve) => ({ retrieve }),
  update: (update, kind, { lbl }) => ({ update, kind, attributes: { lbl } }),
  delete: (path) => ({ delete: path }),
  create: (path, _, { name }) => ({ create: 'content instance', in: path, attributes: { rn: name, con: 'a' } }),
  discover: (discover) => ({ discover }),
};
