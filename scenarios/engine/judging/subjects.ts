import type { Expectation } from '../grammar/grammar-check.ts';
import type { Matcher } from '../grammar/grammar-matcher.ts';
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

/** Everything that an expectation looks at, with its value in what was seen. */
export function subjectsOf(expectation: Expectation, seen: AnswerView): Subject[] {
  return [
    ...outcomeSubjects(expectation, seen),
    ...headerSubjects(expectation, seen),
    ...bodySubjects(expectation, seen),
    ...connectionSubjects(expectation, seen),
    ...requestSubjects(expectation.request ?? {}, seen.request),
    ...notificationSubjects(expectation, seen.notified),
  ];
}

function outcomeSubjects({ status, rsc }: Expectation, seen: AnswerView): Subject[] {
  const candidates = [
    ['status', status, seen.status],
    ['RSC', rsc, seen.rsc],
  ] as const;
  return candidates.flatMap(([name, matcher, value]) =>
    matcher === undefined ? [] : [{ name, matcher, value, seenIn: 'outcome', short: true }],
  );
}

function headerSubjects({ header = {} }: Expectation, { headers }: AnswerView): Subject[] {
  return Object.entries(header).map(([name, matcher]) => {
    const value = headers.get(name.toLowerCase());
    return { name: `header ${name}`, matcher, value, seenIn: 'answer' };
  });
}

function bodySubjects({ root, attributes = {}, body, found }: Expectation, seen: AnswerView): Subject[] {
  const subjects: Subject[] = [];
  if (root !== undefined) {
    const whenAbsent = ' (the body is not a JSON object with one key)';
    subjects.push({ name: 'root', matcher: root, value: seen.root, seenIn: 'answer', whenAbsent });
  }
  const whenAbsent = seen.attributes === undefined ? ' (the body is not an object below one key)' : '';
  for (const [name, matcher] of Object.entries(attributes)) {
    const value = ownValue(seen.attributes, name);
    subjects.push({ name: `attribute ${name}`, matcher, value, seenIn: 'representation', whenAbsent });
  }
  if (body !== undefined) subjects.push({ name: 'body', matcher: body, value: seen.body, seenIn: 'answer' });
  if (found !== undefined) {
    const whenAbsent = ' (the body is not a list of paths)';
    subjects.push({ name: 'discovery result', matcher: found, value: seen.found, seenIn: 'answer', whenAbsent });
  }
  return subjects;
}

function connectionSubjects(expectation: Expectation, { connection, tls }: AnswerView): Subject[] {
  const { server } = tls ?? {};
  const candidates: ReadonlyArray<readonly [string, Matcher | undefined, unknown, Subject['seenIn']]> = [
    ['connection', expectation.connection, connection, 'connection'],
    ['handshake', expectation.handshake, tls?.handshake, 'tls'],
    ['alert', expectation.alert, tls?.alert, 'tls'],
    ['server certificate', expectation['server certificate'], server?.verification, 'tls'],
    ['server URIs', expectation['server uris'], server?.uris, 'tls'],
  ];
  return candidates.flatMap(([name, matcher, value, seenIn]) =>
    matcher === undefined ? [] : [{ name, matcher, value, seenIn, short: typeof value !== 'object' }],
  );
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
  { notifications, notification, malformed, which = 1 }: Expectation,
  seen: Notified | undefined,
): Subject[] {
  const broken = seen?.list.flatMap((one) => one.malformed ?? []);
  const asAWhole: ReadonlyArray<readonly [string, Matcher | undefined, unknown]> = [
    ['number of notifications', notifications, seen?.list.length],
    ['list of malformed requests', malformed, broken],
  ];
  const counted = asAWhole.flatMap(([name, matcher, value]): Subject[] =>
    matcher === undefined ? [] : [{ name, matcher, value, seenIn: 'outcome' }],
  );
  if (notification === undefined) return counted;
  const one = seen?.list[which - 1];
  const { event, root, attributes = {}, subscription, creator, path, header = {}, body } = notification;
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
  return [
    ...counted,
    ...candidates.flatMap(([name, matcher, value]): Subject[] =>
      matcher === undefined ? [] : [{ name, matcher, value, seenIn: 'notification', missing }],
    ),
  ];
}
