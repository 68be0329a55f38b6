import { type AddressForm, addressOf, pathOf } from '../model/address.ts';
import { type Expected, expected, whenPresent } from '../model/expected.ts';
import { isDoubtful, kindFacts, type ModelResource } from '../model/resource.ts';
import type { Doing } from '../operations/operation.ts';
import { ask, type Came, type Ground, type Move, type Part, pick, textIn } from './move.ts';
import { read } from './read.ts';

/** A read by any form of address, after one by the path relative to the CSE base, so that a difference is that of the form. */
export function* retrieve({ what, form, by }: Doing<'retrieve'>, ground: Ground): Move {
  const resource = pick(ground.model.all(), what);
  if (resource === undefined || isDoubtful(resource)) return;
  if (resource.owner !== 'nobody' && ground.anyOriginator) {
    const own = yield* read(resource, ground, resource.owner);
    if (own.outcome !== 'success') return;
  }
  const { outcome, view } = yield* read(resource, ground);
  if (outcome !== 'success') return;
  if (by !== 'nobody') return void (yield* read(resource, ground, by));
  if (form !== 'structured') yield* again(resource, form, view, ground);
}

/** The same read by another form of address, after one that was answered by `before`. */
export function* again(
  resource: ModelResource,
  form: AddressForm,
  before: Came['view'],
  { model }: Ground,
): Part<void> {
  const path = addressOf(resource, form, model);
  if (path === undefined) return;
  const documented = form === 'SP-relative';
  const { outcome } = yield ask(
    { retrieve: path },
    'retrieve',
    documented ? [expected('sp-relative.retrieve.status', { status: 200 })] : byOthers(resource, form, before),
    { ...(documented && { expect: 'success' }), kind: resource.kind, form },
  );
  if (documented && outcome === 'success') resource.readBySpRelative = true;
}

const gaps: Readonly<Partial<Record<AddressForm, string>>> = {
  absolute: 'addressing.absolute.retrieve',
  'SP-relative identifier': 'addressing.identifier.sp-relative',
  'absolute identifier': 'addressing.identifier.absolute',
};
const standing = ['ri', 'rn', 'ct', 'cni', 'cbs', 'con', 'aei'] as const;

/** What the read just before this one has shown is shown again. */
function byOthers({ kind }: ModelResource, form: AddressForm, { attributes = {} }: Came['view']): Expected[] {
  const requirement = form === 'identifier' ? `addressing.identifier.${kindFacts[kind].area}` : gaps[form];
  if (requirement === undefined) return [];
  const shown = standing.filter((name) => attributes[name] !== undefined && (kind !== 'ae' || name !== 'cni'));
  return [expected(requirement, { status: 200 }), ...shown.map((name) => sameIn(attributes, name, requirement))];
}

/** That another answer shows what this one has shown. */
export function sameIn(attributes: Readonly<Record<string, unknown>>, name: string, requirement: string): Expected {
  const value = attributes[name];
  return whenPresent(requirement, name, typeof value === 'string' ? { 'same as': value } : { equals: value as number });
}

/** The identifier of the CSE base, by which application entities name their parent. How it is read is a gap. */
export function* readBase({ model }: Ground): Part<void> {
  const isBase = expected('cse-base.retrieve', { status: 200, root: 'm2m:cb' });
  const { outcome, view } = yield ask({ retrieve: pathOf(undefined, model) }, 'retrieve', [isBase], {
    kind: 'CSE base',
  });
  if (outcome === 'success' && view.root === 'm2m:cb') model.baseIdentifier = textIn(view, 'ri');
}
