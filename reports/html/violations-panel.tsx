/** @jsxRuntime automatic @jsxImportSource preact */
import type { RequirementResult, RunResult } from '../../scenarios/index.ts';
import { byHand } from '../by-hand.ts';
import { circumstancesText } from '../circumstances.ts';
import { type Evidence, type EvidenceIndex, placeText } from '../evidence.ts';
import { visibleText } from '../visible-text.ts';
import { triggerOf } from '../waiting.ts';
import { counted } from '../wording.ts';
import { searchText, stepAnchor } from './anchor.ts';
import { Badge } from './badge.tsx';
import { CheckView } from './check-view.tsx';
import { CommandLine, ExchangeView, ReceivedViews, TriggerView } from './exchange-view.tsx';

/** Each requirement that is not kept, with its first failure in full. */
export function ViolationsPanel(props: {
  requirements: readonly RequirementResult[];
  evidence: EvidenceIndex;
  result: Pick<RunResult, 'installations' | 'run' | 'startedAt' | 'target'>;
}) {
  return (
    <>
      {props.requirements.map((requirement) => (
        <Violation
          key={requirement.id}
          requirement={requirement}
          result={props.result}
          failures={requirement.violations.flatMap((reference) => props.evidence.at(reference) ?? [])}
        />
      ))}
    </>
  );
}

interface ViolationProps {
  requirement: RequirementResult;
  failures: readonly Evidence[];
  result: Pick<RunResult, 'installations' | 'run' | 'startedAt' | 'target'>;
}

function Violation({ requirement, failures, result }: ViolationProps) {
  const { id, says, section, source, level, verdict } = requirement;
  const [first, ...others] = failures;
  const found = searchText([id, says, section, ...failures.flatMap(searchable)]);
  return (
    <article class="violation" data-text={found} data-verdict={verdict} data-level={level}>
      <header>
        <Badge state={verdict} />
        <h3>
          <a href={`#${id}`}>{id}</a>
        </h3>
      </header>
      <p class="says">{visibleText(says)}</p>
      <p class="muted">
        {visibleText(section)}, {visibleText(source)}
      </p>
      {first !== undefined && <FirstFailure evidence={first} result={result} />}
      {others.length > 0 && <OtherFailures others={others} known={first?.check.actual} />}
    </article>
  );
}

function searchable({ scenario, step }: Evidence): string[] {
  return [scenario.id, scenario.title, step.exchange?.request.path ?? ''];
}

function FirstFailure({ evidence, result }: { evidence: Evidence; result: ViolationProps['result'] }) {
  const { check, scenario, step, stepNumber } = evidence;
  const circumstances = circumstancesText(result, scenario, step);
  const trigger = triggerOf(scenario, step);
  return (
    <>
      <CheckView check={check} />
      <p>
        <a href={`#${stepAnchor(evidence)}`}>
          {scenario.title}, step {stepNumber}
        </a>{' '}
        <code class="muted">{placeText(check)}</code>
      </p>
      {circumstances !== '' && <p class="muted">{visibleText(circumstances)}</p>}
      <ReceivedViews step={step} trigger={trigger} />
      {trigger !== undefined && <TriggerView trigger={trigger} />}
      {step.exchange === undefined ? (
        <CommandLine commands={byHand(result, evidence)} />
      ) : (
        <ExchangeView exchange={step.exchange} checks={step.checks} commands={byHand(result, evidence)} open />
      )}
    </>
  );
}

function OtherFailures({ others, known }: { others: readonly Evidence[]; known: string | undefined }) {
  return (
    <details>
      <summary>Also at {counted(others.length, 'other place')}</summary>
      <ul class="places">
        {others.map((evidence) => (
          <li key={stepAnchor(evidence)}>
            <a href={`#${stepAnchor(evidence)}`}>
              {evidence.scenario.title}, step {evidence.stepNumber}
            </a>{' '}
            <code class="muted">{placeText(evidence.check)}</code>
            {evidence.check.actual !== known && <div>{visibleText(evidence.check.actual)}</div>}
          </li>
        ))}
      </ul>
    </details>
  );
}
