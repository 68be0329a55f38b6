/** @jsxRuntime automatic @jsxImportSource preact */
import type { GapObservation, RequirementResult } from '../../scenarios/index.ts';
import { visibleText } from '../visible-text.ts';
import { scenarioAnchor, searchText } from './anchor.ts';

/** What the specification leaves open, and what this target does. */
export function GapsPanel({ requirements }: { requirements: readonly RequirementResult[] }) {
  return (
    <>
      <p class="muted">
        The specification does not say what happens here, so nothing in this table is a failure. It is what an
        application would have to expect of this target.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Left open</th>
            <th scope="col">What this target does</th>
            <th scope="col">Reference CSE</th>
            <th scope="col">Seen in</th>
          </tr>
        </thead>
        {requirements.map((requirement) => (
          <Rows key={requirement.id} requirement={requirement} />
        ))}
      </table>
    </>
  );
}

function Rows({ requirement }: { requirement: RequirementResult }) {
  const { id, says, section, source, level, verdict, gaps } = requirement;
  const found = searchText([id, says, section, ...gaps.flatMap((gap) => [gap.actual, gap.scenario])]);
  return (
    <tbody data-text={found} data-verdict={verdict} data-level={level}>
      {gaps.map((gap, index) => (
        <tr key={`${gap.scenario}:${gap.step}:${gap.check}`}>
          {index === 0 && (
            <th scope="rowgroup" rowSpan={gaps.length}>
              <a href={`#${id}`}>
                <code>{id}</code>
              </a>
              <div class="says">{visibleText(says)}</div>
              <div class="muted">
                {visibleText(section)}, {visibleText(source)}
              </div>
            </th>
          )}
          <Observation gap={gap} />
        </tr>
      ))}
    </tbody>
  );
}

function Observation({ gap }: { gap: GapObservation }) {
  return (
    <>
      <td data-label="This target">
        {visibleText(gap.actual)}
        {gap.variant !== undefined && <span class="muted"> ({visibleText(gap.variant)})</span>}
      </td>
      <td data-label="Reference CSE">{gap.asReference ? '= the same' : '≠ otherwise'}</td>
      <td data-label="Seen in">
        <a href={`#${scenarioAnchor(gap.scenario)}:${gap.step + 1}`}>{gap.scenario}</a>
      </td>
    </>
  );
}
