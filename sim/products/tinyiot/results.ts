import type { Cse } from '../../core/cse.ts';
import type { HttpRequest } from '../../dialects/http-message.ts';
import { type Attributes, asked, foundIn, isSuccess, resourceAtPath } from '../../faults/vocabulary/asked.ts';
import { handling, withQuery } from '../../faults/vocabulary/blocks.ts';
import { changingContent, withBody } from '../../faults/vocabulary/changed-answers.ts';
import { eachObject, isObject } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';

/** What rcn and discovery make of an answer. */
export const results: readonly Quirk[] = [
  {
    id: 'create.address-empty',
    says: 'With rcn 2 a create answers an empty object.',
    notes: 'tinyiot-mobius.md, 2, row "create rcn=2"',
    violates: { onem2m: ['std.create.rcn.2'] },
    wrap: changingContent((value, { method, query }) => {
      if (method === 'POST' && query.get('rcn') === '2') delete value['m2m:uri'];
    }),
  },
  {
    id: 'create.rce.without-address',
    says: 'With rcn 3 a create answers m2m:rce without the address.',
    notes: 'tinyiot-mobius.md, 2, row "create rcn=3"',
    violates: { onem2m: ['std.create.rcn.3.address'] },
    wrap: changingContent((value) => {
      const { 'm2m:rce': created } = value;
      if (isObject(created)) delete created.uri;
    }),
  },
  {
    id: 'references.long-names',
    says: 'With rcn 6 references are written with the names name, type and val.',
    notes: 'tinyiot-mobius.md, 2, row "discovery answer"',
    violates: { onem2m: ['std.retrieve.rcn.6.children'] },
    wrap: changingContent((value) =>
      eachObject(value, (object) => {
        if (Array.isArray(object.rrf)) object.rrf = object.rrf.map(longNamed);
      }),
    ),
  },
  {
    id: 'discovery.newest-first',
    says: 'A discovery answers the newest resource first.',
    notes: 'tinyiot-mobius.md, 2, row "discovery answer"',
    violates: {},
    because: 'No order is given.',
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      const { discovery, query } = asked(request);
      if (!discovery || !isSuccess(answer) || foundIn(answer.body) === undefined) return answer;
      const whole = await service.handle(
        withQuery(request, (parameters) => {
          parameters.delete('lim');
          parameters.delete('ofst');
        }),
      );
      const found = (foundIn(whole.body) ?? []).reverse();
      const first = Number(query.get('ofst') ?? 1) - 1;
      const most = Number(query.get('lim') ?? found.length);
      return withBody(answer, { 'm2m:uril': found.slice(first, first + most) });
    }),
  },
  {
    id: 'discovery.without-right.refused',
    says: 'A discovery that finds nothing, by somebody without the right, is refused with 4103, beside an empty list.',
    notes: 'tinyiot-mobius.md, 2, row "discovery by an AE without rights"',
    violates: {},
    because: 'Such a discovery may be refused (TS-0004 7.3.3.14).',
    wrap: handling(async (request, service, core) => {
      const answer = await service.handle(request);
      const found = asked(request).discovery && isSuccess(answer) ? foundIn(answer.body) : undefined;
      if (found?.length !== 0 || mayDiscover(request, core)) return answer;
      const headers = { ...answer.headers, 'X-M2M-RSC': '4103' };
      return withBody({ ...answer, status: 403, headers }, { 'm2m:uril': [] });
    }),
  },
];

function longNamed({ nm: name, typ: type, val }: Attributes): Attributes {
  return { name, type, val };
}

function mayDiscover(request: HttpRequest, core: Cse): boolean {
  const { path } = asked(request);
  const target = resourceAtPath(path, core);
  const { 'x-m2m-origin': from } = request.headers;
  const { address } = request;
  if (target === undefined || from === undefined) return true;
  const asking = { operation: 'retrieve', to: path, from, ...(address !== undefined && { address }) } as const;
  return core.services.access.allows(asking, 'discover', target);
}
