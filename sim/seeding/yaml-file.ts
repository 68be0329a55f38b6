/** Reads YAML written by people, and checks it against a form, with the location of each problem. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';

/** The location of a part of the value in the file; without a file, the part itself. */
export type LocationOf = (path: readonly PropertyKey[]) => string;

interface Parsed<Form> {
  readonly value: Form;
  readonly locationOf: LocationOf;
}

/** Makes the error of such a file from lines `location: problem`. */
type Failure = new (message: string) => Error;

/** A name without a dot or slash is that of a file of the package. Rejects with `Invalid` for an unknown one. */
export async function resolveFixture(name: string, folder: 'trees' | 'workloads', Invalid: Failure): Promise<string> {
  if (!/^[a-z-]+$/.test(name)) return name;
  const directory = new URL(`../../fixtures/${folder}/`, import.meta.url);
  const names = (await readdir(directory)).map((name) => name.replace(/\.yaml$/, ''));
  if (names.includes(name)) return fileURLToPath(new URL(`${name}.yaml`, directory));
  throw new Invalid(`"${name}" is none of ${names.join(', ')}; for a file of that name, write ./${name}`);
}

/** Rejects with `Invalid` for a file that cannot be read, or is not YAML of this form. */
export async function readYamlFile<Form>(file: string, form: z.ZodType<Form>, Invalid: Failure): Promise<Parsed<Form>> {
  const lines = new LineCounter();
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Invalid(isMissing ? `there is no file "${file}"` : `${file}: ${(error as Error).message}`);
  });
  const document = parseDocument(text, { lineCounter: lines });
  const locationAt = (offset: number) => `${file}:${lines.linePos(offset).line}:${lines.linePos(offset).col}`;
  const locationOf: LocationOf = (path) => {
    const node = document.getIn(path, true);
    if (isNode(node)) return locationAt(node.range?.[0] ?? 0);
    return path.length === 0 ? locationAt(0) : locationOf(path.slice(0, -1));
  };
  const broken = document.errors.map((error) => `${locationAt(error.pos[0])}: ${error.message.split('\n')[0]}`);
  if (broken.length > 0) throw new Invalid(broken.join('\n'));
  return checked(document.toJS(), form, locationOf, Invalid);
}

/** The same for a value from a program. */
export function checkValue<Form>(value: unknown, form: z.ZodType<Form>, Invalid: Failure): Parsed<Form> {
  return checked(value, form, pathText, Invalid);
}

function checked<Form>(value: unknown, form: z.ZodType<Form>, locationOf: LocationOf, Invalid: Failure): Parsed<Form> {
  const read = form.safeParse(value);
  if (read.success) return { value: read.data, locationOf };
  throw new Invalid(read.error.issues.map((issue) => `${locationOf(issue.path)}: ${messageOf(issue)}`).join('\n'));
}

/** A missing part has no location of its own. */
function messageOf({ code, message, path }: z.core.$ZodIssue): string {
  const isMissing = code === 'invalid_type' && message.endsWith('received undefined');
  return isMissing ? `${String(path.at(-1))} is missing` : message;
}

/** `resources[0].children[1].container` */
function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text.replace(/^\./, '') || 'the value';
}
