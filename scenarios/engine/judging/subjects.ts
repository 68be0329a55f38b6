import { getOrAdd } from '../basics/memoize.ts';
import { ownValue } from '../basics/own-value.ts';
import type { Expectation, Matcher } from '../grammar/grammar-check.ts';
import type { AnswerView } from './answer.ts';

/** One value that an expectation checks. */
export interface CheckSubject {
  readonly name: string;
  readonly matcher: Matcher;
  readonly value: unknown;
  /** Where it shows: in any outcome, an answer, its representation, the connection, TLS, the binding, a request to the harness, a person's answer. */
  readonly seenIn:
    | 'outcome'
    | 'answer'
    | 'representation'
    | 'connection'
    | 'tls'
    | 'wire'
    | 'request'
    | 'notification'
    | 'person';
  /** True when its notification never came. */
  readonly missing?: boolean;
  /** An explanation after "is absent". */
  readonly whenAbsent?: string;
  /** Omits `is` from sentences: `status 201`, not `status is 201`. */
  readonly short?: boolean;
}

type SubjectReader<Part extends keyof Expectation> = (
  matchers: Exclude<Expectation[Part], undefined>,
  view: AnswerView,
  expectation: Expectation,
) => readonly CheckSubject[];

type SubjectReaders<K extends keyof Expectation = keyof Expectation> = { readonly [Part in K]: SubjectReader<Part> };

/** The subjects of each part of an expectation, in report order. */
const readers: SubjectReaders = {
  status: (matcher, { status: value }) => [{ name: 'status', matcher, value, seenIn: 'outcome', short: true }],
  rsc: (matcher, { rsc: value }) => [{ name: 'RSC', matcher, value, seenIn: 'outcome', short: true }],
  header: (matchers, view) => subjects(headersIn(matchers, view), { seenIn: 'answer' }),
  root: (matcher, { root: value }) => {
    const whenAbsent = ' (the body is not a JSON object with one key)';
    return [{ name: 'root', matcher, value, seenIn: 'answer', whenAbsent }];
  },
  attributes: (matchers, view) => {
    const whenAbsent = view.attributes === undefined ? ' (the body is not an object below one key)' : '';
    return subjects(attributesIn(matchers, view), { seenIn: 'representation', whenAbsent });
  },
  body: (matcher, { body: value }) => [{ name: 'body', matcher, value, seenIn: 'answer' }],
  found: (matcher, { found: value }) => {
    const whenAbsent = ' (the body is not a list of paths)';
    return [{ name: 'discovery result', matcher, value, seenIn: 'answer', whenAbsent }];
  },
  connection: (matcher, { connection: value }) => [
    { name: 'connection', matcher, value, seenIn: 'connection', short: true },
  ],
  handshake: inTls('handshake', (tls) => tls?.handshake),
  alert: inTls('alert', (tls) => tls?.alert),
  'server certificate': inTls('server certificate', (tls) => tls?.server?.verification),
  'server uris': inTls('server URIs', (tls) => tls?.server?.uris),
  wire: (matchers, { wire }) =>
    subjects(
      membersIn(wire?.binding ?? 'wire', matchers, (name) => ownValue(wire, name)),
      { seenIn: 'wire' },
    ),
  request: (matchers, view) => {
    const one = view.request && view;
    const aspects: readonly Aspect[] = [
      ['method', matchers.method, one?.request?.method],
      ['path', matchers.path, one?.request?.path],
      ...headersIn(matchers.header, one),
      ['root', matchers.root, one?.root],
      ...attributesIn(matchers.attributes, one),
    ];
    return subjects(aspects, { seenIn: 'request' }, ' of the request');
  },
  notifications: (matcher, { notifications }) => [
    { name: 'number of notifications', matcher, value: notifications?.length, seenIn: 'outcome' },
  ],
  malformed: (matcher, { notifications }) => {
    const value = notifications?.flatMap((one) => one.malformed ?? []);
    return [{ name: 'list of malformed requests', matcher, value, seenIn: 'outcome' }];
  },
  notification: (matchers, { notifications }, { which = 1 }) => {
    const one = notifications?.[which - 1];
    const aspects: readonly Aspect[] = [
      ['event type', matchers.event, one?.event],
      ['root', matchers.root, one?.root],
      ...attributesIn(matchers.attributes, one),
      ['subscription', matchers.subscription, one?.subscription],
      ['creator', matchers.creator, one?.creator],
      ['path', matchers.path, one?.path],
      ...headersIn(matchers.header, one),
      ['body', matchers.body, one?.body],
    ];
    const of = which === 1 ? ' of the notification' : ` of notification ${which}`;
    return subjects(aspects, { seenIn: 'notification', missing: one === undefined }, of);
  },
  answer: (matcher, { personAnswer: value }) => [{ name: 'answer', matcher, value, seenIn: 'person' }],
  which: () => [],
};

/** One part of a message: its name, its matcher if any, and its value. */
type Aspect = readonly [name: string, matcher: Matcher | undefined, value: unknown];

/** Anything with headers and attributes; undefined where it never came. */
type Message = Pick<AnswerView, 'headers' | 'attributes'> | undefined;
type MatcherMap = Readonly<Record<string, Matcher>>;

const headersIn = (matchers: MatcherMap | undefined, view: Message) =>
  membersIn('header', matchers, (name) => view?.headers.get(name.toLowerCase()));
const attributesIn = (matchers: MatcherMap | undefined, view: Message) =>
  membersIn('attribute', matchers, (name) => ownValue(view?.attributes, name));

function membersIn(kind: string, matchers: MatcherMap = {}, read: (name: string) => unknown): Aspect[] {
  return Object.entries(matchers).map(([name, matcher]) => [`${kind} ${name}`, matcher, read(name)]);
}

function subjects(aspects: readonly Aspect[], about: Omit<CheckSubject, 'name' | 'matcher' | 'value'>, of = '') {
  return aspects.flatMap(([name, matcher, value]) =>
    matcher === undefined ? [] : [{ name: `${name}${of}`, matcher, value, ...about }],
  );
}

function inTls(name: string, read: (tls: AnswerView['tls']) => unknown) {
  return (matcher: Matcher, { tls }: AnswerView): readonly CheckSubject[] => {
    const value = read(tls);
    return [{ name, matcher, value, seenIn: 'tls', short: typeof value !== 'object' }];
  };
}

const parts = Object.keys(readers) as ReadonlyArray<keyof Expectation>;

/** Cached, as many exchanges are checked against an expectation. */
const known = new WeakMap<Expectation, ReadonlyArray<keyof Expectation>>();

/** Everything that an expectation checks, with its value in the view. */
export function subjectsOf(expectation: Expectation, view: AnswerView): readonly CheckSubject[] {
  const named = getOrAdd(known, expectation, () => parts.filter((part) => expectation[part] !== undefined));
  return named.flatMap((part) => subjectsIn(part, expectation, view));
}

function subjectsIn<Part extends keyof Expectation>(part: Part, expectation: Expectation, view: AnswerView) {
  const reader: SubjectReader<Part> = readers[part];
  const matchers = expectation[part];
  return matchers === undefined ? [] : reader(matchers as Exclude<Expectation[Part], undefined>, view, expectation);
}
