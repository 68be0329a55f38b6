/** @jsxRuntime automatic @jsxImportSource preact */
import type { RunResult, Verdict } from '../../scenarios/index.ts';
import { deathFacts } from '../death-facts.ts';
import { indexEvidence } from '../evidence.ts';
import { reasonGroups } from '../not-tested.ts';
import { DeathsPanel } from './deaths-panel.tsx';
import { Filters } from './filters.tsx';
import { GapsPanel } from './gaps-panel.tsx';
import { PageHeader } from './page-header.tsx';
import { RequirementsPanel } from './requirements-panel.tsx';
import { RunPanel } from './run-panel.tsx';
import { ScenariosPanel } from './scenarios-panel.tsx';
import { TimingPanel } from './timing-panel.tsx';
import { UnjudgedPanel } from './unjudged-panel.tsx';
import { type View, Views } from './views.tsx';
import { ViolationsPanel } from './violations-panel.tsx';

/** The body of the report. Views without content are left out; the first one is shown. */
export function ReportPage({ result }: { result: RunResult }) {
  return (
    <>
      <PageHeader result={result} />
      <main>
        <Filters result={result} />
        <Views views={viewsOf(result)} />
        {result.scenarios.length === 0 && <p>Nothing ran.</p>}
      </main>
    </>
  );
}

function viewsOf(result: RunResult): View[] {
  const { requirements, scenarios } = result;
  const evidence = indexEvidence(result);
  const having = (verdict: Verdict, known = false) =>
    requirements.filter((one) => one.verdict === verdict && (one.known === true) === known);
  const violated = having('violated');
  const intermittent = having('intermittent');
  const known = [...having('violated', true), ...having('intermittent', true)];
  const advisory = requirements.filter(({ verdict }) => verdict === 'advisory');
  const gaps = requirements.filter((requirement) => requirement.gaps.length > 0);
  const groups = reasonGroups(result);
  const levels = new Map(requirements.map(({ id, level }) => [id, level]));
  const deaths = deathFacts(result);
  return [
    { key: 'deaths', title: 'Died', count: deaths.length, content: <DeathsPanel deaths={deaths} /> },
    {
      key: 'violated',
      title: 'Violated',
      count: violated.length,
      content: <ViolationsPanel requirements={violated} evidence={evidence} result={result} />,
    },
    {
      key: 'intermittent',
      title: 'Intermittent',
      count: intermittent.length,
      content: <ViolationsPanel requirements={intermittent} evidence={evidence} result={result} />,
    },
    {
      key: 'known',
      title: 'Known',
      count: known.length,
      content: <ViolationsPanel requirements={known} evidence={evidence} result={result} />,
    },
    {
      key: 'sections',
      title: 'By section',
      count: requirements.length,
      content: <RequirementsPanel requirements={requirements} evidence={evidence} />,
    },
    {
      key: 'scenarios',
      title: 'By scenario',
      count: scenarios.length,
      content: <ScenariosPanel result={result} levels={levels} />,
    },
    {
      key: 'advisory',
      title: 'Advisory',
      count: advisory.length,
      content: <ViolationsPanel requirements={advisory} evidence={evidence} result={result} />,
    },
    { key: 'gaps', title: 'Left open', count: gaps.length, content: <GapsPanel requirements={gaps} /> },
    { key: 'unjudged', title: 'Not tested', count: groups.length, content: <UnjudgedPanel groups={groups} /> },
    { key: 'timing', title: 'Timing', count: scenarios.length, plain: true, content: <TimingPanel result={result} /> },
    { key: 'run', title: 'This run', count: 1, plain: true, content: <RunPanel result={result} /> },
  ];
}
