/** For tests: the part of Visual Studio Code that the extension uses, with one folder; records problems, errors and runs. */
import Module, { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesOf } from './test-files.ts';

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Range {
  readonly start: Position;
  readonly end: Position;
}

interface Uri {
  readonly fsPath: string;
}

interface Item {
  readonly id: string;
  readonly label: string;
  readonly children: Items;
  range?: Range;
}

interface Token {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(stop: () => void): void;
}

type Run = (request: { readonly include?: readonly Item[] }, token: Token) => Promise<void>;
type SaveListener = (document: { readonly languageId: string }) => unknown;

class Items extends Map<string, Item> {
  add(item: Item): void {
    this.set(item.id, item);
  }
  replace(items: readonly Item[]): void {
    this.clear();
    for (const item of items) this.add(item);
  }
}

/** What a run reported of an item: its state, its id, and messages with their lines. */
export type TestEvent = readonly [what: string, id: string, ...messages: string[]];

const nothing = () => undefined;
const uriOf = (fsPath: string) => ({ fsPath, toString: () => pathToFileURL(fsPath).href });

/** Constructors of the editor's interface. */
const values = {
  Uri: { file: uriOf },
  Range: function range(line: number, character: number, endLine: number, endCharacter: number): Range {
    return { start: { line, character }, end: { line: endLine, character: endCharacter } };
  },
  Location: function location(uri: Uri, range: Range) {
    return { uri, range };
  },
  Diagnostic: function diagnostic(range: Range, message: string) {
    return { message, range };
  },
  TestMessage: function testMessage(message: string | { readonly value: string }) {
    return { message };
  },
  MarkdownString: function markdown(value: string) {
    const add = (text: string) => {
      all.value += `${text}\n`;
    };
    const all = { value, appendText: add, appendCodeblock: add };
    return all;
  },
  TestRunProfileKind: { Run: 1 },
};

export class Editor {
  readonly items = new Items();
  /** By the path in the folder. */
  readonly problems = new Map<string, readonly { readonly message: string; readonly range: Range }[]>();
  readonly errors: string[] = [];
  readonly testEvents: TestEvent[] = [];
  readonly settings = new Map<string, readonly string[]>();
  readonly #folder: string;
  readonly #saveListeners: SaveListener[] = [];
  #run: Run = async () => undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Loads the extension, and waits until it has read the folder. */
  async activate(bundle: string): Promise<void> {
    const loading = Module as unknown as { _load: (...args: unknown[]) => unknown };
    const load = loading._load;
    const api = { ...values, ...this.#windowApi(), tests: this.#tests(), workspace: this.#workspace() };
    loading._load = (request, ...others) => (request === 'vscode' ? api : load(request, ...others));
    const { activate } = createRequire(import.meta.url)(resolve(bundle)) as { activate(of: object): Promise<void> };
    loading._load = load;
    await activate({ subscriptions: [], asAbsolutePath: (path: string) => resolve(bundle, '../..', path) });
  }

  /** Runs these scenarios, or all; `isStopped` stops the run at once. */
  run(include?: readonly Item[], isStopped = false): Promise<void> {
    const token = {
      isCancellationRequested: false,
      onCancellationRequested(stop: () => void) {
        if (!isStopped) return;
        token.isCancellationRequested = true;
        stop();
      },
    };
    return this.#run(include ? { include } : {}, token);
  }

  async save(): Promise<void> {
    for (const listener of this.#saveListeners) await listener({ languageId: 'yaml' });
  }

  #windowApi() {
    const at = ({ fsPath }: Uri) => relative(this.#folder, fsPath);
    const collection = {
      set: (uri: Uri, diagnostics: []) => this.problems.set(at(uri), diagnostics),
      get: (uri: Uri) => this.problems.get(at(uri)),
      delete: (uri: Uri) => this.problems.delete(at(uri)),
      forEach: (each: (uri: Uri) => void) =>
        [...this.problems.keys()].forEach((path) => void each(uriOf(join(this.#folder, path)))),
    };
    return {
      extensions: { getExtension: nothing },
      languages: { createDiagnosticCollection: () => collection },
      window: {
        createOutputChannel: () => ({ appendLine: nothing }),
        showErrorMessage: (message: string) => this.errors.push(message),
      },
    };
  }

  #tests() {
    const record = (what: string) => (item: Item, messages?: unknown) => {
      const texts = [messages ?? []]
        .flat()
        .filter((one) => typeof one === 'object')
        .map(textOf);
      this.testEvents.push([what, item.id, ...texts]);
    };
    const run = {
      ...{ started: nothing, appendOutput: nothing, end: nothing },
      ...{ passed: record('passed'), failed: record('failed'), skipped: record('skipped'), errored: record('errored') },
    };
    const controller = {
      items: this.items,
      createTestItem: (id: string, label: string, uri: Uri) => ({ id, label, uri, children: new Items() }),
      createRunProfile: (_label: string, _kind: number, runs: Run) => {
        this.#run = runs;
      },
      createTestRun: () => run,
    };
    return { createTestController: () => controller };
  }

  #workspace() {
    const folder = { uri: uriOf(this.#folder) };
    return {
      workspaceFolders: [folder],
      getWorkspaceFolder: () => folder,
      getConfiguration: () => ({ get: (name: string, otherwise: unknown) => this.settings.get(name) ?? otherwise }),
      asRelativePath: ({ fsPath }: Uri) => relative(this.#folder, fsPath),
      findFiles: async () => filesOf(this.#folder, /\.ya?ml$/).map(uriOf),
      onDidSaveTextDocument: (listener: SaveListener) => this.#saveListeners.push(listener),
      ...{ onDidChangeWorkspaceFolders: nothing, onDidDeleteFiles: nothing, onDidRenameFiles: nothing },
    };
  }
}

function textOf(one: unknown): string {
  const { message, location } = one as {
    readonly message: string | { readonly value: string };
    readonly location?: { readonly range: Range };
  };
  const text = typeof message === 'string' ? message : message.value;
  return location === undefined ? text : `line ${location.range.start.line + 1}: ${text}`;
}
