/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { RunResult } from '../../scenarios/index.ts';
import { surveySentence } from '../survey-text.ts';
import { visibleText } from '../visible-text.ts';
import { counted } from '../wording.ts';

/** What was taken for granted, claimed, excused and left behind: the circumstances of the verdict. */
export function RunPanel({ result }: { result: RunResult }) {
  const { assumed = [], notes = [], statement = [], survey, baseline } = result;
  return (
    <>
      <Part title="Judged by">
        <p>{visibleText(judgedBy(result))}</p>
      </Part>
      {assumed.length > 0 && (
        <Part title="Assumed of the target">
          <Sentences list={assumed} />
        </Part>
      )}
      {notes.length > 0 && (
        <Part title="Worth knowing">
          <Sentences list={notes} />
        </Part>
      )}
      {survey !== undefined && (
        <Part title="What the target held before and after">
          <p>{visibleText(surveySentence(survey))}</p>
        </Part>
      )}
      {baseline !== undefined && (
        <Part title="Baseline">
          <p>
            <code>{visibleText(baseline.file)}</code> excuses {counted(baseline.known, 'failed check')}.
          </p>
          <Sentences list={baseline.problems.map(({ kind, says }) => `${kind}: ${says}`)} />
        </Part>
      )}
      {statement.length > 0 && (
        <Part title="Implementation conformance statement">
          <table class="statement">
            <thead>
              <tr>
                <th scope="col">Feature</th>
                <th scope="col">Claimed</th>
              </tr>
            </thead>
            <tbody>
              {statement.map(({ id, name, claim }) => (
                <tr key={id}>
                  <th scope="row">
                    {visibleText(name)} <code class="muted">{id}</code>
                  </th>
                  <td data-label="Claimed">{claim}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Sentences({ list }: { list: readonly string[] }) {
  return (
    <ul class="sentences">
      {list.map((sentence) => (
        <li key={sentence}>{visibleText(sentence)}</li>
      ))}
    </ul>
  );
}

function judgedBy({ strictness, shard, specification }: RunResult): string {
  const { level, failOn, minEvidence } = strictness;
  const strict = level === 'standard' ? ', with what the standard demands' : '';
  const red = failOn.length === 0 ? 'Nothing makes it red' : `Red for ${failOn.join(', ')}`;
  const evidence = minEvidence > 1 ? `; satisfied from ${minEvidence} passed checks on` : '';
  const part = shard === undefined ? '' : ` This is part ${shard.index} of ${shard.count} of the plan.`;
  return `${specification}${strict}. ${red}${evidence}.${part}`;
}
