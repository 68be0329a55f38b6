/** @jsxRuntime automatic @jsxImportSource preact */
import type { RunResult, ScenarioResult, ScenarioState, StepResult, Verdict } from '../../scenarios/index.ts';
import { circumstancesText } from '../circumstances.ts';
import { evidenceIn, placeText } from '../evidence.ts';
import { visibleText } from '../visible-text.ts';
import { type Trigger, triggerOf } from '../waiting.ts';
import { counted, shownState } from '../wording.ts';
import { scenarioAnchor, searchText, stepAnchor } from './anchor.ts';
import { Badge } from './badge.tsx';
import { CheckView } from './check-view.tsx';
import { ExchangeView, ReceivedViews } from './exchange-view.tsx';
import { sequenceOf } from './sequence.ts';
import { SequenceView } from './sequence-view.tsx';

/** The verdict by which a scenario is filtered. */
const verdictOf: Readonly<Record<ScenarioState, Verdict>> = {
  passed: 'satisfied',
  failed: 'violated',
  lost: 'lost',
  blocked: 'not testable',
  'not testable': 'not testable',
  'left out': 'left out',
  'not applicable': 'not applicable',
  interrupted: 'not testable',
  fault: 'harness fault',
};

interface Props {
  result: Pick<RunResult, 'scenarios' | 'installations'>;
  /** Level of each requirement, by id. */
  levels: ReadonlyMap<string, string>;
}

/** All scenarios by feature, each with the transcript of its steps. */
export function ScenariosPanel({ result, levels }: Props) {
  const { scenarios } = result;
  const features = [...new Set(scenarios.map(({ feature }) => feature))];
  return (
    <>
      {features.map((feature) => (
        <section key={feature} data-group>
          <h3>{visibleText(feature)}</h3>
          {scenarios
            .filter((scenario) => scenario.feature === feature)
            .map((scenario) => (
              <Scenario key={scenario.id} scenario={scenario} result={result} levels={levels} />
            ))}
        </section>
      ))}
    </>
  );
}

function Scenario({ scenario, result, levels }: Props & { scenario: ScenarioResult }) {
  const { id, title, state, steps } = scenario;
  const requirements = evidenceIn(scenario).map(({ check }) => check.requirement);
  const paths = steps.map(({ exchange }) => exchange?.request.path ?? '');
  const verdicts = state === 'passed' && onlyGaps(requirements, levels) ? 'observed' : verdictOf[state];
  return (
    <details
      class="row"
      data-text={searchText([id, title, ...requirements, ...paths])}
      data-verdict={verdicts}
      data-level={[...new Set(requirements.map((requirement) => levels.get(requirement)))].join(' ')}
    >
      <summary id={scenarioAnchor(id)}>
        <Badge state={state} />
        <span class="subject">
          <span class="says">{visibleText(title)}</span>
          <code class="id">{id}</code>
        </span>
        <span class="aside">{counted(steps.length, 'step')}</span>
      </summary>
      <template>
        <Transcript scenario={scenario} result={result} />
      </template>
    </details>
  );
}

function onlyGaps(requirements: readonly string[], levels: Props['levels']): boolean {
  return requirements.length > 0 && requirements.every((requirement) => levels.get(requirement) === 'gap');
}

function Transcript({ scenario, result }: { scenario: ScenarioResult; result: Props['result'] }) {
  const { reason, leftBehind, steps, again } = scenario;
  const sequence = sequenceOf(scenario);
  return (
    <>
      <p class="muted">
        <code>{placeText(scenario)}</code>
      </p>
      {reason !== undefined && !isToldBySteps(scenario) && (
        <p>
          <strong>Why:</strong> {visibleText(reason)}
        </p>
      )}
      {again !== undefined && <p class="muted">It ran once more, alone, and then {againWords(again)}.</p>}
      {leftBehind.length > 0 && (
        <p>
          <strong>Left on the target:</strong> {leftBehind.map(visibleText).join(', ')}
        </p>
      )}
      {sequence !== undefined && <SequenceView sequence={sequence} />}
      <ol class="steps">
        {steps.map((step, index) => (
          <Step
            key={step.title}
            step={step}
            circumstances={circumstancesText(result, scenario, step)}
            trigger={triggerOf(scenario, step)}
            anchor={stepAnchor({ scenario, stepNumber: index + 1 })}
          />
        ))}
      </ol>
    </>
  );
}

function againWords(state: ScenarioState): string {
  if (state === 'failed') return 'failed as well';
  return state === 'passed' ? 'passed' : `was ${state}`;
}

/** The step at which a scenario stopped says why, and where. */
function isToldBySteps({ reason, steps }: ScenarioResult): boolean {
  return steps.some(({ problem, checks }) => problem === reason || checks.some((check) => check.reason === reason));
}

const phaseWords = { given: 'given', step: '', cleanup: 'clean-up' } as const;

interface StepProps {
  step: StepResult;
  circumstances: string;
  trigger: Trigger | undefined;
  anchor: string;
}

function Step({ step, circumstances, trigger, anchor }: StepProps) {
  const { phase, title, note, problem, exchange, checks } = step;
  const troubled = checks.some((check) => ['failed', 'fault'].includes(shownState(check)));
  return (
    <li id={anchor} tabIndex={-1}>
      <p class="step-title">
        {phaseWords[phase] !== '' && <span class="phase">{phaseWords[phase]}</span>} {visibleText(title)}
      </p>
      {circumstances !== '' && <p class="muted">{visibleText(circumstances)}</p>}
      {note !== undefined && <p class="muted">{visibleText(note)}</p>}
      {problem !== undefined && <p class="problem">{visibleText(problem)}</p>}
      {checks.map((check) => (
        <div class="where" key={check.requirement}>
          <Badge state={shownState(check)} />
          <a href={`#${check.requirement}`}>{check.requirement}</a>
          <CheckView check={check} />
        </div>
      ))}
      {exchange !== undefined && <ExchangeView exchange={exchange} checks={checks} open={troubled} />}
      <ReceivedViews step={step} trigger={trigger} />
    </li>
  );
}
