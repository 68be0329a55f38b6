/** What the standard says of the headers of requests, broken. */

import {
  BAD_REQUEST,
  CONFLICT,
  NOT_FOUND,
  NOT_IMPLEMENTED,
  ORIGINATOR_HAS_NO_PRIVILEGE,
  REQUEST_TIMEOUT,
  UNSUPPORTED_MEDIA_TYPE,
} from '../../core/status.ts';
import type { HttpRequest } from '../../dialects/http-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { hexOf } from '../vocabulary/bytes.ts';
import { labelled, refused, withoutHeaders } from '../vocabulary/changed-answers.ts';
import { withHeaders } from '../vocabulary/changed-requests.ts';
import {
  answering,
  doingAllTheSame,
  failure,
  refusingThose,
  refusingWith,
  rewriting,
  showingAs,
} from '../vocabulary/standard-changes.ts';
import { all, creates, Exchange, reads, type Which } from '../vocabulary/standard-wanted.ts';

/** The request has this header, with a value of this form where one is given. */
const has =
  (name: string, form: RegExp = /^/): Which =>
  ({ request }) => {
    const { [name]: value } = request.headers;
    return value !== undefined && form.test(value);
  };

const lacks =
  (name: string): Which =>
  ({ request }) =>
    request.headers[name] === undefined;

const kindUnsaid: Which = (exchange) => creates('m2m:cnt')(exchange) && !has('content-type', /ty=/)(exchange);
const labelledAs = (form: RegExp) => has('content-type', form);

/** Served as if a header were another, or not there. */
const instead = (which: Which, name: string, value?: string) =>
  rewriting(which, ({ request }) => withHeaders(request, { [name]: value }));

/** Headers of oneM2M that this CSE knows. */
const known = /^x-m2m-(origin|ri|gid|rtu|ot|rst|ret|oet|ec|rvi|vsi|asri|rsc|cts|cto|ctu|atr|rp|rt)$/;
const hasUnknown: Which = ({ request }) =>
  Object.keys(request.headers).some((name) => name.startsWith('x-m2m-') && !known.test(name));

/** Below what was named by the longer name of JSON once, its shorter one is not taken any more. */
const faithful: Wrap = (service, core) => {
  const faithfulTo = new WeakSet<object>();
  return handling((request) => {
    const exchange = new Exchange(request, core);
    const { target } = exchange;
    if (!creates('m2m:cnt')(exchange) || target === undefined) return service.handle(request);
    if (labelledAs(/^application\/vnd/)(exchange)) faithfulTo.add(target);
    const isRefused = faithfulTo.has(target) && labelledAs(/^application\/json;ty/)(exchange);
    return isRefused
      ? refused(UNSUPPORTED_MEDIA_TYPE.http, UNSUPPORTED_MEDIA_TYPE.code, request)
      : service.handle(request);
  })(service, core);
};

const vendor = /^application\/vnd\.onem2m-res\+json/;
const foreign = /^text\/plain/;
const asJson = ({ request }: Exchange): HttpRequest =>
  withHeaders(request, { 'content-type': request.headers['content-type']?.replace(foreign, 'application/json') });

const asksForCbor = has('accept', /^application\/cbor$/);
const sendsCbor = labelledAs(/^application\/cbor/);

const unidentified: Wrap = handling(async (request, service) => {
  if (request.headers['x-m2m-ri'] !== undefined) return service.handle(request);
  return withoutHeaders(await service.handle(withHeaders(request, { 'x-m2m-ri': 'none' })), 'X-M2M-RI');
});

/** JSON under the name of what was asked for. */
const pretendingToBe = (type: string): Wrap =>
  handling(async (request, service) => {
    if (request.headers.accept !== type) return service.handle(request);
    const answer = await service.handle(withHeaders(request, { accept: 'application/json' }));
    return labelled(answer, { 'Content-Type': type });
  });

export const requestHeaders: readonly Fault[] = [
  breaking(
    'std.headers.ri.missing',
    'served',
    'A request without a request identifier is served, and answered without one.',
    unidentified,
  ),
  breaking(
    'std.headers.ri.missing',
    'conflict',
    'A read without a request identifier is refused with 4105.',
    refusingWith(all(reads(), lacks('x-m2m-ri')), CONFLICT),
  ),
  breaking(
    'std.headers.rvi.missing',
    'no-right',
    'A request without a release version is refused with 4103.',
    refusingThose(lacks('x-m2m-rvi'), ORIGINATOR_HAS_NO_PRIVILEGE),
  ),
  breaking(
    'std.headers.rvi.unknown',
    'served',
    'A release version that does not exist is taken for 3.',
    instead(has('x-m2m-rvi', /^99$/), 'x-m2m-rvi', '3'),
  ),
  breaking(
    'std.headers.rvi.unknown',
    'not-implemented',
    'A release version that does not exist is refused with 5001.',
    refusingThose(has('x-m2m-rvi', /^99$/), NOT_IMPLEMENTED),
  ),
  breaking(
    'std.headers.origin.missing',
    'administrator',
    'A read without an originator is served as one of the administrator.',
    rewriting(all(reads(), lacks('x-m2m-origin')), ({ request, core }) =>
      withHeaders(request, { 'x-m2m-origin': core.configuration.accessControl.admin }),
    ),
  ),
  breaking(
    'std.headers.origin.missing',
    'no-right',
    'A read without an originator is refused with 4103.',
    refusingThose(all(reads(), lacks('x-m2m-origin')), ORIGINATOR_HAS_NO_PRIVILEGE),
  ),
  breaking(
    'std.headers.ret.passed',
    'served',
    'X-M2M-RET of a read is not looked at where it is a time that has passed.',
    instead(all(reads(), has('x-m2m-ret', /^20[012]/)), 'x-m2m-ret'),
  ),
  breaking(
    'std.headers.ret.passed',
    'bad-request',
    'A read that has expired is refused with 4000.',
    refusingWith(all(reads(), has('x-m2m-ret', /^20[012]/)), BAD_REQUEST),
  ),
  breaking(
    'std.headers.ret.future',
    'timeout',
    'A read that expires in 2099 is refused with 4008.',
    refusingThose(all(reads(), has('x-m2m-ret', /^2099/)), REQUEST_TIMEOUT),
  ),
  breaking(
    'std.headers.ret.malformed',
    'served',
    'X-M2M-RET of a read is not looked at where it does not begin with a digit.',
    instead(all(reads(), has('x-m2m-ret', /^\D/)), 'x-m2m-ret'),
  ),
  breaking(
    'std.headers.ret.malformed',
    'fails',
    'X-M2M-RET of a read that does not begin with a digit is answered with 5000.',
    refusingThose(all(reads(), has('x-m2m-ret', /^\D/)), failure),
  ),
  breaking(
    'std.headers.content-type.vendor',
    'unsupported',
    'application/vnd.onem2m-res+json is refused with 4015.',
    refusingThose(all(creates(), labelledAs(vendor)), UNSUPPORTED_MEDIA_TYPE),
  ),
  breaking(
    'std.headers.content-type.plain',
    'unsupported',
    'Containers in application/json are refused with 4015 below what was given one in application/vnd.onem2m-res+json before.',
    faithful,
  ),
  breaking(
    'std.headers.content-type.space',
    'bad-request',
    'A space before ty in Content-Type is refused with 4000.',
    refusingThose(labelledAs(/; +ty=/), BAD_REQUEST),
  ),
  breaking(
    'std.headers.content-type.without-ty',
    'unsupported',
    'The post of a container that does not say its kind is refused with 4015.',
    refusingThose(kindUnsaid, UNSUPPORTED_MEDIA_TYPE),
  ),
  breaking(
    'std.headers.content-type.without-ty.nothing-created',
    'created',
    'The post of a container that does not say its kind is refused, and done.',
    doingAllTheSame(kindUnsaid, (request) => withHeaders(request, { 'content-type': 'application/json;ty=3' })),
  ),
  breaking(
    'std.headers.content-type.foreign',
    'taken',
    'Content in text/plain is read as JSON.',
    rewriting(labelledAs(foreign), asJson),
  ),
  breaking(
    'std.headers.content-type.foreign',
    'not-found',
    'Content in text/plain is refused with 4004.',
    refusingThose(labelledAs(foreign), NOT_FOUND),
  ),
  breaking(
    'std.headers.accept',
    'as-asked',
    'An answer to who asks for image/png is JSON that is called so.',
    pretendingToBe('image/png'),
  ),
  breaking(
    'std.headers.accept',
    'fails',
    'Who asks for image/png is answered with 5000.',
    refusingThose(has('accept', /^image\//), failure),
  ),
  breaking(
    'std.headers.ec',
    'bad-request',
    'A read with an event category is refused with 4000.',
    refusingThose(all(reads(), has('x-m2m-ec')), BAD_REQUEST),
  ),
  breaking(
    'std.headers.vsi',
    'bad-request',
    'A read with vendor information is refused with 4000.',
    refusingThose(all(reads(), has('x-m2m-vsi')), BAD_REQUEST),
  ),
  breaking(
    'std.headers.unknown',
    'bad-request',
    'A read with a header that begins with X-M2M- and is not known is refused with 4000.',
    refusingThose(all(reads(), hasUnknown), BAD_REQUEST),
  ),
  breaking(
    'std.headers.rst',
    'not-told',
    'X-M2M-RST does not come back.',
    answering(has('x-m2m-rst'), (answer) => withoutHeaders(answer, 'X-M2M-RST')),
  ),
  breaking(
    'std.headers.gid.twice',
    'served',
    'X-M2M-GID of a read is not looked at.',
    instead(all(reads(), has('x-m2m-gid')), 'x-m2m-gid'),
  ),
  breaking(
    'std.cbor.answer',
    'digits',
    'CBOR that is asked for is answered as its hexadecimal digits.',
    answering(asksForCbor, (answer) =>
      typeof answer.body === 'string' ? undefined : { ...answer, body: hexOf(answer.body) },
    ),
  ),
  breaking('std.cbor.answer', 'fails', 'Who asks for CBOR is answered with 5000.', refusingThose(asksForCbor, failure)),
  breaking('std.cbor.request', 'fails', 'Content in CBOR is answered with 5000.', refusingThose(sendsCbor, failure)),
  breaking(
    'std.cbor.request',
    'name-lost',
    'What is created in CBOR is answered with another name than the one that it gave.',
    showingAs(sendsCbor, 'rn', (rn) => `${rn}_`),
  ),
];
