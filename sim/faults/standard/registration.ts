/** What the standard says of the registration of application entities, broken. */

import {
  BAD_REQUEST,
  CONFLICT,
  DELETED,
  NOT_FOUND,
  NOT_IMPLEMENTED,
  ORIGINATOR_HAS_ALREADY_REGISTERED,
  ORIGINATOR_HAS_NO_PRIVILEGE,
  UPDATED,
} from '../../core/status.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { refused } from '../vocabulary/changed-answers.ts';
import { withHeaders } from '../vocabulary/changed-requests.ts';
import { describedIn } from '../vocabulary/representations.ts';
import {
  codingAs,
  describingOtherwise,
  refusingThose,
  refusingWith,
  rewriting,
  rooting,
  showingAs,
} from '../vocabulary/standard-changes.ts';
import { byIdentifier, byPath, childrenOf, haunting, targetOf } from '../vocabulary/standard-remains.ts';
import { all, creates, deletes, Exchange, type Which } from '../vocabulary/standard-wanted.ts';

const registers = creates('m2m:ae');

/** The originator is one of these. */
const from =
  (pattern: RegExp): Which =>
  ({ originator }) =>
    pattern.test(originator);

const leaves = deletes('m2m:ae');
const named = all(registers, from(/^C./));

/** Remembers the identifiers of application entities that are concerned by these requests, and answers others because of that. */
function remembering(
  learns: Which,
  refuses: (exchange: Exchange, known: ReadonlySet<unknown>) => boolean,
  refusal: (exchange: Exchange) => HttpResponse,
): Wrap {
  return (service, core) => {
    const known = new Set<unknown>();
    return handling(async (request) => {
      const exchange = new Exchange(request, core);
      if (refuses(exchange, known)) return refusal(exchange);
      const isLearning = learns(exchange);
      const aei = isLearning ? exchange.target?.values.aei : undefined;
      const answer = await service.handle(request);
      if (isLearning && isSuccess(answer)) known.add(aei ?? describedIn(answer.body)?.attributes.aei);
      return answer;
    })(service, core);
  };
}

export const registration: readonly Fault[] = [
  breaking(
    'std.ae.register',
    'long-root',
    'A registration under an identifier that the originator names is answered below the root m2m:AE.',
    rooting(named, 'm2m:AE'),
  ),
  breaking(
    'std.ae.register.aei',
    'name',
    'A registration under an identifier that the originator names is answered with the name of the application entity as aei.',
    showingAs(named, 'aei', (_, { rn }) => rn),
  ),
  breaking(
    'std.ae.register.aei',
    'missing',
    'A registration under an identifier that the originator names is answered without aei.',
    showingAs(named, 'aei', () => undefined),
  ),
  breaking(
    'std.ae.register.ri',
    'of-its-own',
    'A registration under an identifier that the originator names is answered with a resource identifier that begins with ae.',
    showingAs(named, 'ri', (ri) => `ae${ri}`),
  ),
  breaking(
    'std.ae.register.rn',
    'aei',
    'A registration under an identifier that the originator names is answered with that identifier as the name.',
    showingAs(named, 'rn', (_, { aei }) => aei),
  ),
  breaking(
    'std.ae.register.sp-relative',
    'not-implemented',
    'An originator that writes its identifier with the CSE-ID before it is refused with 5001.',
    refusingThose(all(registers, from(/^\/[^/]+\/C/)), NOT_IMPLEMENTED),
  ),
  breaking(
    'std.ae.register.sp-relative',
    'another',
    'An originator that writes its identifier with the CSE-ID before it is given another one.',
    rewriting(all(registers, from(/^\/[^/]+\/C/)), ({ request }) => withHeaders(request, { 'x-m2m-origin': 'C' })),
  ),
  breaking(
    'std.ae.register.c',
    'refused',
    'An originator C is refused with 4000.',
    refusingThose(all(registers, from(/^C$/)), BAD_REQUEST),
  ),
  breaking(
    'std.ae.register.c',
    's',
    'An originator C is given an identifier that begins with S.',
    rewriting(all(registers, from(/^C$/)), ({ request }) => withHeaders(request, { 'x-m2m-origin': 'S' })),
  ),
  breaking(
    'std.ae.register.empty',
    'refused',
    'A registration without an originator is refused with 4000.',
    refusingThose(all(registers, from(/^$/)), BAD_REQUEST),
  ),
  breaking(
    'std.ae.register.s',
    'c',
    'An originator S is given an identifier that begins with C.',
    rewriting(all(registers, from(/^S$/)), ({ request }) => withHeaders(request, { 'x-m2m-origin': 'C' })),
  ),
  breaking(
    'std.ae.register.s',
    'conflict',
    'An originator S is refused with 4105.',
    refusingThose(all(registers, from(/^S$/)), CONFLICT),
  ),
  breaking(
    'std.ae.given-identifier-speaks',
    'no-right',
    'Who was given an identifier on registration may delete nothing.',
    remembering(
      all(registers, from(/^[CS]?$/)),
      ({ method, originator }, known) => method === 'DELETE' && known.has(originator),
      ({ request }) => refused(ORIGINATOR_HAS_NO_PRIVILEGE.http, ORIGINATOR_HAS_NO_PRIVILEGE.code, request),
    ),
  ),
  breaking(
    'std.ae.register.not-allowed',
    'given',
    'An originator that begins with neither C nor S is given an identifier that begins with C.',
    rewriting(all(registers, from(/^[^CS/]/)), ({ request }) => withHeaders(request, { 'x-m2m-origin': 'C' })),
  ),
  breaking(
    'std.ae.register.not-allowed',
    'not-found',
    'An originator that begins with neither C nor S is refused with 4004.',
    refusingWith(all(registers, from(/^[^CS/]/)), NOT_FOUND),
  ),
  breaking(
    'std.ae.register.app-id',
    'taken',
    'An application identifier that begins with another letter than r, R or N is taken, with N before it.',
    describingOtherwise(registers, ({ api, ...rest }) => ({
      ...rest,
      api: typeof api === 'string' && !/^[rRN]/.test(api) ? `N${api}` : api,
    })),
  ),
  breaking(
    'std.ae.register.app-id',
    'not-found',
    'An application identifier that begins with x is refused with 4004.',
    codingAs(
      all(registers, ({ sent }) => String(sent?.attributes.api).startsWith('x')),
      BAD_REQUEST,
      NOT_FOUND,
    ),
  ),
  breaking(
    'std.ae.register.without-api',
    'taken',
    'An application entity without api is taken, with N as its api.',
    describingOtherwise(registers, (attributes) => ({ api: 'N', ...attributes })),
  ),
  breaking(
    'std.ae.register.without-rr',
    'taken',
    'An application entity without rr is taken, with false as its rr.',
    describingOtherwise(registers, (attributes) => ({ rr: false, ...attributes })),
  ),
  breaking(
    'std.ae.register.twice',
    'bad-request',
    'A registration under an identifier that is registered already is refused with 4000.',
    codingAs(registers, ORIGINATOR_HAS_ALREADY_REGISTERED, BAD_REQUEST),
  ),
  breaking(
    'std.ae.register.name-taken',
    'bad-request',
    'An application entity with a name that is taken is refused with 4000.',
    codingAs(registers, CONFLICT, BAD_REQUEST),
  ),
  breaking(
    'std.ae.register.name-taken',
    'another',
    'An application entity with a name that is taken is given another name.',
    describingOtherwise(
      all(registers, ({ namesake }) => namesake !== undefined),
      ({ rn: _taken, ...rest }) => rest,
    ),
  ),
  breaking(
    'std.ae.register.again',
    'refused',
    'An identifier that was registered is not registered again after its application entity has deregistered: 4117.',
    remembering(
      deletes('m2m:ae'),
      (exchange, known) => registers(exchange) && known.has(exchange.originator),
      ({ request }) => refused(ORIGINATOR_HAS_ALREADY_REGISTERED.http, ORIGINATOR_HAS_ALREADY_REGISTERED.code, request),
    ),
  ),
  breaking(
    'std.ae.deregister',
    'updated',
    'The deregistration of an application entity with something below it is answered with 2004.',
    codingAs(
      all(deletes('m2m:ae'), ({ target }) => (target?.children?.size ?? 0) > 0),
      DELETED,
      UPDATED,
    ),
  ),
  breaking(
    'std.ae.deregister.gone',
    'answered',
    'An application entity that has deregistered is still answered to who reads its path.',
    haunting(targetOf(leaves), byPath),
  ),
  breaking(
    'std.ae.deregister.subtree-gone',
    'answered',
    'Containers below an application entity that has deregistered are still answered by their identifiers, until one of them is to be deleted.',
    haunting(childrenOf(leaves, 'm2m:cnt'), byIdentifier, deletes()),
  ),
];
