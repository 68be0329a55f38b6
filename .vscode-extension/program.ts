/** Runs the cselab of a workspace folder. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CancellationToken, type Uri, type WorkspaceFolder, workspace } from 'vscode';

/** A position in reports and lists: the file relative to the folder, line and column from 1. */
export interface FilePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface ProgramResult {
  /** 127: no such program; 130: interrupted. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunHooks {
  /** Called with each whole line of standard output. */
  readonly line?: (line: string) => void;
  readonly token?: CancellationToken;
}

/** Runs cselab in the folder to its end; a cancelled run first cleans up at its target. */
export function cselab(folder: WorkspaceFolder, args: readonly string[], hooks: RunHooks = {}): Promise<ProgramResult> {
  const [program = 'cselab', ...first] = commandOf(folder);
  const child = spawn(program, [...first, ...args], { cwd: folder.uri.fsPath, env: { ...process.env, NO_COLOR: '1' } });
  hooks.token?.onCancellationRequested(() => child.kill('SIGINT'));
  let [stdout, stderr, rest] = ['', '', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += hooks.line === undefined ? text : '';
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hooks.line?.(line);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve({ code: 127, stdout, stderr: message }));
    child.on('close', (code) => resolve({ code: code ?? 130, stdout, stderr }));
  });
}

function commandOf(folder: WorkspaceFolder): readonly string[] {
  const configured = settingOf(folder.uri, 'command');
  if (configured.length > 0) return configured;
  const installed = join(folder.uri.fsPath, 'node_modules', 'cselab', 'dist', 'cli.js');
  return existsSync(installed) ? ['node', installed] : ['cselab'];
}

/** A list of words from the settings. */
export const settingOf = (scope: Uri, name: 'command' | 'checkArguments'): readonly string[] =>
  workspace.getConfiguration('cselab', scope).get<string[]>(name, []);
