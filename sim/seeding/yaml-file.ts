/** YAML that people write: read, checked against a form, with the place of everything that is wrong. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';

/** Where a part of the value is written; of a value that was never written, which part it is. */
export type PlaceOf = (path: readonly PropertyKey[]) => string;

interface Checked<Form> {
  readonly value: Form;
  readonly placeOf: PlaceOf;
}

/** Makes the error of such a file from lines `place: what is wrong`. */
type Wrong = new (message: string) => Error;

/** A name without a dot or slash is that of a file which the package has there. Rejects with `Wrong` where it has none of that name. */
export async function namedFile(named: string, folder: 'traffic' | 'trees', Wrong: Wrong): Promise<string> {
  if (!/^[a-z-]+$/.test(named)) return named;
  const place = new URL(`../../fixtures/${folder}/`, import.meta.url);
  const names = (await readdir(place)).map((name) => name.replace(/\.yaml$/, ''));
  if (names.includes(named)) return fileURLToPath(new URL(`${named}.yaml`, place));
  throw new Wrong(`"${named}" is none of ${names.join(', ')}; for a file of that name, write ./${named}`);
}

/** Rejects with `Wrong` for a file that cannot be read, is no YAML or not of this form. */
export async function readYamlFile<Form>(file: string, form: z.ZodType<Form>, Wrong: Wrong): Promise<Checked<Form>> {
  const lines = new LineCounter();
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Wrong(isMissing ? `there is no file "${file}"` : `${file}: ${(error as Error).message}`);
  });
  const document = parseDocument(text, { lineCounter: lines });
  const placeAt = (offset: number) => `${file}:${lines.linePos(offset).line}:${lines.linePos(offset).col}`;
  const placeOf: PlaceOf = (path) => {
    const node = document.getIn(path, true);
    if (isNode(node)) return placeAt(node.range?.[0] ?? 0);
    return path.length === 0 ? placeAt(0) : placeOf(path.slice(0, -1));
  };
  const broken = document.errors.map((error) => `${placeAt(error.pos[0])}: ${error.message.split('\n')[0]}`);
  if (broken.length > 0) throw new Wrong(broken.join('\n'));
  return checked(document.toJS(), form, placeOf, Wrong);
}

/** The same of a value that a program gives. */
export function checkValue<Form>(value: unknown, form: z.ZodType<Form>, Wrong: Wrong): Checked<Form> {
  return checked(value, form, pathText, Wrong);
}

function checked<Form>(value: unknown, form: z.ZodType<Form>, placeOf: PlaceOf, Wrong: Wrong): Checked<Form> {
  const read = form.safeParse(value);
  if (read.success) return { value: read.data, placeOf };
  throw new Wrong(read.error.issues.map((issue) => `${placeOf(issue.path)}: ${saidOf(issue)}`).join('\n'));
}

/** What is missing has no place of its own. */
function saidOf({ code, message, path }: z.core.$ZodIssue): string {
  const isMissing = code === 'invalid_type' && message.endsWith('received undefined');
  return isMissing ? `${String(path.at(-1))} is missing` : message;
}

/** `resources[0].children[1].container` */
function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text.replace(/^\./, '') || 'the value';
}
