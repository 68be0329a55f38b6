/** The state of the CSEs, shown until something is chosen. */
import { Badge } from '../../web/parts.tsx';
import type { MessageSummary } from '../traffic.ts';
import { counted, timeOfDay, toneOf } from './labels.ts';
import { Attributes } from './parts.tsx';
import type { Overview } from './requests.ts';
import { attempt, mostMessages, readDeviations, readHeld, showMessage, state } from './state.ts';
import { clock } from './time.ts';
import { hasFailed } from './traffic.tsx';

/** Latest failures that are listed. */
const listed = 8;

export function OverviewPanel() {
  return (
    <>
      {state.cses.map((cse) => (
        <CseView key={cse.cseId} cse={cse} />
      ))}
      <p>{clock.running ? 'The clock runs.' : 'The clock is paused: nothing expires, and no device pushes.'}</p>
      <Failures all={[...state.messages.values()].filter(hasFailed)} />
    </>
  );
}

function Failures({ all }: { all: readonly MessageSummary[] }) {
  return (
    <>
      <h4>
        Latest failures{' '}
        <span class="muted">
          {all.length} of {counted(state.messages.size, 'message')}
        </span>
      </h4>
      {all.length === 0 && <p class="muted">None of the latest {counted(mostMessages, 'message')} has failed.</p>}
      <ul class="held">
        {all
          .slice(-listed)
          .reverse()
          .map((one) => (
            <li key={one.id}>
              <time>{timeOfDay(one.at).slice(0, 8)}</time>
              <Badge tone={toneOf(one)}>{one.status ?? 'no answer'}</Badge>
              <button type="button" class="plain" onClick={() => attempt(() => showMessage(one.id))}>
                {one.method} {one.target}
              </button>
            </li>
          ))}
      </ul>
    </>
  );
}

function CseView({ cse }: { cse: Overview }) {
  const { cseId, role, imitates, points, dialect, deviations, rules } = cse;
  const [address = 'no port', ...others] = points;
  const facts = [
    ['Address', `${address} (${imitates === undefined ? dialect : `${dialect}, as ${imitates}`})`],
    ['Also at', others.join(', ')],
    ['Resources', (state.resources[cseId] ?? 0).toLocaleString('en')],
    ['Deviations', deviations.join(', ')],
    ['Disturbances', rules.length === 0 ? '' : counted(rules.length, 'rule')],
  ] as const;
  const configure = (): void => {
    state.cse = cseId;
    showInstallation();
  };
  return (
    <section class="card" aria-label={cseId}>
      <header>
        <h3>{cseId}</h3> <span class="muted">{role}</span>
        <span class="spring" />
        <button type="button" class="plain" onClick={configure}>
          Configure {cseId}
        </button>
      </header>
      <Registrations of={cse} />
      <Attributes of={facts.filter(([, value]) => value !== '')} />
    </section>
  );
}

export function showInstallation(): void {
  state.panel = 'installation';
  attempt(async () => {
    await readDeviations();
    await readHeld();
  });
}

export function Registrations({ of }: { of: Overview }) {
  return (
    <>
      {of.registrations.map(({ remote, registered, problem }) => (
        <p key={remote}>
          <Badge tone={registered ? 'good' : 'bad'}>
            {registered ? 'registered' : 'not registered'} at {remote}
          </Badge>{' '}
          {!registered && problem}
        </p>
      ))}
    </>
  );
}
