/** The scenarios of a workspace as tests of the editor: listed by `cselab check --list=json`, run by `cselab check`. */
import {
  type CancellationToken,
  Location,
  MarkdownString,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  type TestRunRequest,
  type Uri,
  type WorkspaceFolder,
  workspace,
} from 'vscode';
import { rangeOf, readJson, uriOf } from './problems.ts';
import { cselab, type FilePosition, settingOf } from './program.ts';

interface ListedTest {
  readonly id: string;
  readonly title: string;
  readonly place: FilePosition;
}

interface Check {
  readonly requirement: string;
  readonly place?: FilePosition;
  readonly expected: readonly string[];
  readonly actual: string;
  readonly state: string;
}

interface Step {
  readonly title: string;
  readonly place?: FilePosition;
  readonly exchange?: { readonly curl?: string; readonly answer?: { readonly status: number; readonly body: string } };
  readonly checks: readonly Check[];
}

interface Result {
  readonly id: string;
  readonly state: string;
  readonly reason?: string;
  readonly took?: number;
  readonly steps: readonly Step[];
}

/** Lists the scenarios of a file below their own item. Rejects if they cannot be listed. */
export async function listScenarios(controller: TestController, folder: WorkspaceFolder, file: Uri): Promise<void> {
  const path = workspace.asRelativePath(file, false);
  const listed = readJson<ListedTest[]>(await cselab(folder, ['check', path, '--list=json']));
  const item = controller.items.get(file.toString()) ?? controller.createTestItem(file.toString(), path, file);
  item.children.replace(
    listed.map(({ id, title, place }) => {
      const scenario = controller.createTestItem(id, title, file);
      scenario.range = rangeOf(place);
      return scenario;
    }),
  );
  controller.items.add(item);
}

/** Runs the requested scenarios, folder by folder; a cancelled run cleans up first. */
export async function runScenarios(
  controller: TestController,
  request: TestRunRequest,
  token: CancellationToken,
): Promise<void> {
  const run = controller.createTestRun(request);
  const chosen = (request.include ?? [...controller.items].map(([, file]) => file)).flatMap(scenariosOf);
  const left = new Map(chosen.filter((item) => !request.exclude?.includes(item)).map((item) => [item.id, item]));
  for (const folder of workspace.workspaceFolders ?? []) {
    const selected = [...left.values()].filter(({ uri }) => uri && workspace.getWorkspaceFolder(uri) === folder);
    if (selected.length > 0 && !token.isCancellationRequested) await runIn(folder, selected, run, token);
  }
  run.end();
}

const scenariosOf = (item: TestItem): TestItem[] =>
  item.children.size === 0 ? [item] : [...item.children].flatMap(([, child]) => scenariosOf(child));

async function runIn(
  folder: WorkspaceFolder,
  chosen: readonly TestItem[],
  run: TestRun,
  token: CancellationToken,
): Promise<void> {
  const left = new Map(chosen.map((item) => [item.id, item]));
  const files = new Set(chosen.flatMap(({ uri }) => (uri ? [workspace.asRelativePath(uri, false)] : [])));
  const args = [
    ...['check', ...left.keys(), ...[...files].flatMap((file) => ['--scenarios', file])],
    ...['--report', 'ndjson=-', ...settingOf(folder.uri, 'checkArguments')],
  ];
  const line = (text: string) => {
    const { id, result } = JSON.parse(text) as { id?: string; result?: Result };
    const started = left.get(id ?? '');
    if (started !== undefined) run.started(started);
    const finished = left.get(result?.id ?? '');
    if (finished === undefined || result === undefined) return;
    left.delete(finished.id);
    report(run, finished, result, folder);
  };
  const { stderr } = await cselab(folder, args, { line, token });
  run.appendOutput(stderr.replace(/\r?\n/g, '\r\n'));
  if (token.isCancellationRequested) return;
  for (const item of left.values()) run.errored(item, new TestMessage(stderr.trim() || 'cselab did not report it'));
}

function report(run: TestRun, item: TestItem, { state, reason = state, took, steps }: Result, folder: WorkspaceFolder) {
  if (state === 'passed') run.passed(item, took);
  else if (state === 'failed')
    run.failed(
      item,
      steps.flatMap((step) => messagesOf(step, folder)),
      took,
    );
  else if (state === 'fault') run.errored(item, new TestMessage(reason), took);
  else {
    run.appendOutput(`${item.id}: ${reason}\r\n`, undefined, item);
    run.skipped(item);
  }
}

function messagesOf({ title, exchange, place, checks }: Step, folder: WorkspaceFolder): TestMessage[] {
  return checks
    .filter(({ state }) => state === 'failed')
    .map(({ requirement, expected, actual, place: at = place }) => {
      const text = new MarkdownString(`**${requirement}**\n\n`);
      text.appendText(`expected ${expected.join('; ')}\nbut ${actual}\n\n${title}`);
      const { curl, answer } = exchange ?? {};
      if (curl !== undefined) text.appendCodeblock(curl, 'sh');
      if (answer !== undefined) text.appendCodeblock(`${answer.status}\n${answer.body}`);
      const message = new TestMessage(text);
      if (at !== undefined) message.location = new Location(uriOf(folder, at.file), rangeOf(at));
      return message;
    });
}
