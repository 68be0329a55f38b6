/** What rows make of what a CSE sends: notifications, announcements, registrations and what it hands on. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from '../../dialects/outgoing-message.ts';
import { resourceAt } from '../vocabulary/asked.ts';
import { describedIn, jsonIn } from '../vocabulary/representations.ts';
import type { Does } from './message-changes.ts';
import { attributesOf } from './resource-parts.ts';
import { type Attributes, isObject, type Scope, scopeOf } from './scope.ts';
import { meantBy, type Selector } from './selector.ts';
import { changedBy, type Term, valueFor } from './term.ts';

/** A request that is about to be sent, as rows name its parts. */
interface Outgoing {
  readonly request: OutgoingRequest;
  readonly baseUrl: string;
  readonly scope: Scope;
}

function outgoingOf(request: OutgoingRequest, baseUrl: string, core: Cse): Outgoing {
  const value = jsonIn(request.body ?? '');
  const described = describedIn(request.body ?? '');
  const signal = isObject(value) && isObject(value['m2m:sgn']) ? value['m2m:sgn'] : undefined;
  const parts = partsIn(value);
  const event = isObject(signal?.nev) ? signal.nev : undefined;
  const [root, rep] = isObject(event?.rep) ? (Object.entries(event.rep)[0] ?? []) : [];
  const subscription = subscriptionOf(signal ?? parts?.[0], core);
  const { configuration, services } = core;
  const scope = scopeOf({
    method: () => request.method,
    path: () => request.target,
    url: () => `${baseUrl}${request.target}`,
    header: () => request.headers,
    body: () => value,
    root: () => described?.root,
    given: () => described?.attributes,
    signal: () => signal,
    parts: () => parts,
    event: () => event,
    rep: () => rep,
    'rep.root': () => root,
    subscription: () => attributesOf(subscription, core),
    'subscription.first': () => subscription && subscription.parent?.subscriptions?.[0] === subscription,
    subscribed: () => attributesOf(subscription?.parent, core),
    'subscribed.root': () => subscription?.parent?.type.root,
    cse: () => ({ ...attributesOf(core.tree.base, core), id: configuration.cseId, base: configuration.base }),
    now: () => services.ports.clock.now(),
  });
  return { request, baseUrl, scope };
}

/** What rows can name there beside what they can in requests that come. */
export const sendingParts: readonly string[] = ['url', 'signal', 'parts', 'event', 'rep', 'subscription', 'subscribed'];

function partsIn(value: unknown): readonly Attributes[] | undefined {
  const aggregate = isObject(value) ? value['m2m:agn'] : undefined;
  const parts = isObject(aggregate) ? aggregate['m2m:sgn'] : undefined;
  return Array.isArray(parts) ? parts : undefined;
}

/** The subscription that a notification names. */
function subscriptionOf(signal: Attributes | undefined, core: Cse): Resource | undefined {
  return typeof signal?.sur === 'string' ? resourceAt(signal.sur, core) : undefined;
}

type ChangeSent = (sent: Outgoing, argument: never) => OutgoingRequest;

const withBody = (request: OutgoingRequest, value: unknown): OutgoingRequest => ({
  ...request,
  body: JSON.stringify(value),
});

/** Another part of a notification; what has none stays as it is. */
const signalling =
  (change: (signal: Attributes, argument: never, sent: Outgoing) => Attributes | undefined): ChangeSent =>
  (sent, argument) => {
    const value = jsonIn(sent.request.body ?? '');
    const signal = isObject(value) && isObject(value['m2m:sgn']) ? value['m2m:sgn'] : undefined;
    const changed = signal && change(signal, argument, sent);
    return changed === undefined ? sent.request : withBody(sent.request, { 'm2m:sgn': changed });
  };

function eventWith(signal: Attributes, change: (event: Attributes) => Attributes): Attributes | undefined {
  return isObject(signal.nev) ? { ...signal, nev: change(signal.nev) } : undefined;
}

function repWith(signal: Attributes, terms: Attributes, scope: Scope): Attributes | undefined {
  return eventWith(signal, (event) => {
    const [[root, rep] = []] = isObject(event.rep) ? Object.entries(event.rep) : [];
    return root === undefined || !isObject(rep) ? event : { ...event, rep: { [root]: changedBy(terms, rep, scope) } };
  });
}

const sentChanges: ReadonlyMap<string, ChangeSent> = new Map<string, ChangeSent>([
  ['signal', signalling((signal, terms: Attributes, { scope }) => changedBy(terms, signal, scope))],
  [
    'event',
    signalling((signal, terms: Attributes, { scope }) => eventWith(signal, (event) => changedBy(terms, event, scope))),
  ],
  ['rep', signalling((signal, terms: Attributes, { scope }) => repWith(signal, terms, scope))],
  ['give', ({ request, scope }, terms: Attributes) => given(request, terms, scope)],
  ['headers', ({ request, scope }, terms: Attributes) => headed(request, terms, scope)],
  ['go', ({ request, scope }, term: Term) => ({ ...request, target: String(valueFor(term, scope, request.target)) })],
  ['send', ({ request, scope }, term: Term) => withBody(request, valueFor(term, scope, jsonIn(request.body ?? '')))],
  ['parts', ({ request, scope }, term: Term) => gathered(request, term, scope)],
]);

function given(request: OutgoingRequest, terms: Attributes, scope: Scope): OutgoingRequest {
  const is = describedIn(request.body ?? '');
  return is === undefined ? request : withBody(request, { [is.root]: changedBy(terms, is.attributes, scope) });
}

/** `null` takes a header away. */
function headed(request: OutgoingRequest, terms: Attributes, scope: Scope): OutgoingRequest {
  const headers = Object.entries({ ...request.headers, ...terms }).flatMap(([name]) => {
    const value = Object.hasOwn(terms, name)
      ? terms[name] === null
        ? undefined
        : valueFor(terms[name], scope, request.headers[name])
      : request.headers[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return { ...request, headers: Object.fromEntries(headers) };
}

function gathered(request: OutgoingRequest, term: Term, scope: Scope): OutgoingRequest {
  const value = jsonIn(request.body ?? '');
  return withBody(request, { 'm2m:agn': { 'm2m:sgn': valueFor(term, scope, partsIn(value)) } });
}

/** What a target is taken to have answered to what was not sent. */
const taken: OutgoingAnswer = { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };

/** `withhold`, `fail`, `twice`, `heard` (what is taken for the answer), and the changes of what is sent. */
export function sendingOf(when: Selector, does: Does): (sender: Sender, core: Cse) => Sender {
  const { before } = meantBy(when);
  return (sender, core) => ({
    send: async (baseUrl, request, signal) => {
      const sent = outgoingOf(request, baseUrl, core);
      if (!before(sent.scope)) return sender.send(baseUrl, request, signal);
      if (does.withhold === true) return taken;
      if (does.fail === true) throw new UnreachableError('it is not sent');
      const changed = Object.entries(does).reduce(
        (one, [name, argument]) => sentChanges.get(name)?.({ ...sent, request: one }, argument as never) ?? one,
        request,
      );
      if (does.twice === true) await sender.send(baseUrl, changed, signal);
      const answer = await sender.send(baseUrl, changed, signal);
      return isObject(does.heard) ? heard(answer, does.heard) : answer;
    },
  });
}

function heard(answer: OutgoingAnswer, { status = answer.status, code }: Attributes): OutgoingAnswer {
  const headers = code === undefined ? answer.headers : { ...answer.headers, 'x-m2m-rsc': String(code) };
  return { ...answer, status: Number(status), headers };
}

/** Names of operators, for the schema. */
export const sendingOperators: readonly string[] = ['withhold', 'fail', 'twice', 'heard', ...sentChanges.keys()];
