/** Mobius: discovery. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import { resourceAt } from '../../faults/vocabulary/asked.ts';
import { changingAnswers, handling } from '../../faults/vocabulary/blocks.ts';
import { codeOf, refused, withBody, withoutHeaders } from '../../faults/vocabulary/changed-answers.ts';
import { asking, pathOf, queryOf } from '../../faults/vocabulary/changed-requests.ts';
import { isObject, jsonIn } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';

const notes = (row: string) => `tinyiot-mobius.md 2, ${row}`;

/** Names in a query that mean something; the notes do not say which of later releases do not. */
const known = new Set(
  'fu lbl ty crb cra ms us exb exa sts stb sza szb cty lim ofst lvl fo arp atr drt rcn rt rp ot rqet rset oet ec gid da atrl palb clbl pty chty cfq cfs'.split(
    ' ',
  ),
);

/** The labels were written again, in the form in which a search for one finds them. */
function isRewritten({ created, modified }: Resource): boolean {
  return modified !== created;
}

function afterUpdates(value: unknown, core: Cse): unknown {
  const list = isObject(value) ? value['m2m:uril'] : undefined;
  if (!Array.isArray(list)) return value;
  const kept = list.filter((address) => {
    const found = resourceAt(String(address), core);
    return found !== undefined && isRewritten(found);
  });
  return { 'm2m:uril': kept };
}

export const discovery: readonly Quirk[] = [
  {
    id: 'discovery.one-label.finds-nothing',
    says: 'A discovery by one label finds only what was updated after its creation.',
    notes: notes('discovery by one lbl'),
    violates: { onem2m: ['std.discovery.label'] },
    wrap: handling(async (request, service, core) => {
      const query = queryOf(request);
      const answer = await service.handle(request);
      const [only, ...others] = query.getAll('lbl');
      if (query.get('fu') !== '1' || only === undefined || others.length > 0 || codeOf(answer) !== 2000) return answer;
      return withBody(answer, afterUpdates(jsonIn(answer.body), core));
    }),
  },
  {
    id: 'discovery.label.plus',
    says: 'Several labels in one field, with plus signs between them, match nothing.',
    notes: notes('label value with +'),
    violates: { onem2m: ['std.filter.list'] },
    wrap: handling((request, service) => {
      const [, search = ''] = request.target.split('?', 2);
      if (!/(^|&)lbl=[^&]*(\+|%20)/.test(search)) return service.handle(request);
      const query = queryOf(request);
      query.set('lbl', 'no resource has this label');
      return service.handle(asking(request, pathOf(request), query));
    }),
  },
  {
    id: 'discovery.result-type.ignored',
    says: 'A discovery answers paths of names in m2m:uril, whatever drt and rcn ask for.',
    notes: notes('discovery answer'),
    violates: { onem2m: ['std.discovery.unstructured'] },
    wrap: handling((request, service) => {
      const query = queryOf(request);
      if (query.get('fu') !== '1') return service.handle(request);
      query.delete('drt');
      if (query.get('rcn') === '6') query.delete('rcn');
      return service.handle(asking(request, pathOf(request), query));
    }),
  },
  {
    id: 'discovery.partial.untold',
    says: 'A list that lim has cut short does not say so.',
    notes: notes('truncated result (lim)'),
    violates: { onem2m: ['std.filter.lim.partial'] },
    wrap: changingAnswers((answer) => withoutHeaders(answer, 'X-M2M-CTS', 'X-M2M-CTO')),
  },
  {
    id: 'query.unknown.ignored',
    says: 'A name in the query that means nothing is not looked at.',
    notes: notes('unknown query key'),
    violates: { onem2m: ['std.discovery.unknown-criterion'] },
    wrap: handling((request, service, core) => {
      const query = queryOf(request);
      const attributes = new Set(core.configuration.kinds.flatMap(({ attributes }) => Object.keys(attributes)));
      const strange = [...query.keys()].filter((name) => !known.has(name) && !attributes.has(name));
      if (strange.length === 0) return service.handle(request);
      for (const name of strange) query.delete(name);
      return service.handle(asking(request, pathOf(request), query));
    }),
  },
  {
    id: 'discovery.limit.no-number.fails',
    says: 'A lim that is no number ends in 500 and 5000.',
    notes: notes('lim=abc'),
    violates: { onem2m: ['std.discovery.invalid-value'] },
    wrap: handling((request, service) => {
      const limit = queryOf(request).get('lim');
      return limit !== null && !/^\d+$/.test(limit) ? refused(500, 5000, request) : service.handle(request);
    }),
  },
];
