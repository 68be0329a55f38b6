/** Requests that are wrong in one way. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { filledIn } from '../../engine/files/rows.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { originatorOf, pathOf } from '../model/address.ts';
import { contentAt } from '../model/contents.ts';
import { instancesOf, isDoubtful, type ModelKind, type ModelResource } from '../model/resource.ts';
import { lookForNone, lose } from './looks.ts';
import { type AttemptStep, ask, type Move, pick } from './move.ts';
import type { Ground } from './wording.ts';

/** Bytes: a container that takes more is not filled. */
const largest = 100_000;

const conditions = {
  'a child': ({ children }: ModelResource) => children.length > 0,
  'a content instance': (one: ModelResource) => instancesOf(one).length > 0,
  'a name of letters': ({ parent, name }: ModelResource) => parent !== undefined && /^[a-z]+$/.test(name),
  'a small mbs': ({ shown: { mbs } }: ModelResource) => (mbs ?? largest) < largest,
};

/** What the words mean stands at the beginning of `mistakes.yaml`. */
interface Mistake {
  readonly is: {
    readonly requirement: string;
    readonly code?: number;
    readonly with?: readonly ModelKind[];
    readonly having?: keyof typeof conditions;
    readonly beside?: true;
    readonly readable?: true;
  };
  readonly codes?: Readonly<Record<string, string>>;
  readonly step: Readonly<Record<string, unknown>>;
}

const text = readFileSync(new URL('../mistakes.yaml', import.meta.url), 'utf8');
/** By dialect and name. */
export const mistakes = parse(text) as Readonly<Record<Dialect, Readonly<Record<string, Mistake>>>>;

export function canBeMadeWith({ is }: Mistake, one: ModelResource): boolean {
  return is.with?.includes(one.kind) !== false && (is.having === undefined || conditions[is.having](one));
}

interface Wrong {
  readonly mistake: string;
  /** Of what is created, where mistakes are told apart by that. */
  readonly kind?: ModelKind;
  readonly what: number;
  readonly content?: number;
}

/** It changes nothing where it is refused. */
export function* wrongly({ mistake, kind, what, content = 0 }: Wrong, ground: Ground): Move {
  const { model, words } = ground;
  const key = kind === undefined ? mistake : `${kind}: ${mistake}`;
  const wrong = new Map(Object.entries(mistakes[words.dialect])).get(key);
  const possible = model.all().filter((one) => one.known && !isDoubtful(one) && wrong && canBeMadeWith(wrong, one));
  const resource = pick(possible, what);
  if (wrong === undefined || resource === undefined) return;
  const { requirement, code = wrong.codes ?? {}, beside, readable } = wrong.is;
  const holder = beside ? resource.parent : resource;
  const name = model.nameBelow(holder, 'x');
  const step = filledIn(
    wrong.step,
    namesFor(resource, ground, {
      ...{ path: pathOf(holder, model), new: name, content: contentAt(content) },
    }),
  );
  const about = { by: words.asker(resource), kind: resource.kind };
  const { outcome } = yield ask(step as AttemptStep, `wrong: ${mistake}`, words.refused(requirement, code), about);
  if (outcome === 'refused') return readable ? yield* lookForNone(holder, name, ground) : undefined;
  // Whatever it did, nothing near it is certain any more.
  lose(holder, ground);
  const replaced = beside ? resource : resource.children.at(-1);
  if (mistake.endsWith('name taken') && replaced !== undefined) model.remove(replaced);
}

function namesFor({ name, kind, owner, children, shown, path }: ModelResource, { model }: Ground, more: object) {
  return new Map<string, unknown>(
    Object.entries({
      ...{ name, kind, child: children.at(-1)?.name, originator: originatorOf(owner, model) },
      ...{ ae: { api: 'org.example.a', rr: 'TRUE' } },
      typed: { 'Content-Type': 'application/vnd.onem2m-res+json' },
      'other-letters': `/${model.names.base}/${path.slice(0, -name.length)}${name.toUpperCase()}`,
      'too-much': 'x'.repeat(Math.min(shown.mbs ?? 0, largest) + 1),
      ...more,
    }),
  );
}
