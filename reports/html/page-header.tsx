/** @jsxRuntime automatic @jsxImportSource preact */
import type { RunResult, Verdict } from '../../scenarios/index.ts';
import { surveyWarnings } from '../survey-text.ts';
import { visibleText } from '../visible-text.ts';
import {
  checkedText,
  countsText,
  durationText,
  installationsText,
  targetText,
  verdictLine,
  verdictOrder,
  verdictTone,
} from '../wording.ts';
import { Eyebrow, Fact } from './page-parts.tsx';
import { toneOf } from './tone-of.ts';

/** The verdict in one line, and what was tested, when and how. */
export function PageHeader({ result }: { result: RunResult }) {
  const { tool, target, exit, summary, specification } = result;
  // Of a long reason the first part is the headline; what follows a colon are the ids that it is about.
  const [verdict, ...rest] = headline(verdictLine(result));
  return (
    <header class={`page-header ${verdictTone(result)}`}>
      <Eyebrow>
        {tool.name} {tool.version}, conformance report
      </Eyebrow>
      {surveyWarnings(result.survey ?? {}).map((sentence) => (
        <p key={sentence}>
          <strong>{visibleText(sentence)}</strong>
        </p>
      ))}
      <h1>{visibleText(verdict)}</h1>
      {rest.length > 0 && <p>{visibleText(rest.join(': '))}</p>}
      <p class="specification">{visibleText(specification)}</p>
      <dl class="facts">
        <Fact name="Target" value={targetText(result)} />
        {target.product !== undefined && (
          <Fact name="Product" value={[target.product, target.version].filter(Boolean).join(' ')} />
        )}
        <Fact name="CSE" value={`${target.cseId} of ${target.spId}, base ${target.base}`} />
        <Fact name="Started" value={`${result.startedAt.slice(0, 19).replace('T', ' ')} UTC`} />
        <Fact name="Took" value={`${durationText(result.took)}, ${summary.requests.toLocaleString('en')} requests`} />
        <Fact name="Run" value={result.run} />
        <Fact name="Exit code" value={String(exit.code)} />
        <Fact name="Checked" value={checkedText(result)} />
        {installationsText(result) !== '' && (
          <div class="wide">
            <dt>Installations</dt>
            {installationsText(result)
              .split(', ')
              .map((one) => (
                <dd key={one}>{visibleText(one)}</dd>
              ))}
          </div>
        )}
      </dl>
      <Proportions verdicts={summary.verdicts} />
    </header>
  );
}

function headline(line: string): [string, ...string[]] {
  const [word = '', reason = '', ...rest] = line.split(': ');
  return [reason === '' ? word : `${word}: ${reason}`, ...rest];
}

/** The verdicts as one bar; the filter buttons below it are its legend. */
function Proportions({ verdicts }: { verdicts: Readonly<Record<Verdict, number>> }) {
  const total = verdictOrder.reduce((sum, verdict) => sum + verdicts[verdict], 0);
  if (total === 0) return null;
  let start = 0;
  const parts = verdictOrder.map((verdict) => {
    const part = { verdict, x: (start / total) * 100, width: (verdicts[verdict] / total) * 100 };
    start += verdicts[verdict];
    return part;
  });
  return (
    <svg class="proportions" role="img" aria-label={`Requirements: ${countsText(verdictOrder, verdicts)}`}>
      {parts.map(({ verdict, x, width }) => (
        <rect key={verdict} class={toneOf(verdict)} x={`${x}%`} width={`${width}%`} height="100%">
          <title>{`${verdicts[verdict]} ${verdict}`}</title>
        </rect>
      ))}
    </svg>
  );
}
