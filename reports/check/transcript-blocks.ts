/** The steps of a scenario with their messages. */
import type { RunResult, ScenarioResult, StepResult } from '../../scenarios/words.ts';
import { type Content, code, type DocumentBlock, type DocumentStep, facts, muted, prose } from '../document/model.ts';
import { answerText, contextText, inboxText, passedText, receivedIn, triggerOf } from '../facts/evidence.ts';
import { requestText } from '../facts/message-text.ts';
import { counted, displayState, durationText } from '../facts/wording.ts';
import { badgeOf, checkFacts, exchangeBlock, messagePair, pageLimits, receivedBlocks } from './evidence-blocks.ts';

const phaseWords = { given: 'given', step: '', cleanup: 'clean-up' } as const;

/** For a text: the steps of a scenario up to the one that is explained. */
export function transcript(scenario: ScenarioResult, last: StepResult): DocumentBlock {
  const visible = scenario.steps.slice(0, scenario.steps.indexOf(last) + 1);
  return stepsBlock(scenario, visible, (step) => ({ isLast: step === last, content: stepMessages(step) }));
}

function stepsBlock(
  scenario: ScenarioResult,
  visible: readonly StepResult[],
  more: (step: StepResult) => Pick<DocumentStep, 'isLast' | 'content'>,
): DocumentBlock {
  const steps = visible.map((step) => {
    const number = scenario.steps.indexOf(step) + 1;
    return { number, phase: phaseWords[step.phase], title: step.title, ...more(step) };
  });
  return { kind: 'steps', steps };
}

/** Steps without a check that a passed scenario shows. */
const mostUnchecked = 5;

/** For a page: all steps; of a passed scenario without the clean-up, and long series of unchecked requests. */
export function transcriptOnPage(result: Pick<RunResult, 'installations'>, scenario: ScenarioResult): Content {
  const { steps, state } = scenario;
  const unchecked = steps.filter(({ phase, checks }) => phase !== 'cleanup' && checks.length === 0);
  const listed = new Set(unchecked.slice(0, mostUnchecked));
  const visible = steps.filter((step) => state !== 'passed' || step.checks.length > 0 || listed.has(step));
  const left = steps.length - visible.length;
  return [
    stepsBlock(scenario, visible, (step) => ({ content: stepOnPage(result, scenario, step) })),
    left > 0 &&
      muted(`Not shown: ${counted(left, 'step')} of the clean-up, or without a check. The JSON report has all.`),
  ];
}

function stepMessages(step: StepResult): Content {
  const { exchange, problem, passed, asked } = step;
  return [
    asked && answerText(asked),
    passed && passedText(passed),
    exchange && messagePair(exchange, pageLimits, `\n(after ${durationText(exchange.took)})`),
    inboxText(step),
    receivedIn(step).map((request) => code('received', requestText({ request }, pageLimits))),
    problem !== undefined && prose({ text: problem, tone: 'open' }),
  ];
}

function stepOnPage(result: Pick<RunResult, 'installations'>, scenario: ScenarioResult, step: StepResult): Content {
  const { note, problem, checks, exchange, asked } = step;
  const context = contextText(result, scenario, step);
  const isTroubled = checks.some((check) => ['failed', 'fault'].includes(displayState(check)));
  return [
    context !== '' && muted(context),
    note !== undefined && muted(note),
    asked && prose(answerText(asked)),
    problem !== undefined && prose({ text: problem, tone: 'open' }),
    checks.map((check) => [
      prose([badgeOf(displayState(check)), ' ', { text: check.requirement, to: check.requirement }]),
      facts(...checkFacts(check)),
    ]),
    exchange && exchangeBlock(exchange, checks, { isOpen: isTroubled, briefly: scenario.state === 'passed' }),
    receivedBlocks(step, triggerOf(scenario, step)),
  ];
}
