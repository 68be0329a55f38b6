/** Operators of rows on requests that a CSE sends: notifications, announcements, registrations and forwarded ones. */
import type { Cse } from '../../core/operations/cse.ts';
import { isObject, jsonIn } from '../../dialects/body.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from '../../dialects/outgoing-message.ts';
import { type Attributes, codeOf, resourceIn, withAttributes, withJson } from '../vocabulary/messages.ts';
import { noteReply } from './exchange.ts';
import { notificationsIn, type OutgoingContext, outgoingOf, replyScope } from './outgoing.ts';
import { changeHeaders, type Does } from './request-changes.ts';
import { Scope } from './scope.ts';
import { counting, matchersOf, type Nth, type ScopeMatcher, type Selector } from './selector.ts';
import { changedBy, type Term, valueFor } from './term.ts';

type ChangeSent = (sent: OutgoingContext, argument: never) => OutgoingRequest;

/** Changes a notification; other requests stay as they are. */
const ofNotification =
  (change: (was: Attributes, argument: never, sent: OutgoingContext) => Attributes | undefined): ChangeSent =>
  (sent, argument) => {
    const value = jsonIn(sent.request.body ?? '');
    const was = isObject(value) && isObject(value['m2m:sgn']) ? value['m2m:sgn'] : undefined;
    const changed = was && change(was, argument, sent);
    return changed === undefined ? sent.request : withJson(sent.request, { 'm2m:sgn': changed });
  };

function eventWith(was: Attributes, change: (event: Attributes) => Attributes): Attributes | undefined {
  return isObject(was.nev) ? { ...was, nev: change(was.nev) } : undefined;
}

function repWith(was: Attributes, terms: Attributes, scope: Scope): Attributes | undefined {
  return eventWith(was, (event) => {
    const [[root, rep] = []] = isObject(event.rep) ? Object.entries(event.rep) : [];
    return root === undefined || !isObject(rep) ? event : { ...event, rep: { [root]: changedBy(terms, rep, scope) } };
  });
}

const sentChanges: ReadonlyMap<string, ChangeSent> = new Map(
  Object.entries<ChangeSent>({
    notification: ofNotification((was, terms: Attributes, { scope }) => changedBy(terms, was, scope)),
    event: ofNotification((was, terms: Attributes, { scope }) =>
      eventWith(was, (event) => changedBy(terms, event, scope)),
    ),
    rep: ofNotification((was, terms: Attributes, { scope }) => repWith(was, terms, scope)),
    request: ({ request, scope }, terms: Attributes) => withAttributes(request, (was) => changedBy(terms, was, scope)),
    headers: ({ request, scope }, terms: Attributes) => changeHeaders(request, terms, scope),
    to: ({ request, scope }, term: Term) => ({ ...request, target: String(valueFor(term, scope, request.target)) }),
    body: ({ request, scope }, term: Term) => withJson(request, valueFor(term, scope, jsonIn(request.body ?? ''))),
    notifications: ({ request, scope }, term: Term) => {
      const was = notificationsIn(jsonIn(request.body ?? ''));
      return withJson(request, { 'm2m:agn': { 'm2m:sgn': valueFor(term, scope, was) } });
    },
    method: ({ request }, method: string) => withMethod(request, method),
    'on-wire': ({ request }, carried: string) => ({ ...request, carried }),
  }),
);

/** A request without content stays without. */
function withMethod({ body, ...request }: OutgoingRequest, method: string): OutgoingRequest {
  const isBare = method === 'GET' || method === 'DELETE' || body === undefined;
  return { ...request, method, ...(!isBare && { body }) };
}

/** The assumed answer to a withheld request. */
const assumedAnswer: OutgoingAnswer = { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };

export interface OutgoingDeviation {
  readonly when?: Selector | undefined;
  readonly nth?: Nth | undefined;
  readonly does: Does;
}

/** `withhold`, `fail`, `twice`, `fall-back`, `reply` (replaces the answer), and changes of the request. */
export function sendingOf({ when = {}, nth, does }: OutgoingDeviation) {
  const matchers = matchersOf(when);
  // An unreachable target counts as an answer without status, where a row selects that.
  const recover = (error: unknown): UnreachableError => {
    if (Object.hasOwn(when, 'status') && error instanceof UnreachableError) return error;
    throw error;
  };
  return (sender: Sender, core: Cse): Sender => {
    const { isOne } = counting(nth);
    let first: Scope | undefined;
    return {
      send: async (baseUrl, request, signal) => {
        const send = async (one: OutgoingRequest) => recordReply(await sender.send(baseUrl, one, signal), core);
        const sent = outgoingOf(request, baseUrl, core);
        if (!matchers.before(sent.scope) || !isOne(sent.scope)) return send(request);
        first ??= sent.scope;
        const scope = new Scope({}, firstOf(first, sent.scope));
        const answer = await acting({ request, scope }, does, send).catch(recover);
        return replyFor(answer, { request, scope }, matchers.after, does);
      },
    };
  };
}

function recordReply(answer: OutgoingAnswer, core: Cse): OutgoingAnswer {
  noteReply(codeOf(answer), core);
  return answer;
}

/** Adds parts of the first match: `first.path`. */
const firstOf = (first: Scope, sent: Scope) => (name: string) =>
  name.startsWith('first.') ? first.find(name.slice('first.'.length)) : sent.find(name);

type Send = (request: OutgoingRequest) => Promise<OutgoingAnswer>;

async function acting(sent: OutgoingContext, does: Does, send: Send): Promise<OutgoingAnswer> {
  if (does.withhold === true) return assumedAnswer;
  if (does.fail === true) throw new UnreachableError('it is not sent');
  const changed = Object.entries(does).reduce(
    (request, [name, argument]) => sentChanges.get(name)?.({ ...sent, request }, argument as never) ?? request,
    sent.request,
  );
  if (does.twice === true) await send(changed);
  const answer = await send(changed);
  return does['fall-back'] === true && answer.status >= 300 ? send(sent.request) : answer;
}

/** The answer with another status, code or attributes. */
function replyFor(
  answer: OutgoingAnswer | UnreachableError,
  sent: OutgoingContext,
  isMatch: ScopeMatcher,
  does: Does,
): OutgoingAnswer {
  const received = answer instanceof UnreachableError ? undefined : answer;
  const scope = replyScope(sent, received);
  if (!isObject(does.reply) || !isMatch(scope)) {
    if (received === undefined) throw answer;
    return received;
  }
  const { status, rsc, return: returned } = does.reply;
  const was = received ?? assumedAnswer;
  const rep = isObject(returned) ? resourceIn(was.body) : undefined;
  return {
    ...was,
    status: Number(status ?? was.status),
    headers: rsc === undefined ? was.headers : { ...was.headers, 'x-m2m-rsc': String(rsc) },
    ...(rep && { body: JSON.stringify({ [rep.root]: changedBy(returned as Attributes, rep.attributes, scope) }) }),
  };
}

/** Names of operators, for the schema. */
export const sendingOperators: readonly string[] = [
  ...['withhold', 'fail', 'twice', 'fall-back', 'reply'],
  ...sentChanges.keys(),
];
