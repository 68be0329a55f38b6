/** The problems that `cselab lint` finds in the files of a folder, and which of these are files of cselab. */
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { Diagnostic, type DiagnosticCollection, Range, Uri, type WorkspaceFolder, workspace } from 'vscode';
import { cselab, type FilePosition, type ProgramResult } from './program.ts';

interface LintReport {
  readonly files: readonly { readonly file: string; readonly kind?: string }[];
  readonly problems: readonly (FilePosition & { readonly length: number; readonly message: string })[];
}

const nothing: LintReport = { files: [], problems: [] };

/** Top-level keys of the files of cselab. Other files have them too: lint decides. */
const known = /^(feature|scenarios|deviations|rules|applications|specification|product|extends|cselab):/m;

/** Shows the problems of all files of a folder, and returns those that hold scenarios. Rejects where cselab cannot be run. */
export async function lintFolder(folder: WorkspaceFolder, collection: DiagnosticCollection): Promise<Uri[]> {
  const files = await candidatesIn(folder);
  // Without a file, lint would check those of cselab itself.
  const { files: linted, problems } =
    files.length === 0 ? nothing : readJson<LintReport>(await cselab(folder, ['lint', '--json', ...files]));
  const own = linted.filter(({ kind }) => kind !== undefined);
  const paths = new Set(own.map(({ file }) => uriOf(folder, file).toString()));
  collection.forEach((uri) => {
    if (workspace.getWorkspaceFolder(uri) === folder && !paths.has(uri.toString())) collection.delete(uri);
  });
  for (const { file } of own) {
    const problemsHere = problems.filter((problem) => problem.file === file);
    collection.set(
      uriOf(folder, file),
      problemsHere.map(({ message, ...place }) => diagnosticOf(message, rangeOf(place, place.length))),
    );
  }
  return own.filter(({ kind }) => kind === 'scenario').map(({ file }) => uriOf(folder, file));
}

async function candidatesIn(folder: WorkspaceFolder): Promise<string[]> {
  const found = await workspace.findFiles('**/*.{yaml,yml}', '**/node_modules/**');
  const within = found.filter((uri) => workspace.getWorkspaceFolder(uri) === folder).map(({ fsPath }) => fsPath);
  const texts = await Promise.all(within.map((path) => readFile(path, 'utf8').catch(() => '')));
  return within.filter((_, at) => known.test(texts[at] ?? '')).map((path) => relative(folder.uri.fsPath, path));
}

/** The output of a command; throws an error with its stderr if that is not JSON. */
export function readJson<T>({ code, stdout, stderr }: ProgramResult): T {
  try {
    return JSON.parse(stdout) as T;
  } catch {
    throw new Error(stderr.trim() || `cselab ended with exit code ${code}`);
  }
}

export const uriOf = (folder: WorkspaceFolder, file: string): Uri => Uri.file(resolve(folder.uri.fsPath, file));

export function rangeOf({ line, column }: Pick<FilePosition, 'line' | 'column'>, length = 0): Range {
  return new Range(line - 1, column - 1, line - 1, column - 1 + length);
}

function diagnosticOf(message: string, range: Range): Diagnostic {
  const diagnostic = new Diagnostic(range, message);
  diagnostic.source = 'cselab';
  return diagnostic;
}
