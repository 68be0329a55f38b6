/** Mobius: what its answers look like. */
import { changingAnswers, handling } from '../../faults/vocabulary/blocks.ts';
import {
  changingResources,
  codeOf,
  labelled,
  refused,
  withBody,
  withoutHeaders,
} from '../../faults/vocabulary/changed-answers.ts';
import { asking, pathOf, queryOf, withHeaders } from '../../faults/vocabulary/changed-requests.ts';
import { describedIn } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';

const notes = (row: string) => `tinyiot-mobius.md 2, ${row}`;

const container = 3;

export const answers: readonly Quirk[] = [
  {
    id: 'cse-base.parent.null',
    says: 'pi of the CSE base is null.',
    notes: notes('CSEBase pi'),
    violates: { onem2m: ['std.cse-base.pi'] },
    wrap: changingResources((one) => (one.ty === 5 ? { ...one, pi: null } : one)),
  },
  {
    id: 'container.creator.always',
    says: 'A container tells its creator without being asked.',
    notes: notes('CNT defaults'),
    violates: { onem2m: ['std.create.cr.not-asked'] },
    wrap: changingResources((one, core) => {
      const creator = one.ty === container ? core.tree.byId(String(one.ri))?.creator : undefined;
      return creator === undefined ? one : { ...one, cr: creator };
    }),
  },
  {
    id: 'container.limits.default',
    says: 'A container has limits that nobody gave it: mni and mbs 3153600000, mia 31536000.',
    notes: notes('CNT defaults'),
    violates: {},
    because: 'A CSE may set limits by its own policy.',
    wrap: changingResources((one) =>
      one.ty === container ? { mni: 3_153_600_000, mbs: 3_153_600_000, mia: 31_536_000, ...one } : one,
    ),
  },
  {
    id: 'retrieve.children.m2m-rsp',
    says: 'With rcn 4 and 5 a retrieve answers the children alone, in m2m:rsp; with rcn 8 it is refused.',
    notes: notes('rcn=4/5/8 retrieve'),
    violates: {
      onem2m: [
        'std.retrieve.rcn.4',
        'std.retrieve.rcn.5',
        'std.retrieve.rcn.5.children',
        'std.retrieve.rcn.8',
        'std.retrieve.references.descendants',
        'std.retrieve.references.structured',
      ],
    },
    wrap: handling(async (request, service) => {
      const query = queryOf(request);
      const wanted = query.get('rcn') ?? '';
      if (request.method !== 'GET' || query.get('fu') === '1') return service.handle(request);
      if (wanted === '8') return refused(400, 4000, request);
      if (wanted !== '4' && wanted !== '5') return service.handle(request);
      query.set('rcn', '8');
      const answer = await service.handle(asking(request, pathOf(request), query));
      if (codeOf(answer) !== 2000) return answer;
      return withBody(answer, { 'm2m:rsp': describedIn(answer.body)?.attributes ?? {} });
    }),
  },
  {
    id: 'retrieve.partial.untold',
    says: 'An answer from which lim has left out children does not say so.',
    notes: notes('truncated result (lim)'),
    violates: { onem2m: ['std.retrieve.partial', 'std.retrieve.partial.offset'] },
    wrap: changingAnswers((answer) => withoutHeaders(answer, 'X-M2M-CTS', 'X-M2M-CTO')),
  },
  {
    id: 'delete.shows-the-resource',
    says: 'A delete answers the resource that was deleted, without being asked.',
    notes: notes('delete answer'),
    violates: { onem2m: ['std.delete.rcn.default'] },
    wrap: handling((request, service) => {
      const query = queryOf(request);
      if (request.method !== 'DELETE' || query.has('rcn')) return service.handle(request);
      query.set('rcn', '1');
      return service.handle(asking(request, pathOf(request), query));
    }),
  },
  {
    id: 'accept.other-types',
    says: 'Who accepts no type of oneM2M gets JSON.',
    notes: notes('Accept'),
    violates: {},
    because: 'An answer in a type of oneM2M is one of the permitted ones.',
    wrap: handling((request, service) => {
      const { accept } = request.headers;
      const served = accept === undefined || /json|cbor|\*\/\*/.test(accept);
      return service.handle(served ? request : withHeaders(request, { accept: 'application/json' }));
    }),
  },
  {
    id: 'accept.cbor.hex-text',
    says: 'CBOR is answered as the hexadecimal digits of its bytes.',
    notes: notes('unsupported media type'),
    violates: { onem2m: ['std.cbor.answer'] },
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      if (typeof answer.body === 'string') return answer;
      return { ...answer, body: Buffer.from(answer.body).toString('hex') };
    }),
  },
  {
    id: 'location.without-slash',
    says: 'Content-Location is the address without a slash before it.',
    notes: notes('Content-Location on create'),
    violates: {},
    because: 'It leads to the resource.',
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      const location = answer.headers['Content-Location'];
      if (location === undefined) return answer;
      return labelled(answer, { 'Content-Location': location.replace(/^\//, '') });
    }),
  },
];
