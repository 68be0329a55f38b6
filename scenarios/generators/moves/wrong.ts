/** Requests that are wrong in one way. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { filledIn } from '../../engine/files/rows.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { originatorOf, pathOf } from '../created/address.ts';
import { contentAt, type GeneratedKind, type GeneratedResource, instancesOf } from '../created/resource.ts';
import { lookForNone } from './looks.ts';
import { type AttemptStep, ask, type Move, pick } from './move.ts';
import type { MoveContext } from './move-context.ts';

/** Bytes: a container that takes more is not filled. */
const largest = 100_000;

const conditions = {
  'a child': ({ children }: GeneratedResource) => children.length > 0,
  'a content instance': (one: GeneratedResource) => instancesOf(one).length > 0,
  'a name of letters': ({ parent, name }: GeneratedResource) => parent !== undefined && /^[a-z]+$/.test(name),
  'a small mbs': ({ shown: { mbs } }: GeneratedResource) => (mbs ?? largest) < largest,
};

/** What the words mean stands at the beginning of `mistakes.yaml`. */
interface Mistake {
  readonly when?: {
    readonly with?: readonly GeneratedKind[];
    readonly having?: keyof typeof conditions;
    readonly beside?: true;
  };
  readonly step: Readonly<Record<string, unknown>>;
}

const text = readFileSync(new URL('./mistakes.yaml', import.meta.url), 'utf8');
/** By dialect and name. */
export const mistakes = parse(text) as Readonly<Record<Dialect, Readonly<Record<string, Mistake>>>>;

export function canBeMadeWith({ when = {} }: Mistake, one: GeneratedResource): boolean {
  return when.with?.includes(one.kind) !== false && (when.having === undefined || conditions[when.having](one));
}

interface Wrong {
  readonly mistake: string;
  /** Of what is created, where mistakes are told apart by that. */
  readonly kind?: GeneratedKind;
  readonly what: number;
  readonly content?: number;
}

export function* wrongly({ mistake, kind, what, content = 0 }: Wrong, context: MoveContext): Move {
  const { created, words } = context;
  const key = kind === undefined ? mistake : `${kind}: ${mistake}`;
  const wrong = new Map(Object.entries(mistakes[words.dialect])).get(key);
  const resource =
    wrong &&
    pick(
      created.all().filter((one) => canBeMadeWith(wrong, one)),
      what,
    );
  if (wrong === undefined || resource === undefined) return;
  const holder = wrong.when?.beside ? resource.parent : resource;
  const name = created.nameBelow(holder, 'x');
  const more = { path: pathOf(holder, created), new: name, content: contentAt(content) };
  const step = filledIn(wrong.step, namesFor(resource, context, more)) as AttemptStep;
  yield ask(step, `wrong: ${mistake}`, { by: words.asker(resource), kind: resource.kind });
  if (JSON.stringify(wrong.step).includes('${new}')) yield* lookForNone(holder, name, context);
}

function namesFor(
  { name, kind, owner, children, shown, path }: GeneratedResource,
  { created }: MoveContext,
  more: object,
) {
  return new Map<string, unknown>(
    Object.entries({
      ...{ name, kind, child: children.at(-1)?.name, originator: originatorOf(owner, created) },
      ...{ ae: { api: 'org.example.a', rr: 'TRUE' } },
      typed: { 'Content-Type': 'application/vnd.onem2m-res+json' },
      'other-letters': `/${created.names.base}/${path.slice(0, -name.length)}${name.toUpperCase()}`,
      'too-much': 'x'.repeat(Math.min(shown.mbs ?? 0, largest) + 1),
      ...more,
    }),
  );
}
