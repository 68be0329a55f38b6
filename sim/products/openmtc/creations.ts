/** OpenMTC: what can be created, and with which attributes. */
import { handling } from '../../faults/vocabulary/blocks.ts';
import { codeOf, recoded, refused } from '../../faults/vocabulary/changed-answers.ts';
import { changingCreates, describing, toBeCreated } from '../../faults/vocabulary/changed-requests.ts';
import { describedIn, isObject } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';
import { isKnown } from './attributes.ts';

const notes = (section: string) => `openmtc.md ${section}`;

const modelled: ReadonlySet<string> = new Set(
  'm2m:ae m2m:cnt m2m:cin m2m:sub m2m:acp m2m:csr m2m:cb m2m:sgn m2m:smd m2m:dac'.split(' '),
);
const listsFromText = ['lbl', 'poa', 'nu'];

export const creations: readonly Quirk[] = [
  {
    id: 'kinds.few',
    says: 'Groups, polling channels, nodes, flexible containers, time series and requests are refused with 400 and 4000.',
    notes: notes('2: grp pch nod fcnt ts rqp ... -> 400/4000 (not modelled)'),
    violates: {},
    because: 'It does not claim them.',
    wrap: handling((request, service) => {
      const root = request.method === 'POST' ? describedIn(request.body)?.root : undefined;
      return root !== undefined && !modelled.has(root) ? refused(400, 4000, request) : service.handle(request);
    }),
  },
  {
    id: 'registration.any-originator',
    says: 'Everybody registers: whoever names no identifier with C gets one that begins with C.',
    notes: notes('1: AE: else CAE<n> (origin missing, empty, S, foo)'),
    violates: { onem2m: ['std.ae.register.s', 'std.ae.register.not-allowed'] },
    settings: { dialect: 'documented' },
  },
  {
    id: 'api.any',
    says: 'An application identifier may begin with anything.',
    notes: notes('2: POST /onem2m; 10: api "dummy"'),
    violates: { onem2m: ['std.ae.register.app-id'] },
    settings: { dialect: 'documented' },
  },
  {
    id: 'ae.node-link.dummy',
    says: 'nl of an application entity is always the text dummy, and cannot be given.',
    notes: notes('2: nl is always "dummy"; RO attribute non-null -> 400'),
    violates: { onem2m: ['std.ae.attribute.nl'] },
    settings: { dialect: 'documented' },
  },
  {
    id: 'child.wrong.4000',
    says: 'A kind that may not stand there is refused with 400 and 4000.',
    notes: notes('2: wrong parent -> 400/4000'),
    violates: {
      onem2m: ['std.create.wrong-child', 'std.content-instance.no-children', 'std.subscription.not-subscribable'],
    },
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      const code = codeOf(answer);
      return code === 4108 || code === 5203 ? recoded(answer, 400, 4000) : answer;
    }),
  },
  {
    id: 'attribute.list-from-text',
    says: 'A text where a list of labels or addresses is wanted is split at its spaces.',
    notes: notes('2: lbl/poa/nu string -> split on spaces'),
    violates: { onem2m: ['std.create.wrong-type'] },
    wrap: changingCreates(({ attributes }) => {
      const texts = listsFromText.filter((name) => typeof attributes[name] === 'string');
      const lists = texts.map((name) => [name, String(attributes[name]).split(' ').filter(Boolean)]);
      return texts.length === 0 ? undefined : { ...attributes, ...Object.fromEntries(lists) };
    }),
  },
  {
    id: 'creator.given.overwritten',
    says: 'A creator that is given with a value is taken, and the originator stands in its place.',
    notes: notes('3: a given cr is overwritten'),
    violates: { onem2m: ['std.create.cr.given'] },
    wrap: changingCreates(({ attributes }) =>
      typeof attributes.cr === 'string' ? { ...attributes, cr: null } : undefined,
    ),
  },
  {
    id: 'name.any-characters',
    says: 'A name may have any characters in it; for a slash there is an underline in its path.',
    notes: notes('1: rn may hold any characters'),
    violates: { onem2m: ['std.create.name-shape'] },
    wrap: changingCreates(({ attributes }) =>
      typeof attributes.rn === 'string' && attributes.rn.includes('/')
        ? { ...attributes, rn: attributes.rn.replaceAll('/', '_') }
        : undefined,
    ),
  },
  {
    id: 'mni.no-limit',
    says: 'An mni of 0 or less means no limit, and mia may be any text.',
    notes: notes('3: mni: 0 or negative = unlimited; mia is a string, stored only'),
    violates: { onem2m: ['std.container.invalid-limit'] },
    wrap: changingCreates(({ root, attributes }) => {
      if (root !== 'm2m:cnt') return undefined;
      const { mni, mia, ...others } = attributes;
      const kept = typeof mni === 'string' && /^-?\d+$/.test(mni) ? Number(mni) : mni;
      const limit = typeof kept === 'number' && kept <= 0 ? {} : { ...(kept !== undefined && { mni: kept }) };
      const age = typeof mia === 'number' && mia > 0 ? { mia } : {};
      return { ...others, ...limit, ...age };
    }),
  },
  {
    id: 'content.number.nul-bytes',
    says: 'A number as content is as many NUL characters; true is one, and another value is refused.',
    notes: notes('4: con number n -> n NUL bytes (Python bytes(n)!)'),
    violates: { onem2m: ['std.content-instance.con.number'] },
    wrap: changingCreates(({ root, attributes }) => {
      const { con } = attributes;
      if (root !== 'm2m:cin' || (typeof con !== 'boolean' && !Number.isSafeInteger(con))) return undefined;
      const count = Math.min(Math.max(Number(con), 0), 100_000);
      return { ...attributes, con: '\0'.repeat(count) };
    }),
  },
  {
    id: 'attribute.unknown.4000',
    says: 'An attribute that OpenMTC does not know is refused with 400 and 4000.',
    notes: notes('2: Unknown attribute -> 400/4000; 10: Allowed'),
    violates: {},
    because: 'What it refuses is of later releases, or may be left out; disr cannot be judged where it is refused.',
    wrap: handling((request, service, core) => {
      const isWrite = request.method === 'POST' || request.method === 'PUT';
      const shown = isWrite ? describedIn(request.body) : undefined;
      const kind = core.configuration.kinds.find(({ root }) => root === shown?.root);
      if (shown === undefined || kind === undefined) return service.handle(request);
      const isUnknown = (name: string) => kind.attributes[name] !== undefined && !isKnown(kind.ty, name);
      // The releases of an application entity are of release 3; a client of release 2a does not send them.
      const { srv: _releases, ...attributes } = shown.attributes;
      if (Object.keys(attributes).some(isUnknown)) return refused(400, 4000, request);
      return service.handle(describing(request, { ...shown, attributes }));
    }),
  },
  {
    id: 'remote-cse.from-anybody',
    says: 'Everybody registers a CSE, an application entity too.',
    notes: notes('8: csr is accepted from anybody'),
    violates: { onem2m: ['std.remote-cse.by-application-entity'] },
    settings: { dialect: 'documented' },
  },
  {
    id: 'policy.rules.plain-lists',
    says: 'pv and pvs are plain lists of rules; the form of the standard is refused with 400 and 4000.',
    notes: notes('7: pv/pvs are plain ARRAYS; TS-0004 {"acr":[..]} -> 400'),
    violates: { onem2m: ['std.policy.create', 'std.base-child.create'] },
    wrap: handling((request, service, core) => {
      const shown = toBeCreated(request);
      if (shown?.root !== 'm2m:acp') return service.handle(request);
      const { pv, pvs } = shown.attributes;
      if (isObject(pv) || isObject(pvs)) return refused(400, 4000, request);
      const own = [{ acor: [`/${core.configuration.cseId}`], acop: 63 }];
      const rules = { pv: { acr: pv ?? [] }, pvs: { acr: pvs ?? own } };
      return service.handle(describing(request, { ...shown, attributes: { ...shown.attributes, ...rules } }));
    }),
  },
];
