/** The session of `check --ui`: the scenarios to choose from, and its runs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { resolve, sep } from 'node:path';
import { updateBaseline } from '../../scenarios/baseline/edit.ts';
import { check, listScenarios } from '../../scenarios/checking/check.ts';
import type { CheckOptions, ListedScenario, RunResult } from '../../scenarios/index.ts';
import { lastOf, ownFolders } from '../../scenarios/words.ts';
import { PortRefusal } from '../../sim/web/page-server.ts';
import { causeFacts } from '../facts/run-facts.ts';
import { verdictLine } from '../facts/wording.ts';
import { type PageQuestion, PageQuestions } from './page-questions.ts';

type State = RunResult['scenarios'][number]['state'];
type Choice = ReturnType<typeof choiceOf>;

/** The state that a page receives when it connects, and as a run goes on. */
export interface UiState {
  readonly runs: readonly RunEntry[];
  /** Of the last run of each scenario. */
  readonly states: Readonly<Record<string, State>>;
  readonly underWay: { readonly planned: number; readonly finished: number } | null;
  /** The current question to a person. */
  readonly question: PageQuestion | null;
}

export type RunEntry = ReturnType<typeof runEntry>;

/** Runs that are kept; the oldest goes. */
const mostRuns = 20;

export class Session {
  readonly feed: Feed;
  readonly questions: PageQuestions;
  readonly #options: () => CheckOptions;
  readonly #runs = new Map<number, { readonly entry: RunEntry; readonly result: RunResult }>();
  readonly #states = new Map<string, State>();
  /** The last list: a file with a mistake can still be saved. */
  #listed: readonly Choice[] = [];
  #number = 0;
  #planned = 0;
  #finished = 0;
  #interrupt: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();

  /** `options`: those of the command line, read for each run; `folder`: where answers are kept. */
  constructor(options: () => CheckOptions, folder: string) {
    this.#options = options;
    this.feed = new Feed(() => this.snapshot());
    this.questions = new PageQuestions(folder, (facts) => this.feed.publish(facts));
  }

  snapshot(): UiState {
    const [runs, states] = [[...this.#runs.values()].map(({ entry }) => entry), Object.fromEntries(this.#states)];
    return { runs, states, underWay: this.#underWay, question: this.questions.question };
  }

  get #underWay(): UiState['underWay'] {
    return this.#interrupt === undefined ? null : { planned: this.#planned, finished: this.#finished };
  }

  /** Throws ScenarioFilesError for files that cannot be used. */
  choices(): Choice[] {
    const listed = listScenarios(this.#options()).map(choiceOf);
    this.#listed = listed;
    return listed;
  }

  /** Runs these scenarios, or all of the command line. Throws a PortRefusal during another run. */
  run(ids: readonly string[], onError: (error: unknown) => void): void {
    if (this.#interrupt !== undefined) throw new PortRefusal(409, 'A run is under way: stop it first.');
    const interrupt = new AbortController();
    this.#interrupt = interrupt;
    [this.#planned, this.#finished] = [0, 0];
    this.#running = this.#judge(ids, interrupt.signal)
      .catch(onError)
      .finally(() => {
        this.#interrupt = undefined;
        this.feed.publish(this.snapshot());
      });
    this.feed.publish({ underWay: this.#underWay });
  }

  /** Resolves once the current run has cleaned up. */
  stop(): Promise<void> {
    this.#interrupt?.abort();
    return this.#running;
  }

  async #judge(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const { baseline, ...options } = this.#options();
    const chosen = {
      ...(ids.length > 0 && { ids, files: this.#filesOf(ids) }),
      // It is created with the first known failure.
      ...(baseline !== undefined && existsSync(baseline.file) && { baseline }),
    };
    const result = await lastOf(check({ ...options, ...chosen, ask: this.questions.ask, signal }), (event) => {
      if (event.type === 'run started') this.#planned = event.planned;
      if (event.type !== 'scenario finished') return;
      const { id, state } = event.result;
      this.#finished += 1;
      this.#states.set(id, state);
      this.feed.publish({ states: { [id]: state }, underWay: this.#underWay });
    });
    await this.questions.keep(result);
    this.#number += 1;
    this.#runs.set(this.#number, { entry: runEntry(this.#number, result), result });
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > mostRuns && oldest !== undefined) this.#runs.delete(oldest);
  }

  #filesOf(ids: readonly string[]): string[] {
    const chosen = this.choices().filter(({ id }) => ids.includes(id));
    return [...new Set(chosen.map(({ file }) => file))];
  }

  /** Throws a PortRefusal for an unknown run. */
  resultOf(number: number): RunResult {
    const run = this.#runs.get(number);
    if (run === undefined) throw new PortRefusal(404, `There is no run ${number} any more.`);
    return run.result;
  }

  /** The file of a scenario. Throws a PortRefusal for an unknown scenario. */
  source(id: string): { readonly file: string; readonly isOwn: boolean; readonly text: string } {
    const { file, isOwn } = this.#choice(id);
    return { file, isOwn, text: readFileSync(file, 'utf8') };
  }

  /** Saves the file of a scenario. Throws a PortRefusal for one that is not the user's. */
  write(id: string, text: string): void {
    const { file, isOwn } = this.#choice(id);
    if (!isOwn) throw new PortRefusal(403, `${file} belongs to the package.`);
    writeFileSync(file, text);
  }

  #choice(id: string): Choice {
    const isIt = (one: Choice) => one.id === id;
    const found = this.#listed.find(isIt) ?? this.choices().find(isIt);
    if (found === undefined) throw new PortRefusal(404, `There is no scenario ${id} here.`);
    return found;
  }

  /** Adds the failures of a run, or of one scenario, to the baseline; returns how many are new. Throws a PortRefusal. */
  keepKnown(number: number, scenario: string | undefined): { readonly file: string; readonly added: number } {
    const file = this.#options().baseline?.file;
    if (file === undefined) throw new PortRefusal(400, 'No baseline was named: begin with --baseline known.yaml.');
    const result = this.resultOf(number);
    const scenarios = result.scenarios.filter(({ id }) => scenario === undefined || id === scenario);
    const { text, added } = updateBaseline(file, { ...result, scenarios });
    writeFileSync(file, text);
    return { file, added: added.length };
  }
}

function choiceOf({ id, title, requirements, place, leftOut, inapplicable }: ListedScenario) {
  const file = resolve(place.file);
  const isOwn = !ownFolders().scenarios.some((folder) => file.startsWith(`${resolve(folder)}${sep}`));
  return { id, title, requirements, file, isOwn, without: leftOut ?? inapplicable ?? null };
}

/** A run, without its report; `number` counts from 1. */
function runEntry(number: number, result: RunResult) {
  const { startedAt, exit, scenarios } = result;
  const causes = causeFacts(result).map(({ requirement, others }) => {
    const violations = [requirement, ...others].flatMap((one) => one.violations);
    return { id: requirement.id, scenarios: [...new Set(violations.map(({ scenario }) => scenario))] };
  });
  return { number, startedAt, says: verdictLine(result), code: exit.code, scenarios: scenarios.length, causes };
}

/** Watchers at a time, and bytes that may wait for one: slower readers start anew. */
const feedLimits = { watchers: 20, unread: 4 * 1024 * 1024 };

/** Server-sent events for all watching pages. */
class Feed {
  readonly #watchers = new Set<ServerResponse>();
  readonly #state: () => object;

  /** `state`: sent to each new watcher. */
  constructor(state: () => object) {
    this.#state = state;
  }

  /** False if there are too many watchers. */
  watch(response: ServerResponse, headers: Readonly<Record<string, string>>): boolean {
    if (this.#watchers.size >= feedLimits.watchers) return false;
    response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' });
    response.write(eventOf(this.#state()));
    this.#watchers.add(response);
    response.once('close', () => this.#watchers.delete(response));
    return true;
  }

  publish(changes: object): void {
    const event = eventOf(changes);
    for (const response of this.#watchers)
      if (response.writableLength > feedLimits.unread) response.end();
      else response.write(event);
  }

  end(): void {
    for (const response of this.#watchers) response.end();
    this.#watchers.clear();
  }
}

const eventOf = (facts: object): string => `data: ${JSON.stringify(facts)}\n\n`;
