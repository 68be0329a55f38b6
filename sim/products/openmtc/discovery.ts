/** OpenMTC: discovery. */
import { resourceAtPath } from '../../faults/vocabulary/asked.ts';
import { changingAnswers, changingDiscoveries, handling } from '../../faults/vocabulary/blocks.ts';
import { refused, withBody, withoutHeaders } from '../../faults/vocabulary/changed-answers.ts';
import { asking, pathOf, queryOf } from '../../faults/vocabulary/changed-requests.ts';
import { isObject, jsonIn } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';

const notes = (section: string) => `openmtc.md 5: ${section}`;

const known: ReadonlySet<string> = new Set(
  'fu lbl ty cty crb cra ms us exb exa sts stb sza szb lim drt rcn rt rp ec gid da atrl ot'.split(' '),
);
const repeated: ReadonlySet<string> = new Set(['lbl', 'ty', 'cty', 'atr']);

function isRefused(query: URLSearchParams): boolean {
  const names = [...query.keys()];
  return names.some((name) => !known.has(name) || (!repeated.has(name) && query.getAll(name).length > 1));
}

const criteria = 'lbl ty cty crb cra ms us exb exa sts stb sza szb lim'.split(' ');

export const discovery: readonly Quirk[] = [
  {
    id: 'discovery.target-itself',
    says: 'A discovery finds its target too.',
    notes: notes('Target itself included'),
    violates: { onem2m: ['std.discovery.all'] },
    wrap: changingDiscoveries((found, { path, query }, core) => {
      const target = resourceAtPath(path, core);
      const picks = criteria.some((name) => query.has(name)) || query.get('drt') === '2';
      if (target === undefined || picks) return undefined;
      const prefix = /^\/([~_]\/)?/.exec(path)?.[0] ?? '/';
      const scope = prefix === '/' ? '' : prefix === '/~/' ? '/' : '//';
      return [scope + path.slice(prefix.length), ...found];
    }),
  },
  {
    id: 'query.unknown.4000',
    says: 'ofst, lvl, fo, arp, attributes and every unknown name in a query are refused, and most names given twice.',
    notes: notes('ofst, lvl, fo, arp, atr (and any unknown parameter) -> 400/4000'),
    violates: {},
    because: 'A criterion that is refused cannot be judged.',
    wrap: handling((request, service) =>
      isRefused(queryOf(request)) ? refused(400, 4000, request) : service.handle(request),
    ),
  },
  {
    id: 'discovery.list.plus',
    says: 'A plus sign is a space in a label, and makes no list of types.',
    notes: notes('lbl=k1+k2 is one label; ty=3,4 -> 400'),
    violates: { onem2m: ['std.filter.list'] },
    wrap: handling((request, service) =>
      queryOf(request)
        .getAll('ty')
        .some((ty) => !/^\d+$/.test(ty))
        ? refused(400, 4000, request)
        : service.handle(request),
    ),
  },
  {
    id: 'discovery.partial.untold',
    says: 'A list that lim has cut short does not say so.',
    notes: notes('lim=n stops after n; 0: headers of success'),
    violates: { onem2m: ['std.filter.lim.partial'] },
    wrap: changingAnswers((answer) => withoutHeaders(answer, 'X-M2M-CTS', 'X-M2M-CTO')),
  },
  {
    id: 'discovery.content-type.never',
    says: 'cty finds nothing.',
    notes: notes('cty never matches'),
    violates: { onem2m: ['std.filter.cty'] },
    wrap: handling(async (request, service) => {
      const query = queryOf(request);
      const answer = await service.handle(request);
      const found = query.get('fu') === '1' && query.has('cty') && isObject(jsonIn(answer.body));
      return found && answer.status === 200 ? withBody(answer, { 'm2m:uril': [] }) : answer;
    }),
  },
  {
    id: 'retrieve.criteria.ignored',
    says: 'Without fu=1 criteria are not looked at.',
    notes: notes('fu=2 or no fu -> criteria ignored, normal retrieve'),
    violates: {
      onem2m: [
        'std.retrieve.conditional.not-met',
        'std.retrieve.filter.children',
        'std.create.filter-criteria',
        'std.create.filter-criteria.nothing-created',
      ],
    },
    wrap: handling((request, service) => {
      const query = queryOf(request);
      const fu = query.get('fu');
      if (fu === '1' || (fu !== null && fu !== '2')) return service.handle(request);
      for (const name of ['fu', ...criteria]) query.delete(name);
      return service.handle(asking(request, pathOf(request), query));
    }),
  },
];
