import { type Asked, type Attributes, isSuccess } from '../../faults/vocabulary/asked.ts';
import { changingAnswers, handling, withQuery } from '../../faults/vocabulary/blocks.ts';
import { changingContent, withBody, withoutHeaders } from '../../faults/vocabulary/changed-answers.ts';
import { describedIn, eachObject, isObject } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';

const isRead = ({ method, discovery }: Asked) => method === 'GET' && !discovery;

/** What rcn, atrl and discovery make of an answer. */
export const results: readonly Quirk[] = [
  {
    id: 'create.location-with-address-only',
    says: 'Content-Location is told with rcn 2 and 3 only.',
    notes: 'acme.md, 1, "Headers": create with rcn=2 or 3',
    violates: {},
    because: 'Without the address in the content nothing asks for it (TS-0009 6.4.4).',
    wrap: changingAnswers((answer, { query }) => {
      if (['2', '3'].includes(query.get('rcn') ?? '')) return undefined;
      return withoutHeaders(answer, 'Content-Location');
    }),
  },
  {
    id: 'create.rce.short-name',
    says: 'With rcn 3 the new resource stands in m2m:rce under its short name without the prefix.',
    notes: 'acme.md, 3, "CNT create rcn=3"',
    violates: {},
    because: 'm2m:resourceWrapper can be read so (TS-0004 7.5.2).',
    wrap: changingContent((value) => {
      const { 'm2m:rce': created } = value;
      if (isObject(created)) value['m2m:rce'] = unprefixed(created);
    }),
  },
  {
    id: 'references.with-cse',
    says: 'With rcn 5 and 6 the addresses of children begin with the CSE-ID, and the newest child comes first.',
    notes: 'acme.md, 3, "GET rcn=5", "GET rcn=6"',
    violates: {},
    because: 'An address may be SP-relative (TS-0001 7.2), and no order is given.',
    wrap: changingContent((value, about, { configuration }) => {
      if (!isRead(about)) return;
      eachObject(value, (object) => {
        for (const name of ['ch', 'rrf']) {
          const { [name]: list } = object;
          if (!Array.isArray(list)) continue;
          list.reverse();
          for (const reference of list as Attributes[]) reference.val = `/${configuration.cseId}/${reference.val}`;
        }
      });
    }),
  },
  {
    id: 'discovery.identifiers-with-cse',
    says: 'With drt 2 a discovery answers identifiers that begin with the CSE-ID.',
    notes: 'acme.md, 1, "Discovery": drt=2',
    violates: {},
    because: 'An identifier may be SP-relative (TS-0001 7.2).',
    wrap: changingContent((value, { discovery, query }, { configuration }) => {
      const { 'm2m:uril': list } = value;
      if (!discovery || query.get('drt') !== '2' || !Array.isArray(list)) return;
      value['m2m:uril'] = list.map((id) => `/${configuration.cseId}/${id}`);
    }),
  },
  {
    id: 'partial.absent-left-out',
    says: 'Where only attributes are asked for that the resource has not, a success with none is answered.',
    notes: 'acme.md, 1, "rcn": Partial retrieve',
    violates: {},
    because: 'The standard says nothing of such an attribute (TS-0004 7.3.3.6).',
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      const [path = '', query = ''] = request.target.split('?');
      const fragment = /%23(\w+)$/.exec(path)?.[1];
      const wanted = fragment ?? new URLSearchParams(query.replaceAll('+', ' ')).get('atrl') ?? undefined;
      if (request.method !== 'GET' || answer.status !== 404 || wanted === undefined) return answer;
      const target = request.target.replace(/%23\w+/, '');
      const whole = await service.handle(withQuery({ ...request, target }, (parameters) => parameters.delete('atrl')));
      const shown = isSuccess(whole) ? describedIn(whole.body) : undefined;
      if (shown === undefined) return answer;
      const names = wanted.split(' ').filter((name) => shown.attributes[name] !== undefined);
      return withBody(whole, { [shown.root]: Object.fromEntries(names.map((name) => [name, shown.attributes[name]])) });
    }),
  },
  {
    id: 'fan-out.members-unnamed',
    says: 'The answers of the members of a group do not say from which member they are.',
    notes: 'acme.md, 1, "Groups"; 3, "GRP fopt create CIN"',
    violates: { onem2m: ['std.fan-out.member-named'] },
    wrap: changingContent((value) => {
      const { 'm2m:agr': aggregated } = value;
      const answers = isObject(aggregated) ? aggregated['m2m:rsp'] : undefined;
      if (Array.isArray(answers)) answers.push(...answers.splice(0).map(unnamed));
    }),
  },
];

function unprefixed(wrapper: Attributes): Attributes {
  return Object.fromEntries(Object.entries(wrapper).map(([name, value]) => [name.replace(/^\w+:/, ''), value]));
}

const unnamed = ({ fr: _from, to: _to, ...rest }: Attributes): Attributes => rest;
