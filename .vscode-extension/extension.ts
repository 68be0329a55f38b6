/** Mistakes in the files of cselab as they are saved, completion by their schemas, and scenarios that run from the margin. */
import { readFileSync } from 'node:fs';
import {
  type ExtensionContext,
  extensions,
  languages,
  type OutputChannel,
  TestRunProfileKind,
  tests,
  type Uri,
  type WorkspaceFolder,
  window,
  workspace,
} from 'vscode';
import { schemaFor } from '../scenarios/file-kinds.ts';
import { lintFolder } from './problems.ts';
import { listScenarios, runScenarios } from './scenarios.ts';

export async function activate({ subscriptions, asAbsolutePath }: ExtensionContext): Promise<void> {
  const output = window.createOutputChannel('cselab');
  const problems = languages.createDiagnosticCollection('cselab');
  const controller = tests.createTestController('cselab', 'oneM2M scenarios');
  controller.createRunProfile(
    'Run',
    TestRunProfileKind.Run,
    (request, token) => runScenarios(controller, request, token),
    true,
  );

  async function lintAndList(folder: WorkspaceFolder): Promise<readonly Uri[]> {
    const files = await showErrors(output, lintFolder(folder, problems), []);
    // Lint has reported what cannot be read; its scenarios stay listed as they were.
    for (const file of files.filter((one) => problems.get(one)?.length === 0))
      await showErrors(output, listScenarios(controller, folder, file), undefined);
    return files;
  }
  /** One after the other, so that the last report is the current one. */
  let looking = Promise.resolve();
  const look = () => {
    looking = looking.then(async () => {
      const files = await Promise.all((workspace.workspaceFolders ?? []).map(lintAndList));
      const found = new Set(files.flat().map(String));
      for (const [id] of controller.items) if (!found.has(id)) controller.items.delete(id);
    });
    return looking;
  };
  controller.refreshHandler = look;
  subscriptions.push(output, problems, controller, workspace.onDidChangeWorkspaceFolders(look));
  subscriptions.push(workspace.onDidSaveTextDocument(({ languageId }) => languageId === 'yaml' && look()));
  subscriptions.push(workspace.onDidDeleteFiles(look), workspace.onDidRenameFiles(look));
  await offerSchemas(asAbsolutePath);
  await look();
}

/** Failures of cselab go to the output, and once into a message. */
async function showErrors<T>(output: OutputChannel, work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { message } = error as Error;
    output.appendLine(message);
    void window.showErrorMessage(`cselab: ${message.split('\n')[0]}`);
    return otherwise;
  }
}

interface YamlExtension {
  registerContributor(
    scheme: string,
    schemaOf: (uri: string) => string | undefined,
    contentOf: (uri: string) => string,
  ): boolean;
}

/** To the extension for YAML, if installed; a `$schema` line in a file wins. */
async function offerSchemas(asAbsolutePath: (path: string) => string): Promise<void> {
  const yaml = extensions.getExtension<YamlExtension>('redhat.vscode-yaml');
  (await yaml?.activate())?.registerContributor(
    'cselab',
    (uri) => {
      const document = workspace.textDocuments.find((one) => one.uri.toString() === uri);
      const file = document && schemaFor(document.getText());
      return file && `cselab://schema/${file}`;
    },
    (uri) => readFileSync(asAbsolutePath(`dist/${uri.slice(uri.lastIndexOf('/') + 1)}`), 'utf8'),
  );
}
