/** The steps of a scenario, with what was sent and answered in each. */
import type { RunResult, ScenarioResult, StepResult } from '../../scenarios/words.ts';
import { type Content, code, type DocumentBlock, facts, muted, prose, type StepTold } from '../document/model.ts';
import { answerText, cameIn, circumstancesText, inboxText, passedText, triggerOf } from '../facts/evidence.ts';
import { requestText } from '../facts/message-text.ts';
import { counted, durationText, shownState } from '../facts/wording.ts';
import { badgeOf, checkFacts, exchangeTold, messagePair, receivedTold, whole } from './evidence-told.ts';

const phaseWords = { given: 'given', step: '', cleanup: 'clean-up' } as const;

/** For a text: the steps of a scenario until one of them, a check of which is what all is told for. */
export function transcript(scenario: ScenarioResult, last: StepResult): DocumentBlock {
  const shown = scenario.steps.slice(0, scenario.steps.indexOf(last) + 1);
  return stepsTold(scenario, shown, (step) => ({ isLast: step === last, content: stepMessages(step) }));
}

function stepsTold(
  scenario: ScenarioResult,
  shown: readonly StepResult[],
  more: (step: StepResult) => Pick<StepTold, 'isLast' | 'content'>,
): DocumentBlock {
  const steps = shown.map((step) => {
    const number = scenario.steps.indexOf(step) + 1;
    return { number, phase: phaseWords[step.phase], title: step.title, ...more(step) };
  });
  return { kind: 'steps', steps };
}

/** So many steps that prepare, and no check is about, are looked at in a scenario that passed. */
const mostUnchecked = 5;

/** For a page: all of them. Of a scenario that passed it leaves out the clean-up, and requests of long series that no check is about. */
export function transcriptOnPage(result: Pick<RunResult, 'installations'>, scenario: ScenarioResult): Content {
  const { steps, state } = scenario;
  const unchecked = steps.filter(({ phase, checks }) => phase !== 'cleanup' && checks.length === 0);
  const told = new Set(unchecked.slice(0, mostUnchecked));
  const shown = steps.filter((step) => state !== 'passed' || step.checks.length > 0 || told.has(step));
  const left = steps.length - shown.length;
  return [
    stepsTold(scenario, shown, (step) => ({ content: stepOnPage(result, scenario, step) })),
    left > 0 &&
      muted(`Not shown: ${counted(left, 'step')} of the clean-up, or without a check. The JSON report has all.`),
  ];
}

function stepMessages(step: StepResult): Content {
  const { exchange, problem, passed, asked } = step;
  return [
    asked && answerText(asked),
    passed && passedText(passed),
    exchange && messagePair(exchange, whole, `\n(after ${durationText(exchange.took)})`),
    inboxText(step),
    cameIn(step).map((request) => code('received', requestText({ request }, whole))),
    problem !== undefined && prose({ text: problem, tone: 'open' }),
  ];
}

function stepOnPage(result: Pick<RunResult, 'installations'>, scenario: ScenarioResult, step: StepResult): Content {
  const { note, problem, checks, exchange, asked } = step;
  const circumstances = circumstancesText(result, scenario, step);
  const isTroubled = checks.some((check) => ['failed', 'fault'].includes(shownState(check)));
  return [
    circumstances !== '' && muted(circumstances),
    note !== undefined && muted(note),
    asked && prose(answerText(asked)),
    problem !== undefined && prose({ text: problem, tone: 'open' }),
    checks.map((check) => [
      prose([badgeOf(shownState(check)), ' ', { text: check.requirement, to: check.requirement }]),
      facts(...checkFacts(check)),
    ]),
    exchange && exchangeTold(exchange, checks, { isOpen: isTroubled, briefly: scenario.state === 'passed' }),
    receivedTold(step, triggerOf(scenario, step)),
  ];
}
