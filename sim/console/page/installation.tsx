/** One CSE as it is installed: registrations, subscriptions, disturbances and deviations. */
import { Disturbances } from './disturbances.tsx';
import { counted, searchWords, typeName } from './labels.ts';
import { Registrations } from './overview.tsx';
import { Field, Labelled, Switch } from './parts.tsx';
import { act, type Overview } from './requests.ts';
import { attempt, readHeld, readOverview, select, state } from './state.ts';

export function InstallationPanel() {
  const cse = state.cses.find(({ cseId }) => cseId === state.cse);
  if (cse === undefined) return <p class="empty">No CSE is running.</p>;
  const { role, imitates, points } = cse;
  return (
    <>
      {state.cses.length > 1 && <Chooser />}
      <p>
        {imitates === undefined ? role : `${role}, ${imitates}`} at <code>{points.join(', ') || 'no port'}</code>
      </p>
      <Registrations of={cse} />
      <HeldList
        title="Registered here"
        name="registrations"
        advice="No application and no CSE is registered. Create an application below the CSE base."
      />
      <HeldList
        title="Subscriptions"
        name="subscriptions"
        advice="There is no subscription. Create one below a container."
      />
      <Disturbances of={cse} />
      <DeviationList on={cse.deviations} />
    </>
  );
}

function Chooser() {
  const choose = (cse: string): void => {
    state.cse = cse;
    state.held = undefined;
    attempt(readHeld);
  };
  return (
    <Labelled name="CSE">
      <select id="cse" value={state.cse} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {state.cses.map(({ cseId }) => (
          <option key={cseId} value={cseId}>
            {cseId}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

type Named<Name> = { readonly title: string; readonly name: Name; readonly advice: string };

function HeldList({ title, name, advice }: Named<'registrations' | 'subscriptions'>) {
  const list = state.held?.cse === state.cse ? state.held[name] : [];
  return (
    <>
      <h3>
        {title} {list.length > 0 && <span class="muted">{list.length}</span>}
      </h3>
      {list.length === 0 && <p class="muted">{advice}</p>}
      <ul class="held">
        {list.map(({ id, path, type, says }) => (
          <li key={id}>
            <button type="button" class="plain" onClick={() => attempt(() => select(state.cse, id))}>
              /{path}
            </button>
            <span class="muted">{[typeName(type), ...says].join(', ')}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Deviations that are listed. */
const listed = 30;

/** Deviations of a CSE: switched on and off, found by words. */
function DeviationList({ on }: { on: Overview['deviations'] }) {
  const words = searchWords(state.deviationSearch);
  const text = ({ id, says }: (typeof state.deviations)[number]) => `${id} ${says}`.toLowerCase();
  const matching = state.deviations.filter((one) => words.every((word) => text(one).includes(word)));
  const off = words.length === 0 ? [] : matching.filter(({ id }) => !on.includes(id));
  const isOn = state.deviations.filter(({ id }) => on.includes(id));
  const found = `${counted(matching.length, 'deviation')} found${matching.length > listed ? `, ${listed} shown` : ''}`;
  return (
    <>
      <h3>
        Deviations <span class="muted">{state.deviations.length.toLocaleString('en')} can be switched on</span>
      </h3>
      <Field
        {...{ type: 'search', id: 'deviation-search', name: 'Find a deviation', value: state.deviationSearch }}
        placeholder="creation time, notification …"
        onText={searchFor}
      />
      <p class="muted" role="status">
        {words.length > 0 && found}
        {words.length + isOn.length === 0 && 'None is on. Find one by a word of its description.'}
      </p>
      {[...isOn, ...off.slice(0, listed)].map((one) => (
        <DeviationSwitch key={one.id} of={one} on={on} />
      ))}
    </>
  );
}

function searchFor(text: string): void {
  state.deviationSearch = text;
}

function DeviationSwitch({
  of: { id, says },
  on,
}: {
  of: (typeof state.deviations)[number];
  on: Overview['deviations'];
}) {
  return (
    <div class="deviation-row">
      <Switch name={id} isOn={on.includes(id)} onToggle={() => turn(id, on)} />
      <p class="muted">{says}</p>
    </div>
  );
}

function turn(id: string, on: Overview['deviations']): void {
  const ids = on.includes(id) ? on.filter((one) => one !== id) : [...on, id];
  attempt(async () => {
    await act('deviations', { cse: state.cse, ids });
    await readOverview();
  });
}
