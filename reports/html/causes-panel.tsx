/** @jsxRuntime automatic @jsxImportSource preact */
import type { RequirementResult, RunResult } from '../../scenarios/index.ts';
import { byHand } from '../by-hand.ts';
import { type CauseFacts, requirementsOf } from '../cause-facts.ts';
import { circumstancesText } from '../circumstances.ts';
import { type Evidence, placeText } from '../evidence.ts';
import { visibleText } from '../visible-text.ts';
import { triggerOf } from '../waiting.ts';
import { counted } from '../wording.ts';
import { searchText, stepAnchor } from './anchor.ts';
import { Badge } from './badge.tsx';
import { CheckView } from './check-view.tsx';
import { CommandLine, ExchangeView, ReceivedViews, TriggerView } from './exchange-view.tsx';

type Run = Pick<RunResult, 'installations' | 'run' | 'startedAt' | 'target'>;

/** What is to be mended: each cause with the failure that the fewest steps lead to in full, and all that it violates. */
export function CausesPanel({ causes, result }: { causes: readonly CauseFacts[]; result: Run }) {
  const requirements = requirementsOf(causes);
  return (
    <>
      {requirements > causes.length && (
        <p class="muted">
          {counted(requirements, 'requirement')}, {counted(causes.length, 'cause')}
        </p>
      )}
      {causes.map((facts) => (
        <CauseView key={facts.requirement.id} facts={facts} result={result} />
      ))}
    </>
  );
}

function CauseView({ facts, result }: { facts: CauseFacts; result: Run }) {
  const { requirement, others, shown, elsewhere } = facts;
  const { id, says, section, source, level, verdict } = requirement;
  const words = others.flatMap((one) => [one.id, one.says, one.section]);
  return (
    <article
      class="violation"
      data-text={searchText([id, says, section, ...words, ...[shown, ...elsewhere].flatMap(searchable)])}
      data-verdict={verdict}
      data-level={level}
    >
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
      <FailureView evidence={shown} result={result} />
      {elsewhere.length > 0 && <OtherFailures others={elsewhere} known={shown.check.actual} />}
      {others.length > 0 && <OtherRequirements others={others} />}
    </article>
  );
}

/** What has the same cause. */
function OtherRequirements({ others }: { others: readonly RequirementResult[] }) {
  return (
    <details open>
      <summary>With it {counted(others.length, 'requirement')}</summary>
      <ul class="places">
        {others.map(({ id, says }) => (
          <li key={id}>
            <a href={`#${id}`}>{id}</a> <span class="muted">{visibleText(says)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function searchable({ scenario, step }: Evidence): string[] {
  return [scenario.id, scenario.title, step.exchange?.request.path ?? ''];
}

function FailureView({ evidence, result }: { evidence: Evidence; result: Run }) {
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

/** Of what fails everywhere so many places are enough to look at. */
const mostPlaces = 50;

function OtherFailures({ others, known }: { others: readonly Evidence[]; known: string | undefined }) {
  return (
    <details>
      <summary>Also at {counted(others.length, 'other place')}</summary>
      <ul class="places">
        {others.slice(0, mostPlaces).map((evidence) => (
          <li key={stepAnchor(evidence)}>
            <a href={`#${stepAnchor(evidence)}`}>
              {evidence.scenario.title}, step {evidence.stepNumber}
            </a>{' '}
            <code class="muted">{placeText(evidence.check)}</code>
            {evidence.check.actual !== known && <div>{visibleText(evidence.check.actual)}</div>}
          </li>
        ))}
      </ul>
      {others.length > mostPlaces && <p class="muted">And {counted(others.length - mostPlaces, 'more place')}.</p>}
    </details>
  );
}
