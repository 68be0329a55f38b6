import { pathOf } from '../model/address.ts';
import { type Expected, expected } from '../model/expected.ts';
import { isDoubtful, type ModelKind, type ModelResource } from '../model/resource.ts';
import { forget, lose, takeCreated } from '../moves/looks.ts';
import { type AttemptStep, ask, labelAt, type Move, pick, textIn } from '../moves/move.ts';
import type { Ground } from '../moves/wording.ts';
import type { StandardDoing } from '../operations/onem2m.ts';
import { answered, codes } from './read.ts';
import { takeUpdate } from './update.ts';

type Act = StandardDoing<'ask as another'>['act'];

/** The operations of accessControlOperations (TS-0001 9.6.2.3). */
const bits: Readonly<Record<Act, number>> = { create: 1, retrieve: 2, update: 4, delete: 8, discover: 32 };

/** Somebody else asks for what is guarded by a policy, or for the policy itself. */
export function* askAsAnother({ what, act, stranger }: StandardDoing<'ask as another'>, ground: Ground): Move {
  const { model, guards, anyOriginator } = ground;
  if (!guards || !anyOriginator) return;
  const resource = pick(askedFor({ what, act }, ground), what);
  if (resource === undefined) return;
  const by = stranger ? 'stranger' : resource.owner === 'first' ? 'second' : 'first';
  const allowed = mayDo(resource, by, act, ground);
  const { kind } = resource;
  const asked = { name: model.freeName(resource, 0), lbl: [labelAt(0, ground)] };
  const came = yield ask(
    steps[act](pathOf(resource, model), kind, asked),
    `ask as another: ${act}`,
    act === 'discover' ? discovering(resource, allowed) : rights(resource, act, by, allowed),
    { by, kind },
  );
  if (came.outcome === 'lost') lose(resource, ground);
  if (came.outcome !== 'success') return;
  if (act === 'update') takeUpdate(resource, { lbl: asked.lbl }, ground);
  if (act === 'delete') yield* forget(resource, came.outcome, ground);
  if (act !== 'create') return;
  const name = textIn(came.view, 'rn') ?? asked.name;
  const created = {
    kind: 'content instance',
    name,
    parent: resource,
    owner: resource.owner,
    held: { con: 'a' },
  } as const;
  takeCreated(created, came, ground);
}

/** What is guarded by a policy, and can be asked for this: of the kind that the operation means, where there is such. */
export function askedFor({ what, act }: Pick<StandardDoing<'ask as another'>, 'what' | 'act'>, ground: Ground) {
  const guarded = ground.model
    .all()
    .filter((one) => isPossible(act, one) && policyOf(one, ground) !== undefined && !isDoubtful(one));
  const meant = kindMeant(what, act);
  const chosen = guarded.filter(({ kind }) => kind === meant);
  return chosen.length > 0 ? chosen : guarded;
}

/** Mostly a container; a content instance has no policy of its own, and a policy guards itself. */
export function kindMeant(what: number, act: Act): ModelKind {
  if (act === 'create' || act === 'discover' || what % 4 < 2) return 'container';
  if (what % 4 === 2 && act !== 'update') return 'content instance';
  return what === 3 ? 'access control policy' : 'container';
}

/** Of the other application entity: just the one, all others, everything or nothing. */
export function rightsFor(what: number, act: Act): number {
  return [everything - bits[act], bits[act], everything, 0][(what >> 1) % 4] ?? 0;
}

const everything = 63;

function isPossible(act: Act, { kind }: ModelResource): boolean {
  if (act === 'create' || act === 'discover') return kind === 'container';
  return act !== 'update' || kind !== 'content instance';
}

/** That which guards it: its own, or for a content instance that of its container (TS-0001 9.6.7). */
function policyOf(resource: ModelResource, { model }: Ground): ModelResource | undefined {
  if (resource.kind === 'access control policy') return resource;
  const { parent, kind } = resource;
  const guarded = kind === 'content instance' ? parent : resource;
  const { acpi } = guarded?.held ?? {};
  const [identifier] = Array.isArray(acpi) ? acpi : [];
  if (identifier === undefined) return undefined;
  return model.all('access control policy').find(({ shown }) => shown.ri === identifier);
}

interface Rule {
  readonly acor: readonly string[];
  readonly acop: number;
}

/** Who is not named by the policy may do nothing; of the policy itself, pvs speaks. */
function mayDo(resource: ModelResource, by: string, act: Act, ground: Ground): boolean {
  if (by === 'stranger' || resource.kind === 'access control policy') return false;
  const { pv } = policyOf(resource, ground)?.held ?? {};
  const [, other] = (pv as { readonly acr: readonly Rule[] }).acr;
  return ((other?.acop ?? 0) & bits[act]) > 0;
}

/** What is asked, by the act. */
const steps: Readonly<
  Record<Act, (path: string, kind: ModelKind, asked: { name: string; lbl: string[] }) => AttemptStep>
> = {
  retrieve: (retrieve) => ({ retrieve }),
  update: (update, kind, { lbl }) => ({ update, kind, attributes: { lbl } }),
  delete: (path) => ({ delete: path }),
  create: (path, _, { name }) => ({ create: 'content instance', in: path, attributes: { rn: name, con: 'a' } }),
  discover: (discover) => ({ discover }),
};

function rights(resource: ModelResource, act: Exclude<Act, 'discover'>, by: string, allowed: boolean): Expected[] {
  const policy = resource.kind === 'access control policy';
  if (allowed) return answered(requirementOf(resource, act, 'allowed'), codes[act]);
  if (policy) return answered('std.policy.itself.pv', 4103);
  return answered(by === 'stranger' ? 'std.access.not-named' : requirementOf(resource, act, 'refused'), 4103);
}

function requirementOf({ kind }: ModelResource, act: Act, way: 'allowed' | 'refused'): string {
  if (kind === 'content instance') return `std.access.instance.${way}`;
  return way === 'allowed' ? `std.access.operation.${act}` : `std.access.operation.${act}.refused`;
}

/** Without the right a discovery is refused, or finds nothing; what stands below may be open to it by itself. */
function discovering(container: ModelResource, allowed: boolean): Expected[] {
  const below = container.children.some(({ kind }) => kind !== 'content instance');
  if (allowed || below) return [];
  return [
    expected('std.discovery.without-right', {
      'one of': [
        { rsc: 4103, source: 'TS-0004 R1-R2, 7.3.3.14: no right to discover at the target' },
        { rsc: 2000, found: { length: 0 }, source: 'TS-0001 R3-R4, 10.2.6: only what may be discovered is listed' },
      ],
    }),
  ];
}
