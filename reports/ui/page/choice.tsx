/** The scenarios: which are listed, their states, which are marked. */
import { redraw } from '../../../sim/web/page/frames.ts';
import { Badge } from '../../../sim/web/parts.tsx';
import { attempt, causes, go, type ListedState, listed, put, run, state } from './state.ts';

const stateFilters: readonly ListedState[] = ['all', 'failed', 'passed', 'not run'];

/** The scenarios, by the folders of their ids. */
export function Choice() {
  const folders = new Map<string, ReturnType<typeof listed>>();
  for (const one of listed()) {
    const folder = one.id.split('/').slice(0, -1).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), one]);
  }
  const isNarrowed = state.search !== '' || state.stateFilter !== 'all' || state.cause !== '';
  return (
    <section class="choice" aria-label="Scenarios">
      <div class="narrow">
        <label>
          <span>Search</span>
          <input
            type="search"
            value={state.search}
            placeholder="id, title or requirement"
            onInput={({ currentTarget }) => put({ search: currentTarget.value })}
          />
        </label>
        <label>
          <span>State</span>
          <select
            value={state.stateFilter}
            onChange={({ currentTarget }) => put({ stateFilter: currentTarget.value as ListedState })}
          >
            {stateFilters.map((filter) => (
              <option key={filter}>{filter}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Cause</span>
          <select value={state.cause} onChange={({ currentTarget }) => put({ cause: currentTarget.value })}>
            <option value="">any</option>
            {causes().map(({ id, scenarios }) => (
              <option key={id} value={id}>
                {id} ({scenarios.length})
              </option>
            ))}
          </select>
        </label>
      </div>
      {[...folders].map(([folder, own]) => (
        <Folder key={folder} {...{ folder, own }} isOpen={isNarrowed || folders.size < 4} />
      ))}
    </section>
  );
}

function Folder({ folder, own, isOpen }: { folder: string; own: ReturnType<typeof listed>; isOpen: boolean }) {
  const failed = own.filter(({ id }) => state.states.get(id) === 'failed').length;
  const hasSelected = own.some(({ id }) => id === state.scenario);
  return (
    <details open={isOpen || failed > 0 || hasSelected}>
      <summary>
        {folder} <span class="muted">{own.length}</span>
        {failed > 0 && (
          <Badge tone="bad" mark="✗">
            {failed}
          </Badge>
        )}
      </summary>
      <ul>
        {own.map((one) => (
          <Row key={one.id} {...one} />
        ))}
      </ul>
    </details>
  );
}

const marks = new Map([
  ['passed', { tone: 'good', sign: '✓' }],
  ['failed', { tone: 'bad', sign: '✗' }],
  ['blocked', { tone: 'open', sign: '!' }],
]);

function Row({ id, title, without }: ReturnType<typeof listed>[number]) {
  const own = state.states.get(id);
  const { tone = 'quiet', sign = '·' } = marks.get(own ?? '') ?? {};
  const mark = () => {
    if (!state.marked.delete(id)) state.marked.add(id);
    redraw();
  };
  return (
    <li>
      <input type="checkbox" aria-label={`Mark ${id}`} checked={state.marked.has(id)} onChange={mark} />
      <Badge tone={tone}>
        {sign}
        <span class="visually-hidden">{own ?? 'not run'}</span>
      </Badge>
      <button
        type="button"
        class="plain"
        title={without ?? title}
        aria-current={id === state.scenario ? 'true' : undefined}
        onClick={() => go({ scenario: id })}
      >
        {id.split('/').at(-1)}
      </button>
      <button type="button" class="small" aria-label={`Run ${id}`} onClick={() => attempt(() => run([id]))}>
        ▶
      </button>
    </li>
  );
}
