import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { asked, isSuccess } from '../../faults/vocabulary/asked.ts';
import { changingAnswers, changingRequests, handling, withQuery } from '../../faults/vocabulary/blocks.ts';
import {
  changingRefusals,
  labelled,
  recoded,
  withBody,
  withoutHeaders,
} from '../../faults/vocabulary/changed-answers.ts';
import { toBeCreated, withHeaders } from '../../faults/vocabulary/changed-requests.ts';
import { isObject, jsonIn } from '../../faults/vocabulary/representations.ts';
import { noAnswer, type Quirk } from '../product.ts';

const isCreate = ({ method, headers }: HttpRequest) => method === 'POST' && /ty=/.test(headers['content-type'] ?? '');

/** What tinyIoT takes or refuses before it looks at a resource. */
export const requests: readonly Quirk[] = [
  {
    id: 'header.request-identifier-optional',
    says: 'A request without a request identifier is served.',
    notes: 'tinyiot-mobius.md, 2, row "missing X-M2M-RI"',
    violates: { onem2m: ['std.headers.ri.missing'] },
    wrap: handling(async (request, service) => {
      if (request.headers['x-m2m-ri'] !== undefined) return service.handle(request);
      const answer = await service.handle(withHeaders(request, { 'x-m2m-ri': 'none' }));
      return withoutHeaders(answer, 'X-M2M-RI');
    }),
  },
  {
    id: 'header.expiration-ignored',
    says: 'X-M2M-RET is not looked at.',
    notes: 'tinyiot-mobius.md, 2, row "X-M2M-RET in the past"',
    violates: { onem2m: ['std.headers.ret.passed', 'std.headers.ret.malformed'] },
    wrap: changingRequests((request) => withHeaders(request, { 'x-m2m-ret': undefined })),
  },
  {
    id: 'header.accept-ignored',
    says: 'Accept is not looked at: every answer is JSON.',
    notes: 'tinyiot-mobius.md, 2, row "Accept"',
    violates: {},
    because: 'A server may disregard Accept (RFC 9110, 12.5.1).',
    wrap: changingRequests((request) => withHeaders(request, { accept: undefined })),
  },
  {
    id: 'content-type.any',
    says: 'Content of any media type is read as JSON.',
    notes: 'tinyiot-mobius.md, 2, row "unsupported media type"',
    violates: { onem2m: ['std.headers.content-type.foreign'] },
    wrap: changingRequests((request) => {
      const { 'content-type': type } = request.headers;
      if (type === undefined || type.startsWith('application/json')) return undefined;
      const parameters = type.split(';').slice(1);
      return {
        ...request,
        headers: { ...request.headers, 'content-type': ['application/json', ...parameters].join(';') },
      };
    }),
  },
  {
    id: 'content.empty.fails',
    says: 'A create without a body is answered by 500 and 5000.',
    notes: 'tinyiot-mobius.md, 2, row "empty body"',
    violates: { onem2m: ['std.content.empty'] },
    wrap: changingRefusals((answer, request) => {
      if (!isCreate(request) || request.body.length > 0) return undefined;
      return recoded(answer, 500, 5000);
    }),
  },
  {
    id: 'content.null.created',
    says: 'A create whose root holds null is answered by 201, with the same content.',
    notes: 'tinyiot-mobius.md, 2, row `{"m2m:cnt":null}`',
    violates: { onem2m: ['std.content.empty'] },
    wrap: changingRefusals((answer, request) => {
      const text = Buffer.from(request.body).toString();
      const value = jsonIn(text);
      const isNull = isObject(value) && Object.keys(value).length === 1 && Object.values(value)[0] === null;
      if (!isCreate(request) || !isNull) return undefined;
      return { ...recoded(answer, 201, 2001), body: text };
    }),
  },
  {
    id: 'content.broken.without-headers',
    says: 'The answer to content that is not JSON has neither request identifier nor release version.',
    notes: 'tinyiot-mobius.md, 2, row "X-M2M-RVI in answer"',
    violates: { onem2m: ['std.headers.ri.refusal', 'std.headers.rvi'] },
    wrap: changingRefusals((answer, { body }) => {
      if (body.length === 0 || jsonIn(body) !== undefined) return undefined;
      return withoutHeaders(answer, 'X-M2M-RI', 'X-M2M-RVI');
    }),
  },
  {
    id: 'path.slash-at-end',
    says: 'A slash at the end of a path says nothing.',
    notes: 'tinyiot-mobius.md, 2, row "trailing slash"',
    violates: {},
    because: 'No requirement speaks of it.',
    wrap: changingRequests((request, { slashAtEnd }) =>
      slashAtEnd ? { ...request, target: request.target.replace(/\/(?=\?|$)/, '') } : undefined,
    ),
  },
  {
    id: 'path.virtual-below-identifier',
    says: 'la and ol are not found below the identifier of a container.',
    notes: 'tinyiot-mobius.md, 2, row "<ri>/la (unstructured)"',
    violates: { onem2m: ['std.address.virtual-below-identifier'] },
    wrap: handling((request, service, { configuration }) => {
      const { path } = asked(request);
      const [, first, ...more] = path.replace(/^\/[~_](?=\/)/, '').split('/');
      const isBelowIdentifier = more.length === 1 && /^(?:la|ol)$/.test(more[0] ?? '') && first !== configuration.base;
      if (!isBelowIdentifier) return service.handle(request);
      return service.handle({ ...request, target: `/${configuration.base}/-/nowhere` });
    }),
  },
  {
    id: 'request.synchronous.refused',
    says: 'rt 1 is refused with 4000.',
    notes: 'tinyiot-mobius.md, 2, row "rt=1"',
    violates: { onem2m: ['std.request.synchronous'] },
    wrap: changingRequests((request, { query }) =>
      query.get('rt') === '1' ? withQuery(request, (parameters) => parameters.set('rt', '99')) : undefined,
    ),
  },
  {
    id: 'rcn.unknown.answered',
    says: 'A read with a value that rcn does not have is answered by 200 and an empty object.',
    notes: 'tinyiot-mobius.md, 2, row "rcn=99"',
    violates: { onem2m: ['std.retrieve.rcn.unknown'] },
    wrap: changingRefusals((answer, _, { method, query }) =>
      method === 'GET' && Number(query.get('rcn')) > 12 ? done(answer, {}) : undefined,
    ),
  },
  {
    id: 'discovery.limit-no-number',
    says: 'A discovery with a limit that is no number is answered by an empty list.',
    notes: 'tinyiot-mobius.md, 2, row "lim=abc"',
    violates: { onem2m: ['std.discovery.invalid-value'] },
    wrap: changingRefusals((answer, _, { discovery, query }) =>
      discovery && !/^\d*$/.test(query.get('lim') ?? '') ? done(answer, { 'm2m:uril': [] }) : undefined,
    ),
  },
  {
    id: 'options.ok',
    says: 'OPTIONS is answered by 200 and 2000.',
    notes: 'tinyiot-mobius.md, 2, row "OPTIONS"',
    violates: {},
    because: 'The method is that of HTTP; no requirement speaks of it.',
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      return request.method === 'OPTIONS' && isSuccess(answer) ? { ...answer, status: 200 } : answer;
    }),
  },
  {
    id: 'answer.cors',
    says: 'Each answer has headers for browsers of other origins.',
    notes: 'tinyiot-mobius.md, 2, row "CORS headers"',
    violates: {},
    because: 'No requirement speaks of them.',
    wrap: changingAnswers((answer) =>
      labelled(answer, { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' }),
    ),
  },
  {
    id: 'answer.untimed',
    says: 'No answer has X-M2M-OT.',
    notes: 'tinyiot-mobius.md, 2, row "Date header, X-M2M-OT"',
    violates: {},
    because: 'It is optional.',
    wrap: changingAnswers((answer) => withoutHeaders(answer, 'X-M2M-OT')),
  },
  {
    id: 'create.location-absent',
    says: 'Content-Location is never told.',
    notes: 'tinyiot-mobius.md, 2, row "Content-Location on create"',
    violates: { onem2m: ['std.headers.content-location.told'] },
    wrap: changingAnswers((answer) => withoutHeaders(answer, 'Content-Location')),
  },
  {
    id: 'crash.content-instance-without-content',
    says: 'A content instance without con ends the process.',
    notes: 'tinyiot-mobius.md, 3.1, "contentInstance without con"',
    violates: { onem2m: ['std.content-instance.without-con'] },
    wire: {},
    wrap: handling((request, service) => {
      const { root, attributes } = toBeCreated(request) ?? {};
      return root === 'm2m:cin' && attributes?.con === undefined ? noAnswer : service.handle(request);
    }),
  },
];

function done(answer: HttpResponse, content: unknown): HttpResponse {
  return withBody(recoded(answer, 200, 2000), content);
}
