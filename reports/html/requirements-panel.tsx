/** @jsxRuntime automatic @jsxImportSource preact */
import type { RequirementResult } from '../../scenarios/index.ts';
import { type Evidence, type EvidenceIndex, placeText } from '../evidence.ts';
import { visibleText } from '../visible-text.ts';
import { counted, shownState } from '../wording.ts';
import { searchText, stepAnchor } from './anchor.ts';
import { Badge } from './badge.tsx';
import { CheckView } from './check-view.tsx';

/** A rule of the wire is observed hundreds of times; so many of its passing checks are enough to look at. */
const passingShown = 25;

/** All requirements by section, each with its verdict and the checks behind it. */
export function RequirementsPanel(props: { requirements: readonly RequirementResult[]; evidence: EvidenceIndex }) {
  const sections = [...new Set(props.requirements.map(({ section }) => section))];
  return (
    <>
      {sections.map((section) => (
        <section key={section} data-group>
          <h3>{visibleText(section)}</h3>
          {props.requirements
            .filter((requirement) => requirement.section === section)
            .map((requirement) => (
              <Requirement key={requirement.id} requirement={requirement} checks={props.evidence.of(requirement.id)} />
            ))}
        </section>
      ))}
    </>
  );
}

function Requirement({ requirement, checks }: { requirement: RequirementResult; checks: readonly Evidence[] }) {
  const { id, says, section, source, verdict, level, reason } = requirement;
  const found = searchText([id, says, section, source, ...checks.flatMap(searchable)]);
  return (
    <details class="row" data-text={found} data-verdict={verdict} data-level={level}>
      <summary id={id}>
        <Badge state={verdict} />
        <span class="subject">
          <code class="id">{id}</code>
          <span class="says">{visibleText(says)}</span>
        </span>
        <span class="aside">{evidenceText(requirement)}</span>
      </summary>
      <template>
        <p class="muted">
          {level === 'gap' ? 'Left open by the specification: ' : ''}
          {visibleText(section)}, {visibleText(source)}
        </p>
        {reason !== undefined && checks.every(({ check }) => check.reason !== reason) && (
          <p>
            <strong>Why:</strong> {visibleText(reason)}
          </p>
        )}
        <Checks checks={checks} />
      </template>
    </details>
  );
}

function evidenceText({ violations, observations, gaps }: RequirementResult): string {
  if (violations.length > 0) return counted(violations.length, 'failure');
  const seen = Math.max(observations, gaps.length);
  return seen > 0 ? counted(seen, 'observation') : '';
}

function searchable({ scenario, step }: Evidence): string[] {
  return [scenario.id, scenario.title, step.exchange?.request.path ?? ''];
}

function Checks({ checks }: { checks: readonly Evidence[] }) {
  const passing = checks.filter(({ check }) => check.state === 'passed');
  const others = checks.filter(({ check }) => check.state !== 'passed');
  const hidden = passing.length - passingShown;
  if (checks.length === 0) return <p>No check of this requirement ran.</p>;
  return (
    <>
      <ul class="evidence">
        {[...others, ...passing.slice(0, passingShown)].map((evidence) => (
          <li key={`${stepAnchor(evidence)}:${evidence.checkNumber}`}>
            <div class="where">
              <Badge state={shownState(evidence.check)} />
              <a href={`#${stepAnchor(evidence)}`}>
                {evidence.scenario.title}, step {evidence.stepNumber}
              </a>
              <code class="muted">{placeText(evidence.check)}</code>
            </div>
            <CheckView check={evidence.check} />
          </li>
        ))}
      </ul>
      {hidden > 0 && <p class="muted">And {counted(hidden, 'more check')} that passed.</p>}
    </>
  );
}
