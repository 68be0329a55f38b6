/** @jsxRuntime automatic @jsxImportSource preact */
import type { KillRow, KillVerdict, Violation } from '../../scenarios/index.ts';
import { visibleText } from '../visible-text.ts';
import { counted, durationText } from '../wording.ts';
import { killMarks } from './mutants-words.ts';
import { type VerdictLook, VerdictRow } from './verdict-parts.tsx';

const tones: Readonly<Record<KillVerdict, string>> = {
  named: 'good',
  killed: 'open',
  equivalent: 'good',
  'not killed': 'bad',
  'not judged': 'fault',
};

export const look: VerdictLook<KillVerdict> = {
  mark: (verdict) => killMarks[verdict],
  tone: (verdict) => tones[verdict],
};

/** So many requirements found violated are shown in full; of a fault that breaks everything there are hundreds. */
const shownViolations = 20;

/** Faults by the area of what they break. `anchors`: links lead to these rows. */
export function FaultsPanel({ rows, anchors }: { rows: readonly KillRow[]; anchors: boolean }) {
  const areas = [...new Set(rows.map(areaOf))];
  return (
    <>
      {areas.map((area) => (
        <section key={area} data-group>
          <h3>{area}</h3>
          {rows
            .filter((row) => areaOf(row) === area)
            .map((row) => (
              <FaultView key={row.fault.id} row={row} {...(anchors && { anchor: row.fault.id })} />
            ))}
        </section>
      ))}
    </>
  );
}

/** `std.group` of `std.group.fan-out.status`, `ae` of `ae.create.status`. */
function areaOf({ fault: { violates } }: KillRow): string {
  const [first = '', second = ''] = violates.split('.');
  return first === 'std' ? `${first}.${second}` : first;
}

function FaultView({ row, ...anchored }: { row: KillRow; anchor?: string }) {
  const { fault, verdict, level, noise, violations, took } = row;
  const shown = violations.slice(0, shownViolations);
  const found = shown.flatMap(({ requirement, scenario, actual }) => [requirement, scenario, actual]);
  const isNoisy = noise.length > 0;
  return (
    <VerdictRow
      {...{ verdict, look, level, id: fault.id, says: fault.says, ...anchored }}
      texts={[fault.id, fault.says, fault.violates, isNoisy ? 'noisy' : '', ...found]}
      aside={isNoisy ? '≈ noisy' : durationText(took)}
    >
      <FaultDetails row={row} />
    </VerdictRow>
  );
}

function FaultDetails({ row }: { row: KillRow }) {
  const { fault, verdict, violations, noise, reason, scenarios, possible, dialect, took } = row;
  return (
    <>
      <p class="muted">
        Breaks <code>{fault.violates}</code>
        {fault.also !== undefined && <> and, as it cannot help, {fault.also.join(', ')}</>}. {scenarios} of{' '}
        {counted(possible, 'scenario')} of the dialect {dialect} were run, in {durationText(took)}.
      </p>
      {reason !== undefined && (
        <p>
          <strong>But:</strong> {visibleText(reason)}
        </p>
      )}
      {verdict === 'equivalent' && (
        <p>
          <strong>Nobody can see it:</strong> {visibleText(fault.equivalent ?? '')}
        </p>
      )}
      {violations.length === 0 && <p>No requirement was found violated.</p>}
      <ViolationList violations={violations} noise={noise} noun="noise" />
    </>
  );
}

interface Violations {
  readonly violations: readonly Violation[];
  /** Requirements that are marked, and as what. */
  readonly noise: readonly string[];
  readonly noun: string;
}

export function ViolationList({ violations, ...marked }: Violations) {
  const more = violations.length - shownViolations;
  return (
    <>
      <ul class="evidence">
        {violations.slice(0, shownViolations).map((violation) => (
          <ViolationView key={violation.requirement} violation={violation} {...marked} />
        ))}
      </ul>
      {more > 0 && <p class="muted">And {counted(more, 'more requirement')}.</p>}
    </>
  );
}

function ViolationView({ violation, noise, noun }: Omit<Violations, 'violations'> & { violation: Violation }) {
  const { requirement, scenario, expected, actual } = violation;
  return (
    <li>
      <div class="where">
        <code>{requirement}</code>
        {noise.includes(requirement) && <span class="badge open">≈ {noun}</span>}
        <code class="muted">{scenario}</code>
      </div>
      <dl class="check">
        <dt>Expected</dt>
        <dd>{visibleText(expected.join(' – or – '))}</dd>
        <dt>Actual</dt>
        <dd class="actual-bad">{visibleText(actual)}</dd>
      </dl>
    </li>
  );
}
