/** OpenMTC: which attributes a representation has, and what stands in them. */
import type { Attributes } from '../../faults/vocabulary/asked.ts';
import { handling } from '../../faults/vocabulary/blocks.ts';
import {
  changingResources,
  codeOf,
  labelled,
  withBody,
  withoutHeaders,
} from '../../faults/vocabulary/changed-answers.ts';
import { asking, pathOf, queryOf } from '../../faults/vocabulary/changed-requests.ts';
import { eachResource, jsonIn } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';

const notes = (section: string) => `openmtc.md ${section}`;

/** Attributes of each kind, by its number; those in the second list are lists. */
const attributesOf: Readonly<Record<number, readonly [texts: string, lists: string]>> = {
  1: ['ct et lt nl or pi pv pvs ri rn ty', 'at daci lbl'],
  2: ['aei api aa apn csz ct et lt nl or pi rr ri rn ty', 'acpi at daci lbl poa'],
  3: ['aa ct cr cbs cni et lt la li mbs mia mni ol or pi ri rn ty st', 'acpi at daci lbl'],
  4: ['aa con cnf cs ct cr et lt or pi ri rn ty st', 'at lbl'],
  5: ['csi ct cst lt nl pi ri rn ty', 'acpi lbl poa srt'],
  16: ['cb csi mei tri aa ct cst et lt nl pi rr ri rn ty', 'acpi at daci lbl poa'],
  23: ['bn ct cr enc exc et gpi lt ln nct nec nfu nsp nu pi pn psn rl ri rn ty su', 'acpi daci lbl'],
};

/** Whether OpenMTC knows the attribute of a kind; it does of every kind that is not among them. */
export function isKnown(ty: number, name: string): boolean {
  const names = attributesOf[ty];
  return names === undefined || name === 'ch' || names.some((list) => list.split(' ').includes(name));
}

/** What the kind has, null or an empty list where nothing is set, and nothing else. */
export function complete(attributes: Attributes): Attributes {
  const [texts, lists] = attributesOf[Number(attributes.ty)] ?? [];
  if (texts === undefined || lists === undefined) return attributes;
  const empty = [...texts.split(' ').map((name) => [name, null]), ...lists.split(' ').map((name) => [name, []])];
  const names = new Set(empty.map(([name]) => name));
  const own = Object.entries(attributes).filter(([name]) => names.has(name) || name === 'ch');
  return { ...Object.fromEntries(empty), ...Object.fromEntries(own) };
}

const longCriteria: Readonly<Record<string, string>> = {
  atr: 'attribute',
  cra: 'createdAfter',
  crb: 'createdBefore',
  exa: 'expireAfter',
  exb: 'expireBefore',
  ms: 'modifiedSince',
  net: 'notificationEventType',
  om: 'operationMonitor',
  sza: 'sizeAbove',
  szb: 'sizeBelow',
  stb: 'stateTagBigger',
  sts: 'stateTagSmaller',
  us: 'unmodifiedSince',
};

function inLongNames(criteria: unknown): unknown {
  const given = (criteria ?? {}) as Attributes;
  const all = Object.entries(longCriteria).map(([short, long]) => [long, given[short] ?? null]);
  return { ...Object.fromEntries(all), notificationEventType: given.net ?? [1] };
}

const stateTagged: ReadonlySet<unknown> = new Set([3, 4]);

export const attributes: readonly Quirk[] = [
  {
    id: 'ae.ri.is-aei',
    says: 'The resource identifier of an application entity is its AE identifier.',
    notes: notes('1: AE: ri = aei'),
    violates: { documented: ['ae.ri.shape'] },
    wrap: changingResources((one, core) => {
      const ri = one.ty === 2 ? one.aei : one.ri;
      const parent = core.tree.byId(String(one.pi));
      const pi = parent?.type.ty === 2 ? parent.values.aei : one.pi;
      return { ...one, ri, ...('pi' in one && { pi }) };
    }),
  },
  {
    id: 'state-tag.integer',
    says: 'A state tag is an integer.',
    notes: notes('3: "st":0; 11: st "0" string'),
    violates: { documented: ['container.st', 'content-instance.st'] },
    wrap: changingResources((one) => (stateTagged.has(one.ty) ? { ...one, st: Number(one.st) } : one)),
  },
  {
    id: 'retrieve.without-children',
    says: 'A read shows children only where rcn 5 asks for them; every other value shows the attributes alone.',
    notes: notes('0: GET omits only ch (unless rcn=5); 3: rcn on GET'),
    violates: {
      documented: ['ae.ch'],
      onem2m: [
        'std.retrieve.rcn.4.children',
        'std.retrieve.rcn.4.descendants',
        'std.retrieve.rcn.6.children',
        'std.retrieve.rcn.8.children',
        'std.retrieve.rcn.8.nothing-else',
        'std.retrieve.rcn.refused',
        'std.retrieve.references.descendants',
        'std.retrieve.references.structured',
      ],
    },
    wrap: handling((request, service) => {
      const query = queryOf(request);
      if (request.method !== 'GET' || query.get('fu') === '1') return service.handle(request);
      const wanted = query.get('rcn') ?? '1';
      query.set('rcn', /^[0-9]$/.test(wanted) && wanted !== '5' ? '1' : wanted);
      return service.handle(asking(request, pathOf(request), query));
    }),
  },
  {
    id: 'result-content.of-changes.ignored',
    says: 'rcn of a create, an update and a delete is not looked at: the whole resource, or nothing after a delete.',
    notes: notes('3: rcn on POST/PUT/DELETE ignored'),
    violates: {
      onem2m: [
        'std.create.rcn.0',
        'std.create.rcn.2',
        'std.create.rcn.2.nothing-else',
        'std.create.rcn.3',
        'std.create.rcn.refused',
        'std.update.rcn.0',
        'std.update.rcn.refused',
        'std.delete.rcn.refused',
      ],
    },
    wrap: handling((request, service) => {
      const query = queryOf(request);
      if (request.method === 'GET' || !query.has('rcn')) return service.handle(request);
      query.delete('rcn');
      return service.handle(asking(request, pathOf(request), query));
    }),
  },
  {
    id: 'delete.answer.empty',
    says: 'A delete answers nothing.',
    notes: notes('2: DELETE -> 200/2002, empty body'),
    violates: { onem2m: ['std.delete.rcn.1'] },
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      if (request.method !== 'DELETE' || codeOf(answer) !== 2002) return answer;
      const empty = { ...withoutHeaders(answer, 'Content-Location'), body: '' };
      return labelled(empty, { 'Content-Type': 'text/plain; charset=utf-8' });
    }),
  },
  {
    id: 'container.creator.always',
    says: 'A container tells its creator without being asked.',
    notes: notes('3: cr = X-M2M-Origin verbatim'),
    violates: { onem2m: ['std.create.cr.not-asked'] },
    settings: { dialect: 'documented' },
  },
  {
    id: 'content-instance.state-tag.own',
    says: 'The state tag of a content instance is 0, whatever that of its container.',
    notes: notes('4: "st":0'),
    violates: { onem2m: ['std.content-instance.st', 'std.content-instance.st.grows'] },
    settings: { dialect: 'documented' },
  },
  {
    id: 'partial.others.null',
    says: 'Attributes that atrl does not name are answered as null.',
    notes: notes('3: atrl=rn+st -> all other attributes null'),
    violates: { onem2m: ['std.partial.nothing-else'] },
    wrap: handling(async (request, service) => {
      const query = queryOf(request);
      const wanted = new Set((query.get('atrl') ?? '').split(/[+ ]/));
      if (request.method !== 'GET' || !query.has('atrl')) return service.handle(request);
      query.delete('atrl');
      const answer = await service.handle(asking(request, pathOf(request), query));
      const told = eachResource(jsonIn(answer.body), (one) =>
        Object.fromEntries(
          Object.entries(complete(one)).map(([name, value]) => [name, wanted.has(name) ? value : null]),
        ),
      );
      return codeOf(answer) === 2000 ? withBody(answer, told) : answer;
    }),
  },
  {
    id: 'latest.attributes',
    says: 'A container tells the identifiers of its newest and oldest content instance in la and ol.',
    notes: notes('3: la/ol attributes'),
    violates: {},
    because: 'Nothing is said of further attributes.',
    wrap: changingResources((one, core) => {
      if (one.ty !== 3) return one;
      const held = core.tree.byId(String(one.ri))?.instances;
      return { ...one, la: held?.last?.id ?? null, ol: held?.first?.id ?? null };
    }),
  },
  {
    id: 'subscription.criteria.long-names',
    says: 'enc is answered by long names, all members of it, always.',
    notes: notes('6: enc in responses uses LONG names'),
    violates: { onem2m: ['std.subscription.optional', 'std.subscription.update.optional'] },
    wrap: changingResources((one) => (one.ty === 23 ? { ...one, enc: inLongNames(one.enc) } : one)),
  },
  {
    id: 'cse-base.parent.null',
    says: 'pi of the CSE base is null.',
    notes: notes('0: "pi":null'),
    violates: { onem2m: ['std.cse-base.pi'] },
    wrap: changingResources((one) => (one.ty === 5 ? { ...one, pi: null } : one)),
  },
  {
    id: 'attributes.all',
    says: 'Every attribute of the kind is answered, null or an empty list where it is not set, and no other.',
    notes: notes('0: EVERY attribute of the type is in the body'),
    violates: { onem2m: ['std.cse-base.nl', 'std.container.default-limits'] },
    wrap: changingResources(complete),
  },
];
