import { kept } from '../basics/kept.ts';
import { ownValue } from '../basics/own-value.ts';
import type { Expectation, Matcher } from '../grammar/grammar-check.ts';
import type { AnswerView } from './answer.ts';

/** One thing that an expectation looks at. */
export interface Matched {
  readonly name: string;
  readonly matcher: Matcher;
  readonly value: unknown;
  /** Where it is to be seen: in any outcome, in an answer, in its representation, at the connection, in TLS, in its binding, in what was sent to us, by a person. */
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
  /** True when what it belongs to never came. */
  readonly missing?: boolean;
  /** What stands behind "is absent", where that needs explaining. */
  readonly whenAbsent?: string;
  /** Tells how `is "x"` is said of it; status 201 rather than status is 201. */
  readonly short?: boolean;
}

type Look<Part extends keyof Expectation> = (
  asked: Exclude<Expectation[Part], undefined>,
  seen: AnswerView,
  expectation: Expectation,
) => readonly Matched[];

type Looks<Parts extends keyof Expectation = keyof Expectation> = { readonly [Part in Parts]: Look<Part> };

/** What each part of an expectation looks at, in the order in which it is told. */
const looks: Looks = {
  status: (matcher, { status: value }) => [{ name: 'status', matcher, value, seenIn: 'outcome', short: true }],
  rsc: (matcher, { rsc: value }) => [{ name: 'RSC', matcher, value, seenIn: 'outcome', short: true }],
  header: (wanted, seen) => subjects(headersIn(wanted, seen), { seenIn: 'answer' }),
  root: (matcher, { root: value }) => {
    const whenAbsent = ' (the body is not a JSON object with one key)';
    return [{ name: 'root', matcher, value, seenIn: 'answer', whenAbsent }];
  },
  attributes: (wanted, seen) => {
    const whenAbsent = seen.attributes === undefined ? ' (the body is not an object below one key)' : '';
    return subjects(attributesIn(wanted, seen), { seenIn: 'representation', whenAbsent });
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
  wire: (wanted, { wire }) =>
    subjects(
      membersIn(wire?.binding ?? 'wire', wanted, (name) => ownValue(wire, name)),
      { seenIn: 'wire' },
    ),
  request: (wanted, seen) => {
    const one = seen.request && seen;
    const asked: readonly Asked[] = [
      ['method', wanted.method, one?.request?.method],
      ['path', wanted.path, one?.request?.path],
      ...headersIn(wanted.header, one),
      ['root', wanted.root, one?.root],
      ...attributesIn(wanted.attributes, one),
    ];
    return subjects(asked, { seenIn: 'request' }, ' of the request');
  },
  notifications: (matcher, { notified }) => [
    { name: 'number of notifications', matcher, value: notified?.list.length, seenIn: 'outcome' },
  ],
  malformed: (matcher, { notified }) => {
    const value = notified?.list.flatMap((one) => one.malformed ?? []);
    return [{ name: 'list of malformed requests', matcher, value, seenIn: 'outcome' }];
  },
  notification: (wanted, { notified }, { which = 1 }) => {
    const one = notified?.list[which - 1];
    const asked: readonly Asked[] = [
      ['event type', wanted.event, one?.event],
      ['root', wanted.root, one?.root],
      ...attributesIn(wanted.attributes, one),
      ['subscription', wanted.subscription, one?.subscription],
      ['creator', wanted.creator, one?.creator],
      ['path', wanted.path, one?.path],
      ...headersIn(wanted.header, one),
      ['body', wanted.body, one?.body],
    ];
    const of = which === 1 ? ' of the notification' : ` of notification ${which}`;
    return subjects(asked, { seenIn: 'notification', missing: one === undefined }, of);
  },
  answer: (matcher, { answered: value }) => [{ name: 'what was answered', matcher, value, seenIn: 'person' }],
  which: () => [],
};

/** One part of a message: how it is called, what is expected of it if anything is, and its value. */
type Asked = readonly [name: string, matcher: Matcher | undefined, value: unknown];

/** Something that has headers and attributes; undefined where it never came. */
type Message = Pick<AnswerView, 'headers' | 'attributes'> | undefined;
type Wanted = Readonly<Record<string, Matcher>>;

const headersIn = (wanted: Wanted | undefined, seen: Message) =>
  membersIn('header', wanted, (name) => seen?.headers.get(name.toLowerCase()));
const attributesIn = (wanted: Wanted | undefined, seen: Message) =>
  membersIn('attribute', wanted, (name) => ownValue(seen?.attributes, name));

function membersIn(kind: string, wanted: Wanted = {}, read: (name: string) => unknown): Asked[] {
  return Object.entries(wanted).map(([name, matcher]) => [`${kind} ${name}`, matcher, read(name)]);
}

function subjects(asked: readonly Asked[], about: Omit<Matched, 'name' | 'matcher' | 'value'>, of = ''): Matched[] {
  return asked.flatMap(([name, matcher, value]) =>
    matcher === undefined ? [] : [{ name: `${name}${of}`, matcher, value, ...about }],
  );
}

function inTls(name: string, read: (tls: AnswerView['tls']) => unknown) {
  return (matcher: Matcher, { tls }: AnswerView): readonly Matched[] => {
    const value = read(tls);
    return [{ name, matcher, value, seenIn: 'tls', short: typeof value !== 'object' }];
  };
}

const parts = Object.keys(looks) as ReadonlyArray<keyof Expectation>;

/** Those of an expectation, which many exchanges are held against. */
const known = new WeakMap<Expectation, ReadonlyArray<keyof Expectation>>();

function partsOf(expectation: Expectation): ReadonlyArray<keyof Expectation> {
  return kept(known, expectation, () => parts.filter((part) => expectation[part] !== undefined));
}

/** Everything that an expectation looks at, with its value in what was seen. */
export function subjectsOf(expectation: Expectation, seen: AnswerView): readonly Matched[] {
  return partsOf(expectation).flatMap((part) => looked(part, expectation, seen));
}

function looked<Part extends keyof Expectation>(part: Part, expectation: Expectation, seen: AnswerView) {
  const look: Look<Part> = looks[part];
  const asked = expectation[part];
  return asked === undefined ? [] : look(asked as Exclude<Expectation[Part], undefined>, seen, expectation);
}
