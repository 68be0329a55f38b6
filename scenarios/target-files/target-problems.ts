/** Errors in a target file beyond its grammar: missing variables and files, and headers that users cannot set. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isObject } from '../engine/basics/body.ts';
import type { Problem } from '../engine/basics/diagnostics.ts';
import type { DataPath, SourceFile } from '../engine/files/source-file.ts';

export type TargetEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Checks the file as written, even if it violates the grammar. `secrets`: values of the environment variables in the file;
 * `expand` replaces variables in a text by their values.
 */
export function checkTarget(source: SourceFile, environment: TargetEnvironment) {
  const expandable = expandableIn(source.value);
  const names = expandable.flatMap(({ text }) => variablesIn(text));
  const values = names.flatMap((name) => environment[name] || []);
  return {
    problems: [
      ...expandable.flatMap((one) => missingVariables(one, source, environment)),
      ...headerProblems(source),
      ...fileProblems(source),
    ],
    secrets: [...new Set(values)],
    expand: (text: string) => text.replace(variable, (_, name: string) => environment[name] ?? ''),
  };
}

const variable = /\$\{env\.([A-Za-z_]\w*)\}/g;

function variablesIn(text: string): string[] {
  return [...text.matchAll(variable)].flatMap((match) => match[1] ?? []);
}

interface TextAt {
  readonly path: DataPath;
  readonly text: string;
}

/** Texts with variables: headers, passphrase, administrator. */
function expandableIn(value: unknown): TextAt[] {
  const headers = Object.keys(mapAt(value, ['headers'])).map((name) => ['headers', name]);
  return [...headers, ['tls', 'passphrase'], ['originators', 'admin']].flatMap((path) => textAt(value, path));
}

function missingVariables({ path, text }: TextAt, source: SourceFile, environment: TargetEnvironment): Problem[] {
  const unknown = [...text.replace(variable, '').matchAll(/\$\{[^}]*\}?/g)].map(([within]) =>
    source.problem(path, `"${within}" stands for nothing; write \${env.NAME} for a variable of the environment`, {
      within,
    }),
  );
  const missing = variablesIn(text).filter((name) => !environment[name]);
  return [
    ...unknown,
    ...missing.map((name) =>
      source.problem(path, `the environment has no variable ${name}`, { within: `\${env.${name}}` }),
    ),
  ];
}

/** Headers that users cannot set (RFC 9110, 9112). */
const ownHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'expect']);

function headerProblems(source: SourceFile): Problem[] {
  return Object.entries(mapAt(source.value, ['headers'])).flatMap(([name, value]) => {
    const at = (message: string, key = true) => [source.problem(['headers', name], message, { key })];
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return at(`"${name}" cannot be the name of a header`);
    if (ownHeaders.has(name.toLowerCase())) return at(`cselab writes the header ${name} itself`);
    if (name.toLowerCase() === 'x-m2m-origin') return at('who sends the requests stands in "originators"');
    const fits = typeof value !== 'string' || /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
    return fits ? [] : at(`the header ${name} has characters that no header can have`, false);
  });
}

function fileProblems(source: SourceFile): Problem[] {
  const folder = dirname(source.path);
  const missing = ['cacert', 'cert', 'key', 'certs'].flatMap((name) =>
    textAt(source.value, ['tls', name]).flatMap(({ path, text }) =>
      existsSync(resolve(folder, text)) ? [] : [source.problem(path, `there is no file "${text}" beside this one`)],
    ),
  );
  const tls = mapAt(source.value, ['tls']);
  const stray = ['key', 'passphrase'].filter((name) => name in tls && !('cert' in tls));
  return [
    ...missing,
    ...stray.map((name) => source.problem(['tls', name], `"${name}" goes with "cert"`, { key: true })),
  ];
}

function mapAt(value: unknown, path: DataPath): Readonly<Record<string, unknown>> {
  const found = path.reduce((here: unknown, key) => (isObject(here) ? here[String(key)] : undefined), value);
  return isObject(found) ? found : {};
}

function textAt(value: unknown, path: readonly string[]): TextAt[] {
  const text = mapAt(value, path.slice(0, -1))[path.at(-1) ?? ''];
  return typeof text === 'string' ? [{ path, text }] : [];
}
