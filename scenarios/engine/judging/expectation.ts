import { ownValue } from '../basics/own-value.ts';
import type { Control, Expectation, Matcher } from '../grammar/grammar-check.ts';
import type { Capture, Step } from '../grammar/grammar-step.ts';
import { escaped, isSecretHeader, show } from '../messages/display.ts';
import { interpolateMatcher, type NamedValue, type Names } from '../messages/interpolate.ts';
import { type AnswerObservation, type AnswerView, emptyView } from './answer.ts';
import { allOf, type MatchOutcome, match } from './matchers.ts';
import { predicate } from './sentences.ts';
import { type CheckSubject, subjectsOf } from './subjects.ts';
import { parseTimestamp, writeTimestamp } from './timestamp.ts';

/** The result of a check that looks at a missing notification. */
export const noNotification = 'no such notification came';

/** One thing that a check looks at. */
export interface CheckPart {
  readonly outcome: MatchOutcome;
  /** Such as `attribute aei is a string`. */
  readonly expected: string;
  /** Such as `attribute aei is absent`. */
  readonly actual: string;
  /** Why it is unobserved. */
  readonly reason: string;
  /** True when that is acceptable: the value may be absent, or this sort of target cannot show it. */
  readonly excused: boolean;
}

/** Judges every part of an expectation; sentences are made on demand. */
export function judgeExpectation(
  expectation: Expectation,
  { view, noAnswer }: AnswerObservation,
  names: Names,
): CheckPart[] {
  return subjectsOf(expectation, view).map((subject) => {
    const matcher = interpolateMatcher(subject.matcher, names);
    const hidden = hiddenBecause[subject.seenIn](subject, view, noAnswer);
    return {
      outcome: outcomeIn(subject, matcher, hidden),
      get expected() {
        return expectedOf(subject, matcher);
      },
      get actual() {
        return actualOf(subject, noAnswer);
      },
      reason: hidden?.reason ?? `${subject.name} was absent`,
      excused: hidden?.excused ?? true,
    };
  });
}

/** The outcome alone. Most pass, so that no sentences are made. */
export function outcomeOf(expectation: Expectation, { view, noAnswer }: AnswerObservation, names: Names): MatchOutcome {
  return allOf(
    subjectsOf(expectation, view).map((subject) =>
      outcomeIn(
        subject,
        interpolateMatcher(subject.matcher, names),
        hiddenBecause[subject.seenIn](subject, view, noAnswer),
      ),
    ),
  );
}

function outcomeIn(subject: CheckSubject, matcher: Matcher, hidden: Hidden | undefined): MatchOutcome {
  return hidden === undefined ? judge(subject, matcher) : 'unobserved';
}

type Hidden = Pick<CheckPart, 'reason' | 'excused'>;

type Hides = (subject: CheckSubject, view: AnswerView, noAnswer: string | undefined) => Hidden | undefined;

const unanswered: Hides = (_subject, _view, noAnswer) =>
  noAnswer === undefined ? undefined : { reason: noAnswer, excused: false };

/**
 * Why the answer cannot show a subject, by where it is seen. Attributes of a body without the shape of a representation are not
 * checked: that shape is a requirement of its own, and one deviation is to name one requirement.
 */
const hiddenBecause: Readonly<Record<CheckSubject['seenIn'], Hides>> = {
  outcome: () => undefined,
  request: () => undefined,
  person: (_subject, { personAnswer }, reason = 'nobody is asked in this step') =>
    personAnswer === undefined ? { reason, excused: false } : undefined,
  notification: ({ missing }, { counted }) =>
    missing && counted ? { reason: noNotification, excused: true } : undefined,
  connection: (_subject, { connection }, noAnswer) =>
    noAnswer === undefined && connection === undefined
      ? { reason: 'this target has no connection to watch', excused: true }
      : undefined,
  wire: (_subject, { wire }, noAnswer) =>
    wire === undefined
      ? { reason: noAnswer ?? 'the target is reached over HTTP', excused: noAnswer === undefined }
      : undefined,
  tls: hiddenInTls,
  answer: unanswered,
  representation: (subject, view, noAnswer) =>
    unanswered(subject, view, noAnswer) ??
    (view.attributes === undefined ? { reason: 'the body is not an object below one key', excused: false } : undefined),
};

function hiddenInTls({ name, value }: CheckSubject, { tls }: AnswerView, why: string | undefined): Hidden | undefined {
  if (tls === undefined) return { reason: 'the request went without TLS', excused: true };
  if (tls.handshake === undefined) return { reason: why ?? 'the handshake came to no end', excused: false };
  if (!name.startsWith('server') || value !== undefined) return undefined;
  if (tls.server !== undefined) return { reason: 'the certificate of the target is not to be verified', excused: true };
  return { reason: 'the certificate of the target was not seen', excused: false };
}

/** An expectation in words, with its names as written; for a request that was not sent. */
export function describeExpectation(expectation: Expectation): string {
  return subjectsOf(expectation, emptyView)
    .map((subject) => expectedOf(subject, subject.matcher))
    .join('; ');
}

function expectedOf({ name, short }: CheckSubject, matcher: Matcher): string {
  return `${name} ${short ? shortened(predicate(matcher)) : predicate(matcher)}`;
}

/** The value of a header is a text; a number in the check also means its text. */
function judge({ name, value, missing = false }: CheckSubject, matcher: Matcher): MatchOutcome {
  if (missing) return 'failed';
  const outcome = match(matcher, value);
  const number = name.startsWith('header ') && /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
  return outcome === 'failed' && number !== undefined ? match(matcher, number) : outcome;
}

function shortened(words: string): string {
  return words.replace(/^is (?!not|so|present|absent|between|after|before|a |an )/, '').replaceAll('"', '');
}

function actualOf(
  { name, value, seenIn, short, missing, whenAbsent = '' }: CheckSubject,
  noAnswer: string | undefined,
): string {
  if (value !== undefined && name.startsWith('header ') && isSecretHeader(name.slice(7))) return `${name} is ***`;
  if (value !== undefined) return short ? `${name} ${escaped(String(value))}` : `${name} is ${show(value)}`;
  if (seenIn === 'request' && noAnswer !== undefined) return noAnswer;
  if (missing) return noNotification;
  if (noAnswer !== undefined && seenIn !== 'tls') return noAnswer;
  if (seenIn === 'connection') return 'connection was not watched';
  return seenIn === 'tls' && name === 'alert' ? 'no alert came' : `${name} is absent${whenAbsent}`;
}

/** The named values of a step. */
export function capturedBy(step: Step, view: AnswerView): Array<readonly [name: string, value: NamedValue]> {
  const { personAnswer } = view;
  const answer = personAnswer === undefined ? { missing: 'nobody answered it' } : { value: personAnswer };
  const captures = Object.entries('capture' in step ? (step.capture ?? {}) : {});
  return [
    // Later steps refer to the last answer of a repeated question.
    ...('ask' in step ? [[step.answer.replace(/\..*/, ''), answer] as const] : []),
    ...captures.map(([name, what]) => [name, capture(what, view)] as const),
  ];
}

/** The value that a capture names, or the reason why there is none. */
export function capture(what: Capture, answer: AnswerView): NamedValue {
  if (typeof what === 'string') return present(ownValue(answer.attributes, what), `attribute ${what}`);
  if ('header' in what) return present(answer.headers.get(what.header.toLowerCase()), `header ${what.header}`);
  if ('found' in what) {
    if (answer.found === undefined) return { missing: 'the answer is no discovery result' };
    return present(answer.found[what.found], `element ${what.found} of the discovery result`);
  }
  const value = ownValue(answer.attributes, what.attribute);
  if (value === undefined) return present(value, `attribute ${what.attribute}`);
  const instant = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (instant === undefined) return { missing: `attribute ${what.attribute} was no timestamp` };
  return { value: writeTimestamp(instant, what.written) };
}

function present(value: unknown, subject: string): NamedValue {
  return value === undefined ? { missing: `${subject} was not in the answer` } : { value };
}

/** The first precondition that does not hold, and why later checks are blocked; undefined where all hold. */
export function unmetControl(control: Control, title: string, observation: AnswerObservation, names: Names) {
  for (const [requirement, expectation] of Object.entries(control)) {
    const parts = judgeExpectation(expectation, observation, names);
    const unmet = parts.filter(({ outcome }) => outcome !== 'passed').map(({ actual }) => actual);
    // A refusal shows nothing of the requested resource.
    const isRefused = !observation.success && observation.noAnswer === undefined;
    const isHidden = isRefused && expectation.rsc === undefined && expectation.status === undefined;
    const response = isRefused ? ` answered ${observation.summary}` : `: ${[...new Set(unmet)].join('; ')}`;
    const says = `${requirement} ${isHidden ? 'cannot be seen' : 'does not hold'}: ${title}${response}`;
    if (unmet.length > 0) return { requirement, says };
  }
  return undefined;
}
