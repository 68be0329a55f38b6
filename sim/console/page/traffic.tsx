/** The sequence picture: requests with their answers, the latest at the end. */

import { redraw } from '../../web/page/frames.ts';
import type { MessageSummary } from '../traffic.ts';
import { counted, searchWords } from './labels.ts';
import { List } from './list.tsx';
import { gapOf, messageRow, offsetOf, partiesOf } from './message-row.tsx';
import { Field, Switch } from './parts.tsx';
import { act } from './requests.ts';
import { attempt, mostMessages, readMessages, showMessage, state } from './state.ts';

export function TrafficPane() {
  const all = [...state.messages.values()];
  const others = all.filter((one) => !isHeartbeat(one));
  const known = state.filter.heartbeats ? all : others;
  const visible = filtered(known);
  return (
    <section class="pane traffic-pane" aria-labelledby="traffic-title">
      <Head shown={visible.length} known={known.length} heartbeats={all.length - others.length} />
      {visible.length > 0 ? <Picture messages={visible} /> : <Empty isFiltered={known.length > 0} />}
    </section>
  );
}

function Head({ shown, known, heartbeats }: Readonly<Record<'shown' | 'known' | 'heartbeats', number>>) {
  const { skipped, holding } = state;
  const few = shown === known ? counted(known, 'message') : `${shown} of ${counted(known, 'message')}`;
  const left = skipped === 0 ? '' : `, ${counted(skipped, 'more', 'more')} skipped`;
  return (
    <header class="pane-head">
      <h2 id="traffic-title">Traffic</h2>
      <span class="muted" title={`The latest ${mostMessages} are kept`}>
        {few + left}
      </span>
      <span class="spring" />
      <button type="button" aria-pressed={holding} onClick={hold}>
        Hold list
      </button>
      <button type="button" onClick={forget}>
        Clear list
      </button>
      <Filters heartbeats={heartbeats} />
    </header>
  );
}

function Filters({ heartbeats }: { heartbeats: number }) {
  const { filter } = state;
  return (
    <search class="finding">
      <Field
        {...{ id: 'filter', type: 'search', name: 'Filter', value: filter.text, title: 'Press / to focus' }}
        placeholder="post 404 building"
        onText={(text) => set({ text })}
      />
      <fieldset>
        <legend class="visually-hidden">Which messages</legend>
        <Choice only="all" name="All" />
        <Choice only="changes" name="Changes" />
        <Choice only="failed" name="Failed" />
      </fieldset>
      <Switch
        name={`Heartbeats (${heartbeats})`}
        isOn={filter.heartbeats}
        onToggle={() => set({ heartbeats: !filter.heartbeats })}
      />
    </search>
  );
}

function Choice({ only, name }: { only: typeof state.filter.only; name: string }) {
  return (
    <button type="button" aria-pressed={state.filter.only === only} onClick={() => set({ only })}>
      {name}
    </button>
  );
}

function set(change: Partial<typeof state.filter>): void {
  state.filter = { ...state.filter, ...change };
  redraw();
}

function hold(): void {
  state.holding = !state.holding;
  redraw();
  // Messages were not added meanwhile.
  if (!state.holding) attempt(readMessages);
}

function forget(): void {
  state.messages.clear();
  state.skipped = 0;
  attempt(() => act('forget', {}));
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const [first] = state.cses;
  if (isFiltered) return <p class="empty">No message matches the filter. Clear it, or choose All.</p>;
  return (
    <div class="empty">
      <p>Nothing has been sent yet. Requests appear here as they arrive:</p>
      {first?.url && <pre>{`curl ${first.url}/${first.base}`}</pre>}
      <p>Or choose a resource and create something below it.</p>
    </div>
  );
}

function Picture({ messages }: { messages: readonly MessageSummary[] }) {
  const parties = partiesOf();
  const findActive = () => messages.findIndex(({ id }) => id === state.messageId);
  const active = findActive();
  return (
    <>
      <div class="lanes" aria-hidden>
        <span class="time" />
        <div class="lane-names">
          {parties.map((party, at) => (
            <span key={party} style={{ left: offsetOf(at, parties), maxWidth: gapOf(parties) }}>
              {party}
            </span>
          ))}
        </div>
      </div>
      <List
        {...{ id: 'messages', role: 'listbox', label: 'Messages, the latest last', count: messages.length }}
        {...{ rowHeight: 58, follows: true, shifted: state.dropped, active, current: findActive }}
        row={(at) => messageRow(messages[at] as MessageSummary, parties, at === active, [at + 1, messages.length])}
        choose={(at) => choose(messages[at])}
        onKey={(key, at) => key === 'Enter' && choose(messages[at])}
      />
    </>
  );
}

function choose(summary: MessageSummary | undefined): boolean {
  if (summary === undefined) return false;
  attempt(() => showMessage(summary.id));
  return true;
}

/** A CSE checks its registration elsewhere, every few seconds, and finds it as before. */
function isHeartbeat({ from, method, target, originator, status = 200, problem }: MessageSummary): boolean {
  const isOwn = originator?.endsWith(`/${from}`) === true && target.endsWith(`/${from}`);
  return isOwn && (method === 'GET' || method === 'PUT') && status < 400 && problem === undefined;
}

export const hasFailed = ({ status = 0, problem }: MessageSummary): boolean => problem !== undefined || status >= 400;

function filtered(all: readonly MessageSummary[]): readonly MessageSummary[] {
  const { text, only } = state.filter;
  const words = searchWords(text);
  if (words.length === 0 && only === 'all') return all;
  return all.filter((one) => matches(one, only) && words.every((word) => textOf(one).includes(word)));
}

function matches(summary: MessageSummary, only: typeof state.filter.only): boolean {
  if (only === 'failed') return hasFailed(summary);
  return only === 'all' || !['GET', 'HEAD', 'OPTIONS'].includes(summary.method);
}

const textOf = (one: MessageSummary): string => {
  const { method, target, from, to, originator = '', status = '', rsc = '', reason = '', problem = '' } = one;
  const { trace = '' } = one;
  return `${method} ${target} ${from} ${to} ${originator} ${status} ${rsc} ${reason} ${problem} ${trace}`.toLowerCase();
};
