/** @jsxRuntime automatic @jsxImportSource preact */
import type { RunResult } from '../../scenarios/index.ts';
import { marks, verdictOrder } from '../wording.ts';
import { toneOf } from './badge.tsx';
import { LevelButtons, SearchBox, VerdictButtons } from './page-parts.tsx';

/** Search box and the buttons that narrow every view. */
export function Filters({ result: { summary, requirements } }: { result: RunResult }) {
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
