/** @jsxRuntime automatic @jsxImportSource preact */
import type { RequirementResult } from '../../scenarios/index.ts';
import { type GapFact, gapFacts } from '../gap-facts.ts';
import { visibleText } from '../visible-text.ts';
import { counted } from '../wording.ts';
import { scenarioAnchor, searchText } from './anchor.ts';

/** What the specification leaves open, and what this target does; differences from the reference CSE come first. */
export function GapsPanel({ requirements }: { requirements: readonly RequirementResult[] }) {
  const isDifferent = ({ gaps }: RequirementResult) => gaps.some(({ asReference }) => !asReference);
  const different = requirements.filter(isDifferent);
  const same = requirements.filter((requirement) => !isDifferent(requirement));
  return (
    <>
      <p class="muted">
        The specification does not say what happens here, so nothing in this table is a failure. It tells an application
        what to expect of this target. In {counted(different.length, 'case')} of {requirements.length} the target
        differs from the reference CSE{different.length > 0 && '; these come first'}.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Left open; the reference CSE decides so</th>
            <th scope="col">This target</th>
            <th scope="col">Compared</th>
            <th scope="col">Seen in</th>
          </tr>
        </thead>
        {[...different, ...same].map((requirement) => (
          <Rows key={requirement.id} requirement={requirement} />
        ))}
      </table>
    </>
  );
}

function Rows({ requirement }: { requirement: RequirementResult }) {
  const { id, says, section, source, level, verdict, gaps } = requirement;
  const facts = gapFacts(gaps);
  const found = searchText([id, says, section, ...gaps.flatMap((gap) => [gap.actual, gap.scenario])]);
  return (
    <tbody data-text={found} data-verdict={verdict} data-level={level}>
      {facts.map((fact, index) => (
        <tr key={fact.actual}>
          {index === 0 && (
            <th scope="rowgroup" rowSpan={facts.length}>
              <a href={`#${id}`}>
                <code>{id}</code>
              </a>
              <div class="says">{visibleText(says)}</div>
              <div class="muted">
                {visibleText(section)}, {visibleText(source)}
              </div>
            </th>
          )}
          <Fact fact={fact} />
        </tr>
      ))}
    </tbody>
  );
}

function Fact({ fact }: { fact: GapFact }) {
  return (
    <>
      <td data-label="This target">
        {visibleText(fact.actual)}
        {fact.variant !== undefined && <span class="muted"> ({visibleText(fact.variant)})</span>}
      </td>
      <td data-label="Compared with the reference CSE">{fact.asReference ? '= the same' : '≠ otherwise'}</td>
      <td data-label="Seen in">
        {fact.seen.map(({ scenario, step, check }) => (
          <div key={`${scenario}:${step}:${check}`}>
            <a href={`#${scenarioAnchor(scenario)}:${step + 1}`}>{scenario}</a>
          </div>
        ))}
      </td>
    </>
  );
}
