/** @jsxRuntime automatic @jsxImportSource preact */
import type { Exchange, RunResult, ScenarioResult } from '../../scenarios/words.ts';
import { scenarioAnchor } from '../facts/evidence.ts';
import { counted, durationText, visibleText } from '../facts/wording.ts';

/** How many of the slowest are shown. */
const mostShown = 25;
/** Upper bounds of the groups of request durations, in milliseconds. */
const bounds = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, Number.POSITIVE_INFINITY];

/** How long requests and scenarios took, as the harness measured it: a hint, never a verdict. */
export function TimingPanel({ result }: { result: RunResult }) {
  const exchanges = result.scenarios.flatMap(({ steps }) => steps.flatMap(({ exchange }) => exchange ?? []));
  const slowest = result.scenarios.toSorted((a, b) => b.took - a.took).slice(0, mostShown);
  return (
    <>
      <p class="muted">
        As the harness saw it, with what else its machine was doing. Nothing in this view is a verdict.
      </p>
      <section>
        <h3>Requests</h3>
        <Durations exchanges={exchanges} />
      </section>
      <section>
        <h3>Slowest scenarios</h3>
        <ol class="bars">
          {slowest.map((scenario) => (
            <Bar key={scenario.id} scenario={scenario} longest={slowest[0]?.took ?? 1} />
          ))}
        </ol>
      </section>
    </>
  );
}

function Durations({ exchanges }: { exchanges: readonly Exchange[] }) {
  const sorted = exchanges.map(({ took }) => took).sort((a, b) => a - b);
  const quantile = (share: number) => durationText(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  const groups = bounds.map((end, index) => {
    const start = bounds[index - 1] ?? 0;
    return { start, end, count: sorted.filter((took) => took >= start && took < end).length };
  });
  const largest = Math.max(1, ...groups.map(({ count }) => count));
  return (
    <>
      <p>
        {counted(sorted.length, 'request')}: half of them within {quantile(0.5)}, 95 % within {quantile(0.95)}, the
        slowest {quantile(1)}.
      </p>
      <ol class="bars">
        {groups
          .filter(({ count }) => count > 0)
          .map(({ start, end, count }) => (
            <li key={start}>
              <span class="bar-name">
                {Number.isFinite(end) ? `under ${durationText(end)}` : `${durationText(start)} and more`}
              </span>
              <meter min={0} max={largest} value={count} aria-hidden="true" />
              <span class="bar-value">{count.toLocaleString('en')}</span>
            </li>
          ))}
      </ol>
    </>
  );
}

function Bar({ scenario, longest }: { scenario: ScenarioResult; longest: number }) {
  const { id, title, took } = scenario;
  return (
    <li>
      <a class="bar-name" href={`#${scenarioAnchor(id)}`}>
        {visibleText(title)}
      </a>
      <meter min={0} max={longest} value={took} aria-hidden="true" />
      <span class="bar-value">{durationText(took)}</span>
    </li>
  );
}
