/** The state of the page, and its requests; the selection is in the address, so that links lead there. */
import type { Completion } from '../../../scenarios/completion/complete.ts';
import type { Problem } from '../../../scenarios/engine/basics/diagnostics.ts';
import { apiClient } from '../../../sim/web/page/api.ts';
import { redraw } from '../../../sim/web/page/frames.ts';
import type { PageAnswer, PageQuestion } from '../page-questions.ts';
import type { RunEntry, Session, UiState } from '../session.ts';

type Scenario = ReturnType<Session['choices']>[number];
type Source = ReturnType<Session['source']>;

const { read, act } = apiClient<
  { scenarios: readonly Scenario[]; source: Source },
  {
    run: null;
    stop: null;
    answer: null;
    source: { problems: readonly Problem[] };
    complete: Completion;
    known: ReturnType<Session['keepKnown']>;
  }
>();

export type UiView = 'report' | 'source' | 'runs';
export type ListedState = 'all' | 'failed' | 'passed' | 'not run';

export const state = {
  connection: 'connecting' as 'connecting' | 'live' | 'lost',
  scenarios: [] as readonly Scenario[],
  runs: [] as readonly RunEntry[],
  states: new Map<string, string>(),
  underWay: null as UiState['underWay'],
  question: null as PageQuestion | null,
  /** When the countdown of the question ends, by the clock of the page. */
  ends: 0,
  problem: '',
  notice: '',
  /** Filters of the list: words, a state, and a cause of the displayed run. */
  search: '',
  stateFilter: 'all' as ListedState,
  cause: '',
  /** Scenarios that are marked to be run. */
  marked: new Set<string>(),
  /** Runs that are marked to be compared. */
  compared: [] as number[],
  isRepeated: false,
  last: [] as readonly string[],
  view: 'report' as UiView,
  /** The displayed run, and the scenario in it; 0 and empty for none. */
  run: 0,
  scenario: '',
  source: undefined as Source | undefined,
  text: '',
  /** Of the file as last written. */
  problems: [] as readonly Problem[],
};

/** A run was requested: the next one is displayed when it ends. */
let isAwaited = true;

export function listen(): void {
  followAddress();
  addEventListener('hashchange', followAddress);
  const events = new EventSource('/events');
  events.onopen = () => attempt(readScenarios);
  events.onmessage = ({ data }) => applyEvent(JSON.parse(data));
  events.onerror = () => {
    state.connection = 'lost';
    redraw();
  };
}

interface ServerEvent extends Partial<UiState> {
  readonly changed?: true;
  readonly problem?: string;
}

function applyEvent({ runs, states, underWay, question, changed, problem }: ServerEvent): void {
  state.connection = 'live';
  if (question !== undefined) setQuestion(question);
  if (underWay !== undefined) state.underWay = underWay;
  for (const [id, one] of Object.entries(states ?? {})) state.states.set(id, one);
  if (problem !== undefined) state.problem = problem;
  if (runs !== undefined) setRuns(runs);
  if (changed)
    attempt(async () => {
      await readScenarios();
      if (state.isRepeated && state.underWay === null) await run(state.last);
    });
  redraw();
}

let ticking: ReturnType<typeof setInterval> | undefined;

function setQuestion(question: PageQuestion | null): void {
  state.question = question;
  clearInterval(ticking);
  if (question?.left === undefined) return;
  state.ends = performance.now() + question.left;
  ticking = setInterval(redraw, 1000);
}

/** Neither text nor file: ends the countdown. */
export async function answer(content: Omit<PageAnswer, 'number'>): Promise<void> {
  state.problem = '';
  await act('answer', { number: state.question?.number ?? 0, ...content });
}

export const mebibytes = (octets: number): string => `${octets / 1024 / 1024} MiB`;

export async function handIn(file: File | undefined): Promise<void> {
  if (file === undefined) throw new Error('Choose a file.');
  const { largest = 0 } = state.question ?? {};
  if (file.size > largest) throw new Error(`A file has ${mebibytes(largest)} at most.`);
  const letters = Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCharCode(byte));
  await answer({ file: { name: file.name, content: btoa(letters.join('')) } });
}

function setRuns(runs: readonly RunEntry[]): void {
  const newest = runs.at(-1)?.number ?? 0;
  const isNew = newest > (state.runs.at(-1)?.number ?? 0);
  state.runs = runs;
  if (isNew && (isAwaited || state.run === 0)) go({ run: newest });
  if (isNew) isAwaited = false;
}

async function readScenarios(): Promise<void> {
  state.scenarios = await read('scenarios');
  const known = new Set(state.scenarios.map(({ id }) => id));
  for (const id of state.marked) if (!known.has(id)) state.marked.delete(id);
}

export function put(changes: Partial<typeof state>): void {
  Object.assign(state, changes);
  redraw();
}

/** Shows errors at the top of the page. */
export function attempt(work: () => Promise<unknown>): void {
  work()
    .catch((error: unknown) => {
      state.problem = error instanceof Error ? error.message : String(error);
    })
    .finally(redraw);
}

/** None: all scenarios of the command line. */
export async function run(ids: readonly string[]): Promise<void> {
  [state.problem, state.notice] = ['', ''];
  [state.last, isAwaited] = [ids, true];
  await act('run', { ids });
}

export const stop = () => act('stop', {});

/** Whether the current text can be run. */
export async function save(): Promise<boolean> {
  if (state.source === undefined) return false;
  state.problem = '';
  const { problems } = await act('source', { id: state.scenario, text: state.text });
  Object.assign(state, { problems, notice: `${state.source.file} is written.` });
  if (problems.length === 0) await readScenarios();
  return problems.length === 0;
}

export const complete = (text: string, at: number) => act('complete', { text, at });

export async function keepKnown(scenario?: string): Promise<void> {
  const { file, added } = await act('known', { run: state.run, ...(scenario && { scenario }) });
  state.notice = `${added} added to ${file}: write down the reason for each there.`;
}

interface PageLocation {
  readonly view?: UiView;
  readonly run?: number;
  readonly scenario?: string;
}

/** Changes the selection, and the address with it. */
export function go(target: PageLocation): void {
  const { view, run, scenario } = { ...state, ...target };
  const words = new URLSearchParams({ view, ...(run > 0 && { run: `${run}` }), ...(scenario && { scenario }) });
  history.pushState(null, '', `#${words}`);
  followAddress();
}

function followAddress(): void {
  const words = new URLSearchParams(location.hash.slice(1));
  const view = words.get('view');
  state.view = view === 'source' || view === 'runs' ? view : 'report';
  state.run = Number(words.get('run') ?? 0);
  const scenario = words.get('scenario') ?? '';
  const isOther = scenario !== state.scenario;
  state.scenario = scenario;
  if (isOther) Object.assign(state, { source: undefined, problems: [] });
  if (state.view === 'source' && scenario !== '' && state.source === undefined) attempt(readSource);
  redraw();
}

async function readSource(): Promise<void> {
  state.source = await read('source', { id: state.scenario });
  state.text = state.source.text;
}

/** The filtered scenarios. */
export function listed(): Scenario[] {
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  const cause = causes().find(({ id }) => id === state.cause);
  return state.scenarios.filter(({ id, title, requirements }) => {
    const text = `${id} ${title} ${requirements.join(' ')}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (state.stateFilter === 'all' || filterStateOf(id) === state.stateFilter) &&
      (cause === undefined || cause.scenarios.includes(id))
    );
  });
}

function filterStateOf(id: string): ListedState {
  const own = state.states.get(id);
  if (own === undefined) return 'not run';
  return own === 'failed' || own === 'blocked' ? 'failed' : own === 'passed' ? 'passed' : 'not run';
}

export const causes = () => state.runs.find(({ number }) => number === state.run)?.causes ?? [];
