/** `cselab check --watch`: reruns the scenarios that a changed file affects, and reports the differences. */
import { existsSync, watch as watchDirectory } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { listScenarios } from '../../scenarios/checking/check.ts';
import { ScenarioFilesError } from '../../scenarios/engine/basics/diagnostics.ts';
import type { CheckOptions, CheckResult, Exit, RunResult } from '../../scenarios/index.ts';
import { ownFolders, UsageError } from '../../scenarios/words.ts';
import { counted, groupedBy, verdictLine, visibleText } from '../facts/wording.ts';

export interface WatchOptions {
  /** Read for each run, since a target file may have changed. */
  readonly options: () => CheckOptions;
  /** The first run, with all its reports. */
  readonly first: (options: CheckOptions) => Promise<RunResult>;
  /** All later ones. */
  readonly again: (options: CheckOptions) => Promise<RunResult>;
  /** Batches of changed files; ends with the watching. */
  readonly changes: AsyncIterable<readonly string[]>;
  /** Files on which all scenarios depend, besides the catalogue: target file and baseline. */
  readonly dependencies: readonly string[];
  readonly say: (line: string) => void;
}

/** Runs until `changes` ends or a run is interrupted; resolves to the end of the last run. */
export async function watch(watching: WatchOptions): Promise<Exit> {
  const { changes, say } = watching;
  const session = new Session(watching);
  let exit = await session.begin();
  const waiting = 'watching; Ctrl-C ends';
  if (exit.code !== 130) say(waiting);
  for await (const paths of exit.code === 130 ? [] : changes) {
    const next = await session.changed(paths);
    exit = next ?? exit;
    if (exit.code === 130) break;
    if (next !== undefined) say(waiting);
  }
  return exit;
}

/** The folders of the files on which these ids and paths, and all scenarios of the project, depend. */
export function watchedFolders(names: readonly string[]): string[] {
  const { scenarios, requirements } = ownFolders();
  const others = names.filter((one) => /\.ya?ml$/.test(one)).map((path) => dirname(resolve(path)));
  return [...new Set([...scenarios, ...requirements, ...others])].filter((path) => existsSync(path));
}

/** Milliseconds: an editor writes in several steps, which count as one change. */
const debounce = 80;

/**
 * YAML files that change in these directories, until the signal, as batches of absolute paths. Watches directories, not files, since
 * many editors replace a file by a new one.
 */
export function fileChanges(directories: readonly string[], signal: AbortSignal): AsyncIterable<readonly string[]> {
  const changed = new Set<string>();
  let [timer, wake]: [NodeJS.Timeout | undefined, () => void] = [undefined, () => {}];
  const settled = () => {
    timer = undefined;
    wake();
  };
  for (const directory of new Set(directories)) {
    watchDirectory(directory, { signal }, (_, name) => {
      if (name === null || !/\.ya?ml$/.test(name)) return;
      changed.add(join(directory, name));
      clearTimeout(timer);
      timer = setTimeout(settled, debounce);
    });
  }
  signal.addEventListener('abort', settled, { once: true });
  async function* batches(): AsyncGenerator<readonly string[]> {
    while (!signal.aborted) {
      if (timer === undefined && changed.size > 0) {
        const batch = [...changed].sort();
        changed.clear();
        yield batch;
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return batches();
}

/** The state of a requirement in a scenario. */
type Standing = 'failed' | 'known' | 'passed' | 'not checked';

interface Difference {
  readonly word: 'fixed' | 'broken' | 'known' | 'not checked';
  readonly scenario: string;
  readonly requirement: string;
  /** What the target does, or why it was not checked; empty if it passed. */
  readonly says: string;
}

/** Records the state of each requirement in each scenario, and returns the changes. */
function differencesTo(known: Map<string, Standing>, { scenarios }: Pick<RunResult, 'scenarios'>): Difference[] {
  return scenarios.flatMap(({ id: scenario, steps }) => {
    const checks = steps.flatMap((step) => step.checks).filter(({ level }) => level !== 'gap');
    return [...groupedBy(checks, (check) => check.requirement)].flatMap(([requirement, own]) => {
      const key = `${scenario} ${requirement}`;
      const [before, now] = [known.get(key), standingOf(own)];
      known.set(key, now);
      const word = changeFor(before, now);
      return word === undefined ? [] : [{ word, scenario, requirement, says: detailsOf(own, now) }];
    });
  });
}

function standingOf(checks: readonly CheckResult[]): Standing {
  const failed = checks.filter(({ state }) => state === 'failed');
  if (failed.length > 0) return failed.every(({ known }) => known !== undefined) ? 'known' : 'failed';
  return checks.some(({ state }) => state === 'passed') ? 'passed' : 'not checked';
}

function changeFor(before: Standing | undefined, now: Standing): Difference['word'] | undefined {
  if (before === now) return undefined;
  if (now === 'failed') return 'broken';
  if (before === undefined) return undefined;
  if (now === 'passed') return before === 'not checked' ? undefined : 'fixed';
  return now;
}

function detailsOf(checks: readonly CheckResult[], now: Standing): string {
  if (now === 'passed') return '';
  const decisive = checks.find(({ state }) => (now === 'not checked' ? state !== 'passed' : state === 'failed'));
  return decisive?.reason ?? decisive?.actual ?? '';
}

/** Empty: all chosen scenarios. */
type Affected = Pick<CheckOptions, 'files' | 'ids'>;

/** The state between runs. */
class Session {
  readonly #watching: WatchOptions;
  /** Over several runs, each of which may cover only a part. */
  readonly #standings = new Map<string, Standing>();
  readonly #shared: ReadonlySet<string>;
  /** Files that changed since the last run. */
  #pending: string[] = [];
  #hasBegun = false;

  constructor(watching: WatchOptions) {
    this.#watching = watching;
    this.#shared = new Set(watching.dependencies.map((path) => resolve(path)));
  }

  begin(): Promise<Exit> {
    return this.#run({}, this.#watching.first);
  }

  /** The end of the run; undefined if the changed files affect no chosen scenario. */
  async changed(paths: readonly string[]): Promise<Exit | undefined> {
    const { again, say } = this.#watching;
    this.#pending = [...new Set([...this.#pending, ...paths])];
    return this.#sayErrors(async () => {
      const affected = this.#affected();
      if (affected !== undefined) say(`${this.#pending.map((path) => visibleText(path)).join(', ')} changed`);
      else this.#pending = [];
      return affected && this.#run(affected, again);
    });
  }

  #run(affected: Affected, judge: WatchOptions['again']): Promise<Exit> {
    return this.#sayErrors(async () => {
      const { options, say } = this.#watching;
      const result = await judge({ ...options(), ...affected });
      const differences = differencesTo(this.#standings, result);
      if (this.#hasBegun) sayDifferences(differences, result, say);
      this.#hasBegun = true;
      this.#pending = [];
      return result.exit;
    });
  }

  /** Which chosen scenarios have to run again; undefined for none. Throws as `listScenarios` does. */
  #affected(): Affected | undefined {
    const options = this.#watching.options();
    const paths = new Set(this.#pending);
    const folders = new Set(ownFolders().requirements);
    const isWhole = this.#pending.some((path) => this.#shared.has(path) || folders.has(dirname(path)));
    if (!this.#hasBegun || isWhole) return {};
    const affected = listScenarios(options).filter(({ place }) => paths.has(resolve(place.file)));
    if (affected.length === 0) return undefined;
    // An id of a requirement chooses only some checks of each scenario.
    if ((options.ids ?? []).some((id) => !/[/\\]|\.ya?ml$/.test(id))) return {};
    return { files: [...new Set(affected.map(({ place }) => resolve(place.file)))], ids: affected.map(({ id }) => id) };
  }

  /** Reports mistakes in files, which can be mended; rethrows anything else. */
  async #sayErrors<Ended extends Exit | undefined>(work: () => Promise<Ended>): Promise<Ended | Exit> {
    try {
      return await work();
    } catch (error) {
      const isFileError = error instanceof ScenarioFilesError || (this.#hasBegun && error instanceof UsageError);
      if (!isFileError) throw error;
      this.#watching.say(error.message);
      return { code: 2, reason: 'a file cannot be used' };
    }
  }
}

function sayDifferences(differences: readonly Difference[], result: RunResult, say: (line: string) => void): void {
  for (const { word, requirement, scenario, says } of differences) {
    say(visibleText(`${word.padEnd(11)} ${requirement} in ${scenario}${says === '' ? '' : `: ${says}`}`));
  }
  if (differences.length === 0) say('nothing is different');
  say(`${counted(result.scenarios.length, 'scenario')}; ${verdictLine(result)}`);
}
