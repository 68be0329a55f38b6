/** @jsxRuntime automatic @jsxImportSource preact */
import type { ScenarioState, Verdict } from '../../scenarios/index.ts';
import type { ReasonGroup } from '../not-tested.ts';
import { visibleText } from '../visible-text.ts';
import { counted } from '../wording.ts';
import { scenarioAnchor, searchText } from './anchor.ts';
import { Badge } from './badge.tsx';

/** The verdict by which a scenario's state is filtered. */
function verdictOf(state: Verdict | ScenarioState): string {
  if (state === 'fault') return 'harness fault';
  return state === 'blocked' || state === 'interrupted' ? 'not testable' : state;
}

/** What gave no verdict, grouped by the reason. */
export function UnjudgedPanel({ groups }: { groups: readonly ReasonGroup[] }) {
  return (
    <>
      {groups.map((group) => (
        <article
          key={`${group.of} ${group.state} ${group.reason}`}
          class="unjudged"
          data-text={searchText([group.reason, group.state, ...group.ids])}
          data-verdict={verdictOf(group.state)}
          data-level="documented gap standard"
        >
          <header>
            <Badge state={group.state} />
            <h3>{visibleText(group.reason)}</h3>
            <span class="muted">{counted(group.ids.length, group.of)}</span>
          </header>
          <ul class="ids">
            {group.ids.map((id) => (
              <li key={id}>
                <a href={`#${group.of === 'scenario' ? scenarioAnchor(id) : id}`}>{id}</a>
              </li>
            ))}
          </ul>
        </article>
      ))}
    </>
  );
}
