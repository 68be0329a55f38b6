/** A check with all its evidence: expected and actual, where, request and response, and how to send it again. */

import type { CheckResult, Exchange, ReceivedRequest, RunResult, StepResult } from '../../scenarios/words.ts';
import {
  type Content,
  code,
  type DocumentBlock,
  details,
  type Fact,
  facts,
  muted,
  only,
  prose,
  type Span,
} from '../document/model.ts';
import {
  type CheckEvidence,
  contextText,
  excuseText,
  inboxText,
  locationText,
  receivedIn,
  stepAnchor,
  stepText,
  type Trigger,
  triggerOf,
  whenText,
} from '../facts/evidence.ts';
import { answerText, failureWords, requestText } from '../facts/message-text.ts';
import { shellLines } from '../facts/shell-lines.ts';
import { counted, displayState, durationText, looks, type ResultState } from '../facts/wording.ts';

export type Run = Pick<RunResult, 'installations' | 'run' | 'startedAt' | 'target'>;

/** Limits of a text: lines and characters of a message, and notifications. */
const textLimits = { most: 20, briefly: true, bodyLimit: 1_000_000 };
const mostReceived = 2;
type Limits = Pick<typeof textLimits, 'most' | 'bodyLimit'> & { readonly briefly?: boolean };
export const pageLimits = { most: Number.POSITIVE_INFINITY, bodyLimit: 20_000 };

/** Lines for a shell. */
export const commandLines = (lines: readonly string[]): DocumentBlock =>
  code('Command line', lines.join('\n'), { isCopied: true });

export function failureBlocks(evidence: CheckEvidence, result: Run, limits: Limits = textLimits): Content {
  return [evidenceBlocks(evidence, result, limits), commandLines(shellLines(result, evidence))];
}

/** The same without shell lines. */
export function evidenceBlocks(evidence: CheckEvidence, result: Run, limits: Limits = textLimits): Content {
  const { check, scenario, step } = evidence;
  const [where, at] = [contextText(result, scenario, step), locationText(check)];
  return [
    only('text', facts(['scenario', `${stepText(evidence)}: ${step.title}`, { text: at, as: 'muted' }])),
    facts(where !== '' && ['where', where], ...checkFacts(check)),
    only('page', locationBlock(evidence), exchangeBlocks(evidence, true)),
    only('text', messageBlocks(step, triggerOf(scenario, step), limits)),
  ];
}

/** What a check expected and what the target did, or why that is unknown. */
export function checkFacts(check: CheckResult): Fact[] {
  const { level, expected, actual, variant, intermittent, known, reason } = check;
  const actualText = `${actual}${variant === undefined ? '' : ` (${variant})`}`;
  return [
    [level === 'gap' ? 'reference' : 'expected', ...expected.map((one, at) => (at === 0 ? one : `or ${one}`))],
    ['actual', displayState(check) === 'failed' ? { text: actualText, tone: 'bad' } : actualText],
    ...(intermittent === true ? [['again', 'It passed as the scenario ran once more, alone.'] as const] : []),
    ...(known === undefined ? [] : [['known', excuseText(known)] as const]),
    ...(reason === undefined ? [] : [['why', reason] as const]),
  ];
}

/** A link to the step of the scenario, on the same page. */
export function locationBlock(evidence: CheckEvidence, ...before: Span[]): DocumentBlock {
  const { scenario, stepNumber, check } = evidence;
  const step = { text: `${scenario.title}, step ${stepNumber}`, to: stepAnchor(evidence) };
  return prose([...before, ' ', step, ' ', { text: locationText(check), as: 'code' }]);
}

export function badgeOf(state: ResultState): Span {
  const { mark, tone } = looks[state];
  return { text: `${mark} ${state}`, as: 'badge', tone };
}

/** The messages of a step, for a text; for one that waits, the notifications and the request before. */
function messageBlocks(step: StepResult, trigger: Trigger | undefined, limits: Limits): Content {
  if (step.exchange !== undefined) return messagePair(step.exchange, limits);
  const requests = receivedIn(step);
  const more = (step.notifications?.count ?? requests.length) - mostReceived;
  const inbox = inboxText(step);
  const messageOf = (request: ReceivedRequest) =>
    code('received', `${whenText(request, trigger)}\n${requestText({ request }, limits)}`, { most: limits.most });
  return [
    facts(inbox !== '' && ['inbox', inbox]),
    requests.slice(0, mostReceived).map(messageOf),
    more > 0 && `and ${counted(more, 'more notification')}`,
    trigger && [
      facts(['after', `step ${trigger.stepNumber}, ${trigger.title}`]),
      messagePair(trigger.exchange, limits),
    ],
  ];
}

export function messagePair(exchange: Exchange, { most, ...limits }: Limits, after = ''): Content {
  return [
    code('request', requestText(exchange, limits), { most }),
    code('answer', `${answerText(exchange, limits)}${after}`, { most }),
  ];
}

/** The same for a page: every message in full. */
export function exchangeBlocks({ scenario, step }: Pick<CheckEvidence, 'scenario' | 'step'>, isOpen: boolean): Content {
  const trigger = triggerOf(scenario, step);
  return [
    receivedBlocks(step, trigger),
    trigger && [
      muted(`After step ${trigger.stepNumber}, ${trigger.title}:`),
      exchangeBlock(trigger.exchange, [], { isOpen: true }),
    ],
    step.exchange && exchangeBlock(step.exchange, step.checks, { isOpen }),
  ];
}

export function receivedBlocks(step: StepResult, trigger: Trigger | undefined): Content {
  const { notifications, passed } = step;
  const hidden = (notifications?.count ?? 0) - (notifications?.shown.length ?? 0);
  const whole = (request: ReceivedRequest) => requestText({ request }, pageLimits);
  return [
    passed && muted(passed.how === 'virtual' ? 'on the clock of the embedded target' : 'really waited for'),
    inboxText(step),
    receivedIn(step).map((one) => code(`Received ${whenText(one, trigger)}`, whole(one))),
    hidden > 0 && muted(`And ${counted(hidden, 'more notification')}.`),
  ];
}

/**
 * Request and answer, with the lines that failed marked. `briefly`, for passed scenarios: without common headers, answers that no
 * check is about, and curl lines.
 */
export function exchangeBlock(
  exchange: Exchange,
  checks: readonly CheckResult[],
  { isOpen, briefly = false }: { readonly isOpen: boolean; readonly briefly?: boolean },
): Content {
  const { request, answer, failure, took, curl } = exchange;
  const limits = { ...pageLimits, briefly };
  const answered = answerText(exchange, limits);
  const outcome = failure === undefined ? (answer?.status ?? 'no answer') : failureWords[failure.kind];
  const { method, path } = request;
  const line: Array<string | Span> = [{ text: method, as: 'strong' }, ' ', { text: path, as: 'code' }, ` ${outcome} `];
  const messages = [
    code('Request', requestText(exchange, limits)),
    (!briefly || checks.length > 0) && code('Answer', answered, { marked: differingLines(checks, answered) }),
    !isOpen && !briefly && commandLines([curl]),
  ];
  return details([...line, { text: `in ${durationText(took)}`, as: 'muted' }], messages, isOpen);
}

/** The subjects of a check's sentences, such as `attribute rr is the text "TRUE"; header x-m2m-rsc is absent`. */
const subject = /(?:^|; )(?:(attribute|header) ([\w.:-]+)|(status|RSC|root)\b)/g;

/** Which lines of an answer, as `answerText` writes it, a failed check is about; counted from 0. */
export function differingLines(checks: readonly CheckResult[], text: string): ReadonlySet<number> {
  const failed = checks.filter(({ state, level }) => state === 'failed' && level !== 'gap');
  const patterns = failed.flatMap(({ actual, expected }) => [actual, ...expected]).flatMap(patternsOf);
  const lines = text.split(/\r?\n/);
  return new Set([...lines.keys()].filter((at) => patterns.some((pattern) => pattern(lines[at] ?? '', at))));
}

type Pattern = (line: string, at: number) => boolean;

function patternsOf(sentence: string): Pattern[] {
  return [...sentence.matchAll(subject)].map(([, kind, name = '', word]): Pattern => {
    if (word === 'status') return (_, at) => at === 0;
    if (kind === 'attribute') return (line) => line.trimStart().startsWith(`"${name}":`);
    if (word === 'root') return (line) => /^\s*"m2m:\w+":/.test(line);
    const header = `${word === 'RSC' ? 'x-m2m-rsc' : name.toLowerCase()}:`;
    return (line) => line.toLowerCase().startsWith(header);
  });
}

/** Names of documents, and numbers of clauses in them; not those of tables, figures and steps. */
const clausePattern =
  /\b(?:TS-(?<document>\d{4})|RFC \d+)\b|(?<!Table |Figure |[-.\d])(?<chapter>\d{1,2}\.\d{1,2})(?:\.\d{1,2})*\b(?![-.]\d)/g;

/** Where a requirement is stated. Clauses of oneM2M's specifications link to their public page: one for each chapter. */
export function clauseBlock(section: string, source: string): DocumentBlock {
  return prose([{ text: `${section}, `, as: 'muted' }, ...linked(source)]);
}

function linked(source: string): Span[] {
  const spans: Span[] = [];
  let [document, at]: [string | undefined, number] = [undefined, 0];
  for (const { 0: text, index, groups = {} } of source.matchAll(clausePattern)) {
    const { chapter } = groups;
    if (chapter === undefined) document = groups.document;
    if (chapter === undefined || document === undefined) continue;
    const url = `https://specifications.onem2m.org/ts/ts-${document}/latest/${chapter}`;
    spans.push({ text: source.slice(at, index), as: 'muted' }, { text, as: 'muted', url });
    at = index + text.length;
  }
  return [...spans, { text: source.slice(at), as: 'muted' }];
}
