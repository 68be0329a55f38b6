import type { Expectation } from '../grammar/grammar-check.ts';
import type { Matcher } from '../grammar/grammar-matcher.ts';
import { kept } from '../kept.ts';
import { ownValue } from '../own-value.ts';
import type { AnswerView, Notified, RequestView } from './answer.ts';

/** One thing that an expectation looks at. */
export interface Subject {
  readonly name: string;
  readonly matcher: Matcher;
  readonly value: unknown;
  /** Where it is to be seen: in any outcome, in an answer, in its representation, at the connection, in TLS, in what was sent to us. */
  readonly seenIn: 'outcome' | 'answer' | 'representation' | 'connection' | 'tls' | 'request' | 'notification';
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
) => readonly Subject[];

type Looks<Parts extends keyof Expectation = keyof Expectation> = { readonly [Part in Parts]: Look<Part> };

/** What each part of an expectation looks at, in the order in which it is told. */
const looks: Looks = {
  status: (matcher, { status: value }) => [{ name: 'status', matcher, value, seenIn: 'outcome', short: true }],
  rsc: (matcher, { rsc: value }) => [{ name: 'RSC', matcher, value, seenIn: 'outcome', short: true }],
  header: (header, { headers }) =>
    Object.entries(header).map(([name, matcher]) => {
      const value = headers.get(name.toLowerCase());
      return { name: `header ${name}`, matcher, value, seenIn: 'answer' };
    }),
  root: (matcher, { root: value }) => {
    const whenAbsent = ' (the body is not a JSON object with one key)';
    return [{ name: 'root', matcher, value, seenIn: 'answer', whenAbsent }];
  },
  attributes: (wanted, { attributes }) => {
    const whenAbsent = attributes === undefined ? ' (the body is not an object below one key)' : '';
    return Object.entries(wanted).map(([name, matcher]) => {
      const value = ownValue(attributes, name);
      return { name: `attribute ${name}`, matcher, value, seenIn: 'representation', whenAbsent };
    });
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
  request: (wanted, { request }) => requestSubjects(wanted, request),
  notifications: (matcher, { notified }) => [
    { name: 'number of notifications', matcher, value: notified?.list.length, seenIn: 'outcome' },
  ],
  malformed: (matcher, { notified }) => {
    const value = notified?.list.flatMap((one) => one.malformed ?? []);
    return [{ name: 'list of malformed requests', matcher, value, seenIn: 'outcome' }];
  },
  notification: (wanted, { notified }, { which = 1 }) => notificationSubjects(wanted, which, notified?.list[which - 1]),
  which: () => [],
};

function inTls(name: string, read: (tls: AnswerView['tls']) => unknown) {
  return (matcher: Matcher, { tls }: AnswerView): readonly Subject[] => {
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
export function subjectsOf(expectation: Expectation, seen: AnswerView): readonly Subject[] {
  return partsOf(expectation).flatMap((part) => looked(part, expectation, seen));
}

function looked<Part extends keyof Expectation>(part: Part, expectation: Expectation, seen: AnswerView) {
  const look: Look<Part> = looks[part];
  const asked = expectation[part];
  return asked === undefined ? [] : look(asked as Exclude<Expectation[Part], undefined>, seen, expectation);
}

type RequestExpectation = NonNullable<Expectation['request']>;

function requestSubjects(expectation: RequestExpectation, seen: RequestView | undefined): Subject[] {
  const { method, path, header = {}, root, attributes = {} } = expectation;
  const candidates: ReadonlyArray<readonly [string, Matcher | undefined, unknown]> = [
    ['method of the request', method, seen?.method],
    ['path of the request', path, seen?.path],
    ...Object.entries(header).map(([name, matcher]) => {
      return [`header ${name} of the request`, matcher, seen?.headers.get(name.toLowerCase())] as const;
    }),
    ['root of the request', root, seen?.root],
    ...Object.entries(attributes).map(([name, matcher]) => {
      return [`attribute ${name} of the request`, matcher, ownValue(seen?.attributes, name)] as const;
    }),
  ];
  return candidates.flatMap(([name, matcher, value]) =>
    matcher === undefined ? [] : [{ name, matcher, value, seenIn: 'request' }],
  );
}

function notificationSubjects(
  wanted: NonNullable<Expectation['notification']>,
  which: number,
  one: Notified['list'][number] | undefined,
): Subject[] {
  const { event, root, attributes = {}, subscription, creator, path, header = {}, body } = wanted;
  const of = which === 1 ? 'of the notification' : `of notification ${which}`;
  const candidates: ReadonlyArray<readonly [string, Matcher | undefined, unknown]> = [
    [`event type ${of}`, event, one?.event],
    [`root ${of}`, root, one?.root],
    ...Object.entries(attributes).map(([name, matcher]) => {
      return [`attribute ${name} ${of}`, matcher, ownValue(one?.attributes, name)] as const;
    }),
    [`subscription ${of}`, subscription, one?.subscription],
    [`creator ${of}`, creator, one?.creator],
    [`path ${of}`, path, one?.path],
    ...Object.entries(header).map(([name, matcher]) => {
      return [`header ${name} ${of}`, matcher, one?.headers.get(name.toLowerCase())] as const;
    }),
    [`body ${of}`, body, one?.body],
  ];
  const missing = one === undefined;
  return candidates.flatMap(([name, matcher, value]): Subject[] =>
    matcher === undefined ? [] : [{ name, matcher, value, seenIn: 'notification', missing }],
  );
}
