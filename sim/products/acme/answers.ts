import { isSuccess } from '../../faults/vocabulary/asked.ts';
import { changingAnswers, handling } from '../../faults/vocabulary/blocks.ts';
import { changingRefusals, labelled } from '../../faults/vocabulary/changed-answers.ts';
import { withHeaders } from '../../faults/vocabulary/changed-requests.ts';
import { describedIn, jsonIn } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';

const html = { 'Content-Type': 'text/html; charset=utf-8' };

/** What is in the head of each answer, and what answers what no operation goes with. */
export const answers: readonly Quirk[] = [
  {
    id: 'answer.connection-closed',
    says: 'The connection is closed after each answer, which says so.',
    notes: 'acme.md, 1, "Headers": Connection: close',
    violates: {},
    because: 'HTTP permits a server to close a connection after any answer, as long as it says so (RFC 9112, 9.6).',
    wrap: changingAnswers((answer) => labelled(answer, { Connection: 'close' })),
  },
  {
    id: 'answer.json-under-one-name',
    says: 'JSON is answered as application/json, even where Accept asks for application/vnd.onem2m-res+json.',
    notes: 'acme.md, 1, "Headers": Content-Type out',
    violates: {},
    because: 'Both names mean the same, and what Accept says should be considered only (TS-0009 6.4.3).',
    wrap: changingAnswers((answer) => {
      const { 'Content-Type': type = '' } = answer.headers;
      if (!type.endsWith('json')) return undefined;
      return labelled(answer, { 'Content-Type': 'application/json' });
    }),
  },
  {
    id: 'answer.xml-empty',
    says: 'Where Accept asks for application/xml, a success has that type and an empty body.',
    notes: 'acme.md, 1, "Headers": Accept: application/xml',
    violates: {},
    because: 'XML is a type of oneM2M, so that std.headers.accept does not speak of it; nothing else does.',
    wrap: handling(async (request, service) => {
      if (request.headers.accept !== 'application/xml') return service.handle(request);
      const answer = await service.handle(withHeaders(request, { accept: undefined }));
      if (!isSuccess(answer)) return answer;
      return { ...labelled(answer, { 'Content-Type': 'application/xml' }), body: '' };
    }),
  },
  {
    id: 'refusal.request-identifier-missing',
    says: 'The answer to a request without a request identifier says X-M2M-RI: None.',
    notes: 'acme.md, 1, "Headers": with RI missing',
    violates: {},
    because: 'There is no identifier that could come back.',
    wrap: changingRefusals((answer, { headers }) =>
      headers['x-m2m-ri'] === undefined ? labelled(answer, { 'X-M2M-RI': 'None' }) : undefined,
    ),
  },
  {
    id: 'refusal.broken-content-unidentified',
    says: 'The answer to content that is not JSON says X-M2M-RI: None, whatever the request says.',
    notes: 'acme.md, 1, "Precedence": bad JSON first',
    violates: { onem2m: ['std.headers.ri.refusal'] },
    wrap: changingRefusals((answer, { headers, body }) => {
      const isBroken = /json/.test(headers['content-type'] ?? '') && body.length > 0 && jsonIn(body) === undefined;
      return isBroken ? labelled(answer, { 'X-M2M-RI': 'None' }) : undefined;
    }),
  },
  {
    id: 'answer.outside-the-tree',
    says: 'The path / and the method PATCH are answered by a page in HTML, without a response status code.',
    notes: 'acme.md, 1, "Addressing": / alone, PATCH',
    violates: {},
    because: 'Neither is a request of oneM2M, to whose answers a response status code belongs.',
    wrap: handling(async (request, service) => {
      if (request.target === '/') return { status: 404, headers: html, body: '<title>404 Not Found</title>' };
      if (request.method !== 'PATCH') return service.handle(request);
      const { Allow = 'GET, HEAD, POST, PUT, DELETE, OPTIONS' } = (await service.handle(request)).headers;
      return { status: 405, headers: { ...html, Allow }, body: '<title>405 Method Not Allowed</title>' };
    }),
  },
  {
    id: 'options.ok',
    says: 'OPTIONS is answered by 200 with Allow.',
    notes: 'acme.md, 1, "Addressing": OPTIONS',
    violates: {},
    because: 'The method is that of HTTP; no requirement speaks of it.',
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      return request.method === 'OPTIONS' && answer.status === 204 ? { ...answer, status: 200 } : answer;
    }),
  },
  {
    id: 'update.wrong-root.unacceptable',
    says: 'An update below the root of another kind is refused with 4102, contents unacceptable.',
    notes: 'acme.md, 1, "Attributes": Update, other type\'s name',
    violates: {},
    because: 'It is a refusal of the content, and a clear one.',
    wrap: changingRefusals((answer, request, { method }) => {
      const isOther = /root key must be/.test(String(answer.body)) && describedIn(request.body) !== undefined;
      if (method !== 'PUT' || !isOther) return undefined;
      return labelled(answer, { 'X-M2M-RSC': '4102' });
    }),
  },
];
