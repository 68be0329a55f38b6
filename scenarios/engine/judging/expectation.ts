import { ownValue } from '../basics/own-value.ts';
import type { Control, Expectation, Matcher } from '../grammar/grammar-check.ts';
import type { Capture, Step } from '../grammar/grammar-step.ts';
import { interpolateMatcher, type NamedValue, type Names } from '../messages/interpolate.ts';
import { escaped, isSecretHeader, show } from '../messages/shown.ts';
import { type AnswerObservation, type AnswerView, nothingSeen } from './answer.ts';
import { allOf, type MatchOutcome, match } from './matchers.ts';
import { predicate } from './sentences.ts';
import { type Matched, subjectsOf } from './subjects.ts';
import { parseTimestamp, writeTimestamp } from './timestamp.ts';

/** Where something was to be looked at in a notification. */
export const noneCame = 'no such notification came';

/** One thing that a check looks at. */
export interface CheckPart {
  readonly outcome: MatchOutcome;
  /** Such as `attribute aei is a text`. */
  readonly expected: string;
  /** Such as `attribute aei is absent`. */
  readonly actual: string;
  /** Why it could not be observed. */
  readonly reason: string;
  /** True when that leaves nothing open: the value may be absent, or the kind of target cannot show it. */
  readonly excused: boolean;
}

/** Judges everything that an expectation looks at; the sentences are made for whoever asks for them. */
export function judgeExpectation(
  expectation: Expectation,
  { view, nothing }: AnswerObservation,
  names: Names,
): CheckPart[] {
  return subjectsOf(expectation, view).map((subject) => {
    const matcher = interpolateMatcher(subject.matcher, names);
    const hidden = hiddenBecause(subject, view, nothing);
    return {
      outcome: outcomeIn(subject, matcher, hidden),
      get expected() {
        return expectedOf(subject, matcher);
      },
      get actual() {
        return actualOf(subject, nothing);
      },
      reason: hidden?.reason ?? `${subject.name} was absent`,
      excused: hidden?.excused ?? true,
    };
  });
}

/** Whether all that an expectation looks at is as expected. Most are, so that no sentences are made. */
export function outcomeOf(expectation: Expectation, { view, nothing }: AnswerObservation, names: Names): MatchOutcome {
  return allOf(
    subjectsOf(expectation, view).map((subject) =>
      outcomeIn(subject, interpolateMatcher(subject.matcher, names), hiddenBecause(subject, view, nothing)),
    ),
  );
}

function outcomeIn(subject: Matched, matcher: Matcher, hidden: Hidden | undefined): MatchOutcome {
  return hidden === undefined ? judge(subject, matcher) : 'unobserved';
}

type Hidden = Pick<CheckPart, 'reason' | 'excused'>;

/**
 * Why what came cannot show the subject at all. Attributes of a body without the shape of a representation are not judged:
 * that shape is a requirement of its own, and one deviation is to name one requirement.
 */
function hiddenBecause(subject: Matched, seen: AnswerView, nothing: string | undefined): Hidden | undefined {
  switch (subject.seenIn) {
    case 'outcome':
    case 'request':
      return undefined;
    case 'person':
      return hiddenFromPeople(seen, nothing);
    case 'notification': {
      const counted = subject.missing === true && seen.notified?.counted === true;
      return counted ? { reason: noneCame, excused: true } : undefined;
    }
    case 'connection': {
      const unwatched = nothing === undefined && seen.connection === undefined;
      return unwatched ? { reason: 'this target has no connection to watch', excused: true } : undefined;
    }
    case 'wire':
      return hiddenOverHttp(seen, nothing);
    case 'tls':
      return hiddenInTls(subject, seen, nothing);
    case 'answer':
      return nothing === undefined ? undefined : { reason: nothing, excused: false };
    case 'representation':
      if (nothing !== undefined) return { reason: nothing, excused: false };
      if (seen.attributes !== undefined) return undefined;
      return { reason: 'the body is not an object below one key', excused: false };
  }
}

function hiddenFromPeople({ answered }: AnswerView, nothing = 'nobody is asked in this step'): Hidden | undefined {
  return answered === undefined ? { reason: nothing, excused: false } : undefined;
}

function hiddenOverHttp({ wire }: AnswerView, nothing: string | undefined): Hidden | undefined {
  if (wire !== undefined) return undefined;
  const reason = nothing ?? 'the target is reached over HTTP';
  return { reason, excused: nothing === undefined };
}

function hiddenInTls({ name, value }: Matched, { tls }: AnswerView, nothing: string | undefined): Hidden | undefined {
  if (tls === undefined) return { reason: 'the request went without TLS', excused: true };
  if (tls.handshake === undefined) return { reason: nothing ?? 'the handshake came to no end', excused: false };
  if (!name.startsWith('server') || value !== undefined) return undefined;
  if (tls.server !== undefined) return { reason: 'the certificate of the target is not to be verified', excused: true };
  return { reason: 'the certificate of the target was not seen', excused: false };
}

/** What an expectation asks, with its names as they are written; for a request that was not sent. */
export function describeExpectation(expectation: Expectation): string {
  return subjectsOf(expectation, nothingSeen)
    .map((subject) => expectedOf(subject, subject.matcher))
    .join('; ');
}

function expectedOf({ name, short }: Matched, matcher: Matcher): string {
  return `${name} ${short ? shortened(predicate(matcher)) : predicate(matcher)}`;
}

/** The value of a header is a text; a number in the check means the text that reads so. */
function judge({ name, value, missing = false }: Matched, matcher: Matcher): MatchOutcome {
  if (missing) return 'failed';
  const outcome = match(matcher, value);
  const number = name.startsWith('header ') && /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
  return outcome === 'failed' && number !== undefined ? match(matcher, number) : outcome;
}

function shortened(words: string): string {
  return words.replace(/^is (?!not|so|present|absent|between|after|before|a |an )/, '').replaceAll('"', '');
}

function actualOf(
  { name, value, seenIn, short, missing, whenAbsent = '' }: Matched,
  nothing: string | undefined,
): string {
  if (value !== undefined && name.startsWith('header ') && isSecretHeader(name.slice(7))) return `${name} is ***`;
  if (value !== undefined) return short ? `${name} ${escaped(String(value))}` : `${name} is ${show(value)}`;
  if (seenIn === 'request' && nothing !== undefined) return nothing;
  if (missing) return noneCame;
  if (nothing !== undefined && seenIn !== 'tls') return nothing;
  if (seenIn === 'connection') return 'connection was not watched';
  return seenIn === 'tls' && name === 'alert' ? 'no alert came' : `${name} is absent${whenAbsent}`;
}

/** What a step gives a name to, of what it has seen. */
export function capturedBy(step: Step, view: AnswerView): Array<readonly [name: string, value: NamedValue]> {
  const { answered } = view;
  const told = answered === undefined ? { missing: 'nobody told it' } : { value: answered };
  const captures = Object.entries('capture' in step ? (step.capture ?? {}) : {});
  return [
    // Later steps speak of the last answer to a question that is repeated.
    ...('ask' in step ? [[step.answer.replace(/\..*/, ''), told] as const] : []),
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

/** The first requirement that is taken for granted and does not hold, and why what follows cannot be judged; undefined where all do. */
export function unmetControl(
  control: Control,
  { title, seen, names }: { readonly title: string; readonly seen: AnswerObservation; readonly names: Names },
) {
  for (const [requirement, expectation] of Object.entries(control)) {
    const parts = judgeExpectation(expectation, seen, names);
    const unmet = parts.filter(({ outcome }) => outcome !== 'passed').map(({ actual }) => actual);
    // A refusal shows nothing of what is asked for.
    const isRefused = !seen.success && seen.nothing === undefined;
    const isHidden = isRefused && expectation.rsc === undefined && expectation.status === undefined;
    const came = isRefused ? ` answered ${seen.summary}` : `: ${[...new Set(unmet)].join('; ')}`;
    const says = `${requirement} ${isHidden ? 'cannot be seen' : 'does not hold'}: ${title}${came}`;
    if (unmet.length > 0) return { requirement, says };
  }
  return undefined;
}
