/**
 * Writes the parts of the READMEs that are made from the code: `node --import tsx .ci/write-reference.ts`. Each stands between
 * `<!-- reference: NAME -->` and `<!-- end of NAME -->`; fixtures/reference.test.ts fails when one is not what the code says.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formats } from '../reports/formats/reporting.ts';
import { assembledProgram, commandReference } from './command-reference.ts';
import { scoresText } from './drawn-scores.ts';
import { entryPoints } from './entry-points.ts';
import { grammarReference } from './grammar-reference.ts';
import { libraryReference } from './library-reference.ts';

/** Which file holds the reference of which commands. All others are in that of the folder reports/. */
const commandsElsewhere: Readonly<Record<string, string>> = { up: 'sim/README.md', certs: 'certs/README.md' };

export interface Reference {
  readonly file: string;
  readonly name: string;
  /** The text between the marks. */
  readonly text: string;
}

/** All generated parts. */
export async function references(): Promise<Reference[]> {
  const program = await assembledProgram();
  const names = program.commands.map((command) => command.name()).filter((name) => name !== 'help');
  const here = names.filter((name) => commandsElsewhere[name] === undefined);
  return [
    { file: 'reports/README.md', name: 'commands', text: commandReference(program, here) },
    ...Object.entries(commandsElsewhere).map(([name, file]) => ({
      file,
      name,
      text: commandReference(program, [name]),
    })),
    { file: 'reports/README.md', name: 'formats', text: formatsTable() },
    { file: 'scenarios/README.md', name: 'grammar', text: grammarReference() },
    { file: 'scenarios/README.md', name: 'scores', text: scoresText() },
    ...libraries(),
  ];
}

function formatsTable(): string {
  const rows = Object.entries(formats).map(([name, says]) => `| \`${name}\` | ${says} |`);
  return ['| name | what it is |', '|---|---|', ...rows].join('\n');
}

function libraries(): Reference[] {
  const paths = Object.values(entryPoints);
  const lists = libraryReference(
    paths,
    paths.filter((path) => path.startsWith('sim/')),
  );
  return Object.entries(entryPoints).map(([name, path]) => {
    const file = path.replace(/[^/]+$/, 'README.md');
    return { file, name, text: lists.get(path) ?? '' };
  });
}

const marks = (name: string) => [`<!-- reference: ${name} -->\n\n`, `\n\n<!-- end of ${name} -->`] as const;

/** The file with the reference in its place. Throws when it has no place for it. */
export function withReference(file: string, { name, text }: Reference): string {
  const [begin, end] = marks(name);
  const [from, to] = [file.indexOf(begin), file.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no place for the reference ${name}: ${begin.trim()}`);
  return file.slice(0, from + begin.length) + text + file.slice(to);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const reference of await references()) {
    const text = readFileSync(reference.file, 'utf8');
    writeFileSync(reference.file, withReference(text, reference));
  }
}
