import { addressOf, pathOf } from '../model/address.ts';
import { type Expected, expected, whenPresent } from '../model/expected.ts';
import type { ModelResource } from '../model/resource.ts';
import type { AddressForm, Doing } from '../operations/operation.ts';
import { type Came, type Ground, type Move, type Part, pick, textIn } from './move.ts';
import { read } from './read.ts';

/** A read by any form of address, after one by the path relative to the CSE base, so that a difference is that of the form. */
export function* retrieve({ what, form, by }: Doing<'retrieve'>, ground: Ground): Move {
  const resource = pick(ground.model.all(), what);
  if (resource === undefined) return;
  if (resource.originator !== 'nobody' && ground.anyOriginator) {
    const own = yield* read(resource, ground, resource.originator);
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
  const { outcome } = yield {
    step: { retrieve: path },
    by: 'nobody',
    expect: documented ? 'success' : 'either',
    expectations: documented
      ? [expected('sp-relative.retrieve.status', { status: 200 })]
      : byOthers(resource, form, before),
    about: { operation: 'retrieve', kind: resource.kind, form },
  };
  if (documented && outcome === 'success') resource.readBySpRelative = true;
}

const standing = ['ri', 'rn', 'ct', 'cni', 'cbs', 'con', 'aei'] as const;

/** What the read just before this one has shown. */
function asBefore({ kind }: ModelResource, requirement: string, { attributes = {} }: Came['view']): Expected[] {
  const shown = standing.filter((name) => attributes[name] !== undefined && (kind !== 'ae' || name !== 'cni'));
  return shown.map((name) => {
    const value = attributes[name];
    const text = typeof value === 'string' ? { 'same as': value } : { equals: value as number };
    return whenPresent(requirement, name, text);
  });
}

const gaps: Readonly<Partial<Record<AddressForm, string>>> = {
  absolute: 'addressing.absolute.retrieve',
  'SP-relative identifier': 'addressing.identifier.sp-relative',
  'absolute identifier': 'addressing.identifier.absolute',
};

function byOthers(resource: ModelResource, form: AddressForm, before: Came['view']): Expected[] {
  const area = resource.kind === 'content instance' ? 'content-instance' : resource.kind;
  const requirement = form === 'identifier' ? `addressing.identifier.${area}` : gaps[form];
  if (requirement === undefined) return [];
  return [expected(requirement, { status: 200 }), ...asBefore(resource, requirement, before)];
}

/** The identifier of the CSE base, by which application entities name their parent. How it is read is a gap. */
export function* readBase({ model }: Ground): Part<void> {
  const { outcome, view } = yield {
    step: { retrieve: pathOf(undefined, model) },
    by: 'nobody',
    expect: 'either',
    expectations: [expected('cse-base.retrieve', { status: 200, root: 'm2m:cb' })],
    about: { operation: 'retrieve', kind: 'CSE base', form: 'structured' },
  };
  if (outcome === 'success' && view.root === 'm2m:cb') model.baseIdentifier = textIn(view, 'ri');
}
