/** @jsxRuntime automatic @jsxImportSource preact */
import type { CheckResult } from '../../scenarios/index.ts';
import { excuseText } from '../excuse.ts';
import { visibleText } from '../visible-text.ts';
import { shownState } from '../wording.ts';

/** What a check expected and what the target did, or why that could not be told. */
export function CheckView({ check }: { check: CheckResult }) {
  return (
    <dl class="check">
      <dt>{check.level === 'gap' ? 'reference' : 'expected'}</dt>
      <dd>
        {check.expected.map((outcome, index) => (
          <div key={outcome}>
            {index > 0 && <span class="muted">or </span>}
            {visibleText(outcome)}
          </div>
        ))}
      </dd>
      <dt>actual</dt>
      <dd class={shownState(check) === 'failed' ? 'actual-bad' : ''}>
        {visibleText(check.actual)}
        {check.variant !== undefined && <span class="muted"> ({visibleText(check.variant)})</span>}
      </dd>
      {check.intermittent === true && (
        <>
          <dt>again</dt>
          <dd>It passed as the scenario ran once more, alone.</dd>
        </>
      )}
      {check.known !== undefined && (
        <>
          <dt>known</dt>
          <dd>{visibleText(excuseText(check.known))}</dd>
        </>
      )}
      {check.reason !== undefined && (
        <>
          <dt>why</dt>
          <dd>{visibleText(check.reason)}</dd>
        </>
      )}
    </dl>
  );
}
