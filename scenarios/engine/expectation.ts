import type { AnswerView } from './answer.ts';
import type { Expectation, Matcher } from './grammar.ts';
import { interpolateMatcher, type Names } from './interpolate.ts';
import { match, type Outcome } from './matchers.ts';
import { predicate, show } from './sentences.ts';

/** One thing that a check looks at. */
export interface Part {
  readonly outcome: Outcome;
  /** Such as `attribute aei is a text`. */
  readonly expected: string;
  /** Such as `attribute aei is absent`. */
  readonly actual: string;
  /** Why it could not be observed. */
  readonly reason: string;
  /** True when that leaves nothing open: the value may be absent, or the kind of target cannot show it. */
  readonly excused: boolean;
}

interface Subject {
  readonly name: string;
  readonly matcher: Matcher;
  readonly value: unknown;
  /** What stands behind "is absent", where that needs explaining. */
  readonly whenAbsent?: string;
  /** Tells how `is "x"` is said of it; status 201 rather than status is 201. */
  readonly short?: boolean;
}

/** Judges everything that an expectation looks at. `noAnswer` is the reason why no answer came, if none did. */
export function judgeExpectation(
  expectation: Expectation,
  answer: AnswerView,
  names: Names,
  noAnswer: string | undefined,
): Part[] {
  return subjectsOf(expectation, answer).map((subject) => {
    const matcher = interpolateMatcher(subject.matcher, names);
    const hidden = hiddenBecause(subject, answer, noAnswer);
    return {
      outcome: hidden === undefined ? judge(subject.name, matcher, subject.value) : 'unobserved',
      expected: expectedOf(subject, matcher),
      actual: actualOf(subject, noAnswer),
      reason: hidden?.reason ?? `${subject.name} was absent`,
      excused: hidden?.excused ?? true,
    };
  });
}

/**
 * Why the answer cannot show the subject at all. Attributes of a body without the shape of a representation are not judged:
 * that shape is a requirement of its own, and one deviation is to name one requirement.
 */
function hiddenBecause(
  { name }: Subject,
  answer: AnswerView,
  noAnswer: string | undefined,
): { reason: string; excused: boolean } | undefined {
  if (name === 'status') return undefined;
  if (name === 'connection') {
    const unwatched = noAnswer === undefined && answer.connection === undefined;
    return unwatched ? { reason: 'this target has no connection to watch', excused: true } : undefined;
  }
  if (noAnswer !== undefined) return { reason: noAnswer, excused: false };
  if (!name.startsWith('attribute ') || answer.attributes !== undefined) return undefined;
  return { reason: 'the body is not an object below one key', excused: false };
}

/** What an expectation asks, with its names as they are written; for a request that was not sent. */
export function describeExpectation(expectation: Expectation): string {
  return subjectsOf(expectation, nothing)
    .map((subject) => expectedOf(subject, subject.matcher))
    .join('; ');
}

const nothing: AnswerView = {
  status: undefined,
  headers: new Map(),
  body: undefined,
  root: undefined,
  attributes: undefined,
  found: undefined,
  connection: undefined,
};

function expectedOf({ name, short }: Subject, matcher: Matcher): string {
  return `${name} ${short ? shortened(predicate(matcher)) : predicate(matcher)}`;
}

function subjectsOf(expectation: Expectation, answer: AnswerView): Subject[] {
  const subjects: Subject[] = [];
  const { status, header = {}, root, attributes = {}, body, found, connection } = expectation;
  if (status !== undefined) subjects.push({ name: 'status', matcher: status, value: answer.status, short: true });
  for (const [name, matcher] of Object.entries(header)) {
    subjects.push({ name: `header ${name}`, matcher, value: answer.headers.get(name.toLowerCase()) });
  }
  if (root !== undefined) {
    const whenAbsent = ' (the body is not a JSON object with one key)';
    subjects.push({ name: 'root', matcher: root, value: answer.root, whenAbsent });
  }
  const values = answer.attributes ?? {};
  const whenAbsent = answer.attributes === undefined ? ' (the body is not an object below one key)' : '';
  for (const [name, matcher] of Object.entries(attributes)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    subjects.push({ name: `attribute ${name}`, matcher, value, whenAbsent });
  }
  if (body !== undefined) subjects.push({ name: 'body', matcher: body, value: answer.body });
  if (found !== undefined) {
    const whenAbsent = ' (the body is not a list of paths)';
    subjects.push({ name: 'discovery result', matcher: found, value: answer.found, whenAbsent });
  }
  if (connection !== undefined) {
    subjects.push({ name: 'connection', matcher: connection, value: answer.connection, short: true });
  }
  return subjects;
}

/** The value of a header is a text; a number in the check means the text that reads so. */
function judge(name: string, matcher: Matcher, value: unknown): Outcome {
  const outcome = match(matcher, value);
  const number = name.startsWith('header ') && /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
  return outcome === 'failed' && number !== undefined ? match(matcher, number) : outcome;
}

function shortened(words: string): string {
  return words.replace(/^is (?!not|so|present|absent|between|after|before|a |an )/, '').replaceAll('"', '');
}

function actualOf(subject: Subject, noAnswer: string | undefined): string {
  const { name, value } = subject;
  if (value === undefined && noAnswer !== undefined) return `no answer came: ${noAnswer.replace(/^no answer: /, '')}`;
  if (value === undefined && name === 'connection') return 'connection was not watched';
  if (value === undefined) return `${name} is absent${subject.whenAbsent ?? ''}`;
  return subject.short ? `${name} ${String(value)}` : `${name} is ${show(value)}`;
}
