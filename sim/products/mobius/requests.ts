/** Mobius: what a request has to carry, and requests that it does not survive. */
import { changingAnswers, changingRequests, handling } from '../../faults/vocabulary/blocks.ts';
import { codeOf, labelled, recoded, refused, withoutHeaders } from '../../faults/vocabulary/changed-answers.ts';
import { pathOf, queryOf, withHeaders } from '../../faults/vocabulary/changed-requests.ts';
import { describedIn } from '../../faults/vocabulary/representations.ts';
import { noAnswer, type Quirk } from '../product.ts';

const notes = (row: string) => `tinyiot-mobius.md 2, ${row}`;

export const requests: readonly Quirk[] = [
  {
    id: 'binding.of-the-standard',
    says: 'Requests need the headers of the standard, so that those of an ordinary HTTP client are refused with 400.',
    notes: notes('missing X-M2M-Origin, missing X-M2M-RI, no ty on POST'),
    violates: { documented: ['ae.create.status', 'container.create-at-root.answer', 'discovery.empty.status'] },
    settings: { dialect: 'onem2m' },
  },
  {
    id: 'access-control.off',
    says: 'Nobody looks at rights, so that everybody may read, change and delete whatever belongs to somebody else.',
    notes: 'tinyiot-mobius.md, introduction: access control off unless configured',
    violates: {
      onem2m: [
        'std.polling-channel.retrieve-by-other',
        'std.polling-channel.update-by-other',
        'std.polling-channel.delete-by-other',
      ],
    },
    settings: { requireAuth: false },
  },
  {
    id: 'originator.missing.refused',
    says: 'A request without X-M2M-Origin is refused with 400 and 4000, that of an application entity that registers too.',
    notes: notes('missing X-M2M-Origin'),
    violates: { onem2m: ['std.ae.register.empty'] },
    wrap: handling((request, service) =>
      request.headers['x-m2m-origin'] === undefined ? refused(400, 4000, request) : service.handle(request),
    ),
  },
  {
    id: 'originator.empty.assigned-s',
    says: 'An application entity that registers with an empty X-M2M-Origin gets an identifier that begins with S.',
    notes: notes('empty X-M2M-Origin on AE create'),
    violates: {},
    because: 'The standard leaves C or S to the CSE.',
    wrap: changingRequests((request) =>
      request.method === 'POST' && request.headers['x-m2m-origin'] === ''
        ? withHeaders(request, { 'x-m2m-origin': 'S' })
        : undefined,
    ),
  },
  {
    id: 'release.any',
    says: 'X-M2M-RVI may be missing or say anything, which is echoed; 2a stands for a missing one.',
    notes: notes('missing X-M2M-RVI'),
    violates: {},
    because: 'It speaks release 2a, and that an unknown release is refused is said since release 3.',
    wrap: handling(async (request, service) => {
      const said = request.headers['x-m2m-rvi'] ?? '2a';
      const answer = await service.handle(withHeaders(request, { 'x-m2m-rvi': '2a' }));
      return labelled(answer, { 'X-M2M-RVI': said });
    }),
  },
  {
    id: 'request-expiration.ignored',
    says: 'X-M2M-RET is not looked at.',
    notes: notes('X-M2M-RET in the past'),
    violates: { onem2m: ['std.headers.ret.passed', 'std.headers.ret.malformed'] },
    // A poll of a polling channel, of which the notes do not speak, still ends when it is told to.
    wrap: changingRequests((request) =>
      pathOf(request).endsWith('/pcu') ? undefined : withHeaders(request, { 'x-m2m-ret': undefined }),
    ),
  },
  {
    id: 'non-blocking.synchronous.dies',
    says: 'A GET with rt=1 kills the worker that serves it: the connection is closed without an answer.',
    notes: `${notes('rt=1')}; 3.2`,
    violates: { onem2m: ['std.request.synchronous'] },
    wire: {},
    wrap: handling((request, service) =>
      request.method === 'GET' && queryOf(request).get('rt') === '1' ? noAnswer : service.handle(request),
    ),
  },
  {
    id: 'method.patch.not-found',
    says: 'PATCH is answered by 404 and a page in HTML.',
    notes: notes('PATCH'),
    violates: {},
    because: 'That is a refusal; the standard names no status for it, and HTTP only recommends 405 and 501.',
    wrap: handling((request, service) =>
      request.method === 'PATCH'
        ? { status: 404, headers: { 'Content-Type': 'text/html' }, body: '<pre>Cannot PATCH</pre>' }
        : service.handle(request),
    ),
  },
  {
    id: 'path.dash.not-found',
    says: 'A dash does not stand for the name of the CSE base.',
    notes: notes('/-/… for the CSEBase'),
    violates: { onem2m: ['std.address.dash'] },
    wrap: handling((request, service) =>
      pathOf(request).split('/').includes('-') ? refused(404, 4004, request) : service.handle(request),
    ),
  },
  {
    id: 'path.trailing-slash.not-found',
    says: 'A path with a slash at its end leads nowhere: 404 and 4004.',
    notes: notes('trailing slash'),
    violates: {},
    because:
      'The standard has no such address, and asks for no code; no application entity of the documented kind gets so far.',
    wrap: handling((request, service) =>
      /.\/$/.test(pathOf(request)) ? refused(404, 4004, request) : service.handle(request),
    ),
  },
  {
    id: 'cors',
    says: 'Every answer allows every origin, and OPTIONS is answered by 204.',
    notes: notes('CORS headers; OPTIONS'),
    violates: {},
    because: 'Nothing is said of it.',
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      return labelled(answer, { 'Access-Control-Allow-Origin': '*' });
    }),
  },
  {
    id: 'answer.without-time',
    says: 'Answers have a Date and no X-M2M-OT.',
    notes: notes('Date header, X-M2M-OT'),
    violates: {},
    because: 'X-M2M-OT is optional.',
    wrap: changingAnswers((answer) => withoutHeaders(answer, 'X-M2M-OT')),
  },
  {
    id: 'registration.twice.4106',
    says: 'An originator that has registered is refused with 409 and 4106.',
    notes: notes('same originator registers twice'),
    violates: { onem2m: ['std.ae.register.twice', 'std.http.refused-registration'] },
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      return codeOf(answer) === 4117 && describedIn(request.body)?.root === 'm2m:ae'
        ? recoded(answer, 409, 4106)
        : answer;
    }),
  },
];
