/** @jsxRuntime automatic @jsxImportSource preact */
import type { RunResult } from '../../scenarios/index.ts';
import { type CauseFacts, causeFacts, newCauses } from '../cause-facts.ts';
import { circumstancesTold, unjudgedTold } from '../check/circumstances-told.ts';
import { causesTold, deathsTold, gapsTold, requirementsTold, scenariosTold } from '../check/run-told.ts';
import { Told } from '../document/html.tsx';
import { indexEvidence } from '../evidence.ts';
import { reasonGroups } from '../not-tested.ts';
import { marks, verdictOrder } from '../wording.ts';
import { PageHeader } from './page-header.tsx';
import { LevelButtons, SearchBox, VerdictButtons } from './page-parts.tsx';
import { TimingPanel } from './timing-panel.tsx';
import { toneOf } from './tone-of.ts';
import { type View, Views } from './views.tsx';

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
  const causes = causeFacts(result);
  const failing = (key: string, title: string, own: readonly CauseFacts[]): View => ({
    ...{ key, title, count: own.length },
    content: <Told content={causesTold(own, result)} />,
  });
  const known = causes.filter(({ cause }) => cause.known === true && cause.verdict !== 'advisory');
  const advisory = causes.filter(({ cause }) => cause.verdict === 'advisory');
  const gaps = requirements.filter((requirement) => requirement.gaps.length > 0);
  const groups = reasonGroups(result);
  const deaths = deathsTold(result);
  return [
    { key: 'deaths', title: 'Died', count: deaths.length, content: <Told content={deaths} /> },
    failing('violated', 'Violated', newCauses(causes, 'violated')),
    failing('intermittent', 'Intermittent', newCauses(causes, 'intermittent')),
    failing('known', 'Known', known),
    {
      key: 'sections',
      title: 'By section',
      count: requirements.length,
      content: <Told content={requirementsTold(requirements, evidence)} />,
    },
    {
      key: 'scenarios',
      title: 'By scenario',
      count: scenarios.length,
      content: <Told content={scenariosTold(result)} />,
    },
    failing('advisory', 'Advisory', advisory),
    { key: 'gaps', title: 'Left open', count: gaps.length, content: <Told content={gapsTold(result)} /> },
    { key: 'unjudged', title: 'Not tested', count: groups.length, content: <Told content={unjudgedTold(groups)} /> },
    { key: 'timing', title: 'Timing', count: scenarios.length, plain: true, content: <TimingPanel result={result} /> },
    { key: 'run', title: 'This run', count: 1, plain: true, content: <Told content={circumstancesTold(result)} /> },
  ];
}

/** Search box and the buttons that narrow every view. */
function Filters({ result: { summary, requirements } }: { result: RunResult }) {
  return (
    <search class="filters">
      <SearchBox label="Search requirements, scenarios and paths" hint="Search ids, sentences, paths" />
      <VerdictButtons
        counts={verdictOrder.map((name) => ({
          ...{ name, mark: marks[name], tone: toneOf(name), count: summary.verdicts[name] },
        }))}
      />
      <LevelButtons levels={requirements.map(({ level }) => level)} />
    </search>
  );
}
