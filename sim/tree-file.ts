/** Trees in YAML: resources that a CSE begins with. */
import { readFile } from 'node:fs/promises';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { ReferenceCse } from './index.ts';

const Attributes = z.record(z.string(), z.json());
interface Planted {
  ae?: z.infer<typeof Attributes> | undefined;
  container?: z.infer<typeof Attributes> | undefined;
  instance?: z.infer<typeof Attributes> | undefined;
  children?: Planted[] | undefined;
}
const Planted: z.ZodType<Planted> = z.lazy(() =>
  z
    .strictObject({
      ae: Attributes.optional(),
      container: Attributes.optional(),
      instance: Attributes.optional(),
      children: z.array(Planted).optional(),
    })
    .refine((one) => Object.keys(one).filter((key) => key in rootOf).length === 1, {
      error: 'needs exactly one of ae, container, instance',
    }),
);
const TreeFile = z.strictObject({ resources: z.array(Planted) });

const rootOf = { ae: 'm2m:ae', container: 'm2m:cnt', instance: 'm2m:cin' } as const;

/** A file of people's that cannot be used; the message has a line `file:line:column: what is wrong` for each problem. */
export class TreeFileError extends Error {
  override readonly name = 'TreeFileError';
}

/** Creates what the file describes below the CSE base; resolves to the number of resources. Rejects with a TreeFileError. */
export async function plantTree(cse: ReferenceCse, file: string): Promise<number> {
  const { resources, placeOf } = await readTree(file);
  let planted = 0;
  const plant = (one: Planted, parent: string, path: (string | number)[]): void => {
    const kind = (['ae', 'container', 'instance'] as const).find((key) => one[key] !== undefined) ?? 'ae';
    const content = { [rootOf[kind]]: one[kind] };
    const answer = JSON.stringify(cse.core.perform({ operation: 'create', to: parent, content }).content);
    const [shown] = Object.values(JSON.parse(answer) as Record<string, string | { ri: string }>);
    if (typeof shown !== 'object') throw new TreeFileError(`${placeOf([...path, kind])}: ${shown}`);
    planted++;
    for (const [at, child] of (one.children ?? []).entries()) plant(child, shown.ri, [...path, 'children', at]);
  };
  for (const [at, one] of resources.entries()) plant(one, cse.core.configuration.base, ['resources', at]);
  return planted;
}

async function readTree(file: string) {
  const lines = new LineCounter();
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new TreeFileError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  });
  const document = parseDocument(text, { lineCounter: lines });
  const placeAt = (offset: number) => `${file}:${lines.linePos(offset).line}:${lines.linePos(offset).col}`;
  const placeOf = (path: readonly PropertyKey[]) => {
    const node = document.getIn(path, true);
    return placeAt(isNode(node) ? (node.range?.[0] ?? 0) : 0);
  };
  const broken = document.errors.map((error) => `${placeAt(error.pos[0])}: ${error.message.split('\n')[0]}`);
  if (broken.length > 0) throw new TreeFileError(broken.join('\n'));
  const checked = TreeFile.safeParse(document.toJS());
  if (checked.success) return { resources: checked.data.resources, placeOf };
  throw new TreeFileError(checked.error.issues.map((issue) => `${placeOf(issue.path)}: ${issue.message}`).join('\n'));
}
