/**
 * The exports of the package's entry points as Markdown: name, signature, and the first paragraph of the docstring. Uses the
 * syntax trees of the project's own compiler, which knows all of TypeScript and needs no further package. Files are parsed but
 * not resolved, which takes a fraction of a second instead of many.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/** A declaration, or a member of one, as far as it is used here. */
interface Declared extends Node {
  readonly name?: Node;
  readonly type?: Node;
  readonly body?: Node;
  readonly members?: readonly Declared[];
  readonly jsDoc?: readonly Node[];
  readonly declarationList?: { readonly declarations: readonly Declared[] };
}

interface Exported {
  readonly name: string;
  readonly from: string;
  /** Its name in the file that it is from. */
  readonly original: string;
}

interface ApiEntry extends Line {
  readonly isType: boolean;
  readonly members: readonly Line[];
}

interface Line {
  readonly signature: string;
  readonly says: string;
}

type Parsed = ReadonlyMap<string, SourceFile>;

/** The list of exports of each entry point, a path such as `sim/index.ts`; with members for those in `withMembers`. */
export function libraryReference(entries: readonly string[], withMembers: readonly string[]): Map<string, string> {
  const api = new API({ cwd: process.cwd() });
  try {
    const all = parsedWithSources(api, entries);
    const known = new Set<string>();
    return new Map(
      entries.map((entry) => {
        const exported = exportsOf(entry, all).map((one) => describeExport(one, all));
        const list = listOf(exported, withMembers.includes(entry), known);
        for (const { signature } of exported) known.add(signature);
        return [entry, list];
      }),
    );
  } finally {
    api.close();
  }
}

/** These files, and all from which they re-export. */
function parsedWithSources(api: API, files: readonly string[]): Parsed {
  const found = parseFiles(api, files);
  const more = files.flatMap((file) => sources(file, found)).filter((file) => !found.has(file));
  return more.length === 0 ? found : parsedWithSources(api, [...new Set([...files, ...more])]);
}

function parseFiles(api: API, files: readonly string[]): Parsed {
  // The compiler does not reread settings that it knows.
  const settings = resolve(`node_modules/.cache/cselab-reference/${files.length}-files.json`);
  mkdirSync(dirname(settings), { recursive: true });
  const options = { noResolve: true, noLib: true, types: [], module: 'NodeNext', allowImportingTsExtensions: true };
  const paths = files.map((file) => relative(dirname(settings), resolve(file)));
  writeFileSync(settings, JSON.stringify({ compilerOptions: { ...options, noEmit: true }, files: paths }));
  const project = api.updateSnapshot({ openProjects: [settings] }).getProject(settings);
  return new Map(
    files.map((file) => {
      const source = project?.program.getSourceFile(resolve(file));
      if (source === undefined) throw new Error(`${file} cannot be read`);
      return [file, source];
    }),
  );
}

const exportFrom = /^export (?:type )?(?:\*|\{([^}]*)\}) from '(\.[^']+)'/;

const importFrom = /^import (?:type )?\{([^}]*)\} from '(\.[^']+)'/;
const exportLocal = /^export (?:type )?\{([^}]*)\};$/;

function sources(file: string, files: Parsed): string[] {
  const statements = statementsOf(file, files);
  const handedOn = statements.flatMap(({ text }) => namesIn(exportLocal.exec(text)?.[1] ?? '', file));
  return [
    ...statements.flatMap(({ text }) => exportFrom.exec(text)?.[2] ?? []).map((path) => join(dirname(file), path)),
    ...handedOn.flatMap(({ original }) => importOf(original, file, files)?.from ?? []),
  ];
}

/** `export { ApplicationEntity as XAE };` */
function renamed(name: string, file: string, files: Parsed): Exported | undefined {
  return statementsOf(file, files)
    .flatMap(({ text }) => namesIn(exportLocal.exec(text)?.[1] ?? '', file))
    .find((one) => one.name === name && one.original !== name);
}

function importOf(name: string, file: string, files: Parsed): Exported | undefined {
  return statementsOf(file, files)
    .flatMap(({ text }) => {
      const [, names = '', path = ''] = importFrom.exec(text) ?? [];
      return namesIn(names, join(dirname(file), path));
    })
    .find((one) => one.name === name);
}

function statementsOf(file: string, files: Parsed): { readonly node: Declared; readonly text: string }[] {
  const source = files.get(file);
  if (source === undefined) throw new Error(`${file} was not parsed`);
  return [...source.statements].map((node) => ({ node: node as Declared, text: node.getText(source) }));
}

function exportsOf(file: string, files: Parsed): Exported[] {
  return statementsOf(file, files).flatMap(({ node, text }) => {
    const [found, names, path = ''] = exportFrom.exec(text) ?? [];
    const from = join(dirname(file), path);
    if (found !== undefined) return names === undefined ? exportsOf(from, files) : namesIn(names, from);
    const handedOn = exportLocal.exec(text)?.[1];
    if (handedOn !== undefined) return namesIn(handedOn, file);
    if (!/^export (?!\{)/.test(text)) return [];
    return namesDeclared(node).map((name) => ({ name, original: name, from: file }));
  });
}

function namesIn(names: string, from: string): Exported[] {
  return names
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
    .map((name) => {
      const [original = '', as = original] = name.split(' as ');
      return { name: as, original, from };
    });
}

function namesDeclared(node: Declared): string[] {
  const declarations = node.declarationList === undefined ? [node] : [...node.declarationList.declarations];
  return declarations.map((one) => one.name?.getText() ?? '');
}

/** Members are listed at the first entry point that has them. */
function listOf(exported: readonly ApiEntry[], withMembers: boolean, known: ReadonlySet<string>): string {
  const lines = (ofTypes: boolean) =>
    exported
      .filter(({ isType }) => isType === ofTypes)
      .flatMap((one) => {
        const members = withMembers && !known.has(one.signature) ? one.members : [];
        return [lineOf(one, ''), ...members.map((member) => lineOf(member, '  '))];
      })
      .join('\n');
  return `${lines(false)}\n\nTypes:\n\n${lines(true)}`;
}

const lineOf = ({ signature, says }: Line, indent: string) =>
  `${indent}- \`${signature}\`${says === '' ? '' : `: ${says}`}`;

function describeExport({ name, original, from }: Exported, files: Parsed): ApiEntry {
  const source = files.get(from);
  const found = statementsOf(from, files).filter(({ node }) => namesDeclared(node).includes(original));
  const [{ node } = {}] = found.slice(-1);
  if (node === undefined || source === undefined) {
    const other = renamed(original, from, files)?.original;
    if (other !== undefined)
      return { signature: name, says: `Another name of \`${other}\`.`, isType: false, members: [] };
    const handedOn = exportsOf(from, files).find((one) => one.name === original && one.from !== from);
    const imported = importOf(original, from, files) ?? handedOn;
    if (imported === undefined) throw new Error(`nothing declares ${original}, which ${from} exports`);
    return describeExport({ ...imported, name }, files);
  }
  const signature = signatureOf(node, source).replace(new RegExp(`\\b${original}\\b`), name);
  const says = found.map((one) => firstParagraph(one.node, source)).find((text) => text !== '') ?? '';
  const isType = node.kind === SyntaxKind.InterfaceDeclaration || node.kind === SyntaxKind.TypeAliasDeclaration;
  return { signature, says, isType, members: membersOf(node, source) };
}

/** What only the class itself uses or writes, and protocols of the language. */
const isHidden =
  /^(?:(?:static |async |readonly |get |set )*(?:#|\[(?!Symbol\.iterator))|private |override readonly name|static \{)/;

function membersOf(node: Declared, source: SourceFile): Line[] {
  return [...(node.members ?? [])]
    .filter((member) => !isHidden.test(member.getText(source)))
    .map((member) => ({
      signature: signatureOf(member, source),
      says: firstParagraph(member, source),
    }));
}

const longest = 140;

function signatureOf(node: Declared, source: SourceFile): string {
  if (node.declarationList !== undefined) return constant(node.declarationList.declarations[0], source);
  const text = oneLine(upToBody(node, source))
    .replace(/^export /, '')
    .replace(/\b(async |override |function\*? |readonly )/g, '');
  if (node.kind === SyntaxKind.PropertyDeclaration) return text.replace(/ = [\s\S]*$/, '').replace(/;$/, '');
  if (node.kind !== SyntaxKind.TypeAliasDeclaration) return text.replace(/[;{]\s*$/, '').trim();
  return text.length > longest ? text.replace(/ = [\s\S]*$/, '') : text.replace(/;$/, '').replace(/= \| /, '= ');
}

function upToBody(node: Declared, source: SourceFile): string {
  const text = node.getText(source);
  if (node.body !== undefined) return text.slice(0, node.body.getStart(source) - node.getStart(source));
  const isClassOrInterface = node.kind === SyntaxKind.ClassDeclaration || node.kind === SyntaxKind.InterfaceDeclaration;
  return isClassOrInterface ? text.slice(0, text.search(/\{\s*\n|\{\}|\{$/)) : text;
}

function constant(declaration: Declared | undefined, source: SourceFile): string {
  const [name = '', type] = [declaration?.name?.getText(source), declaration?.type?.getText(source)];
  return type === undefined ? name : `${name}: ${oneLine(type)}`;
}

const oneLine = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\/\s*/g, '')
    .replace(/\s+/g, ' ')
    .replace(/([([<]) /g, '$1')
    .replace(/,? ([)\]>])/g, '$1')
    .trim();

function firstParagraph({ jsDoc }: Declared, source: SourceFile): string {
  const text = jsDoc?.at(-1)?.getText(source) ?? '';
  const lines = text.replace(/^\/\*\*|\*\/$/g, '').split('\n');
  const [paragraph = ''] = lines
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim()
    .split(/\n\s*\n|\n@/);
  return paragraph
    .replace(/\s+/g, ' ')
    .replaceAll('<', '&lt;')
    .replace(/`[^`]*`/g, (code) => code.replaceAll('&lt;', '<'));
}
