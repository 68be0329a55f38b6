import type { HttpRequest } from '../dialects/http-message.ts';
import type { Fault, Wrap } from './fault.ts';
import { asked, isSuccess } from './vocabulary/asked.ts';
import { handling, refusal, refusing } from './vocabulary/blocks.ts';

const denied = { status: 403, code: 4103, says: 'The originator has no access.' };

/** Refuses to read what was created with certain headers to requests without them. */
function closedTo(
  reason: typeof denied,
  isPrivate: (request: HttpRequest) => boolean,
  isStranger: (request: HttpRequest) => boolean,
): Wrap {
  return (service, core) => {
    const closed = new Set<string>();
    return handling(async (request) => {
      const { method, path } = asked(request);
      if (method === 'GET' && closed.has(path) && isStranger(request)) return refusal(reason);
      const answer = await service.handle(request);
      const location = answer.headers['Content-Location'];
      if (method === 'POST' && isSuccess(answer) && isPrivate(request) && location !== undefined) closed.add(location);
      return answer;
    })(service, core);
  };
}

const ofOneM2M = ['x-m2m-origin', 'x-m2m-ri', 'x-m2m-rvi'];
const has = ({ headers }: HttpRequest, name: string) => headers[name] !== undefined;
const hasAny = (request: HttpRequest) => ofOneM2M.some((name) => has(request, name));

const isAbsolute = (originator: string | undefined) => originator?.startsWith('//') === true;

/** Who is served: originators and the headers of oneM2M. */
export const access: readonly Fault[] = [
  {
    id: 'service.headers-needed',
    violates: 'service.plain-http-client',
    says: 'What was created with a request identifier is not read without any header of oneM2M: 400.',
    wrap: closedTo(
      { status: 400, code: 4000, says: 'X-M2M-RI is missing.' },
      (request) => has(request, 'x-m2m-ri'),
      (request) => !hasAny(request),
    ),
  },
  {
    id: 'wire.originator.needed',
    violates: 'wire.originator.not-needed-over-http',
    says: 'What was created with an originator, and without a request identifier, is not read without one: 403.',
    wrap: closedTo(
      denied,
      (request) => has(request, 'x-m2m-origin') && !has(request, 'x-m2m-ri'),
      (request) => !has(request, 'x-m2m-origin'),
    ),
  },
  {
    id: 'wire.originator.absolute-form.refused',
    violates: 'wire.originator.absolute-form',
    says: 'An originator that begins with two slashes is refused with 400.',
    wrap: refusing({ status: 400, code: 4000, says: 'The originator is malformed.' }, (_, { headers }) =>
      isAbsolute(headers['x-m2m-origin']),
    ),
  },
  {
    id: 'wire.originator.absolute-form.breaks',
    violates: 'wire.originator.absolute-form',
    says: 'Reading with an originator that begins with two slashes fails with 500.',
    wrap: refusing(
      { status: 500, code: 5000, says: 'The CSE failed to handle the request.' },
      ({ method }, { headers }) => method === 'GET' && isAbsolute(headers['x-m2m-origin']),
    ),
  },
];
