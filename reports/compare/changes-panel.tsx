/** @jsxRuntime automatic @jsxImportSource preact */
import type { Evidence } from '../evidence.ts';
import { searchText } from '../html/anchor.ts';
import { visibleText } from '../visible-text.ts';
import { counted } from '../wording.ts';
import { type Change, type ChangeKind, type Changes, changeKinds } from './changes.ts';
import type { Column } from './columns.ts';
import { actualsOf, changeMarks, changeTitles } from './compare-words.ts';
import { EvidenceView } from './details-panel.tsx';

const tones: Readonly<Record<ChangeKind, string>> = {
  broken: 'bad',
  new: 'bad',
  'still failing': 'open',
  fixed: 'good',
  gone: 'quiet',
};

/** What became of each requirement that failed in one of two runs. */
export function ChangesPanel({ changes, columns }: { changes: Changes; columns: readonly Column[] }) {
  const [a = '', b = ''] = columns.map(({ letter, label }) => `${letter} ${label}`);
  return (
    <>
      {changeKinds.map((kind) => {
        const own = changes.changes.filter((change) => change.kind === kind);
        if (own.length === 0) return null;
        return (
          <section key={kind} data-group>
            <h3>{changeTitles[kind]}</h3>
            {own.map((change) => (
              <ChangeView key={change.requirement.id} change={change} before={a} after={b} />
            ))}
          </section>
        );
      })}
      {changes.lost.length > 0 && (
        <details>
          <summary>{counted(changes.lost.length, 'requirement')} kept before and not judged now</summary>
          <ul class="ids">
            {changes.lost.map(({ id }) => (
              <li key={id}>{id}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function ChangeView({ change, before, after }: { change: Change; before: string; after: string }) {
  const { kind, requirement, reason, otherwise } = change;
  const { id, says, section, source, level } = requirement;
  const found = searchText([id, says, section, kind, ...actualsOf(change.before), ...actualsOf(change.after)]);
  return (
    <article class={`violation ${tones[kind]}`} data-text={found} data-level={level}>
      <header>
        <span class={`badge ${tones[kind]}`}>
          <span aria-hidden="true">{changeMarks[kind]}</span> {kind}
        </span>
        <h3>{id}</h3>
      </header>
      <p class="says">{visibleText(says)}</p>
      <p class="muted">
        {visibleText(section)}, {visibleText(source)}
      </p>
      {otherwise && <p>It fails otherwise than before.</p>}
      {reason !== undefined && (
        <p>
          <strong>Not judged:</strong> {visibleText(reason)}
        </p>
      )}
      {(kind !== 'still failing' || otherwise) && <Side heading={before} evidence={change.before} />}
      <Side heading={after} evidence={change.after} />
    </article>
  );
}

function Side({ heading, evidence }: { heading: string; evidence: readonly Evidence[] }) {
  const [first, ...others] = evidence;
  if (first === undefined) return null;
  return (
    <section class="target">
      <h4>{visibleText(heading)}</h4>
      <EvidenceView evidence={first} />
      {others.length > 0 && <p class="muted">And at {counted(others.length, 'other place')}.</p>}
    </section>
  );
}
