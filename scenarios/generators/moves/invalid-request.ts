/** Requests that are invalid in one way. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { fillNames } from '../../engine/files/rows.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { originatorOf, pathOf } from '../created/address.ts';
import { contentAt, type GeneratedResource, type GeneratedType, instancesOf } from '../created/resource.ts';
import { readUnaccepted } from './looks.ts';
import { type AttemptStep, ask, type Move, pick } from './move.ts';
import type { MoveContext } from './move-context.ts';

/** Bytes: larger containers are not filled. */
const largest = 100_000;

const conditions = {
  'a child': ({ children }: GeneratedResource) => children.length > 0,
  'a content instance': (one: GeneratedResource) => instancesOf(one).length > 0,
  'a name of letters': ({ parent, name }: GeneratedResource) => parent !== undefined && /^[a-z]+$/.test(name),
  'a small mbs': ({ assigned: { mbs } }: GeneratedResource) => (mbs ?? largest) < largest,
};

/** `mistakes.yaml` begins with what its words mean. */
interface InvalidRequest {
  readonly when?: {
    readonly with?: readonly GeneratedType[];
    readonly having?: keyof typeof conditions;
    readonly beside?: true;
  };
  readonly step: Readonly<Record<string, unknown>>;
}

const text = readFileSync(new URL('./mistakes.yaml', import.meta.url), 'utf8');
/** By dialect and name. */
export const invalidRequests = parse(text) as Readonly<Record<Dialect, Readonly<Record<string, InvalidRequest>>>>;

export function isApplicable({ when = {} }: InvalidRequest, one: GeneratedResource): boolean {
  return when.with?.includes(one.type) !== false && (when.having === undefined || conditions[when.having](one));
}

interface InvalidOperation {
  readonly mistake: string;
  /** Of a creation, if that makes a difference. */
  readonly kind?: GeneratedType;
  readonly what: number;
  readonly content?: number;
}

export function* sendInvalid({ mistake, kind, what, content = 0 }: InvalidOperation, context: MoveContext): Move {
  const { created, traits } = context;
  const key = kind === undefined ? mistake : `${kind}: ${mistake}`;
  const invalid = new Map(Object.entries(invalidRequests[traits.dialect])).get(key);
  if (invalid === undefined) return;
  const applicable = created.all().filter((one) => isApplicable(invalid, one));
  const resource = pick(applicable, what);
  if (resource === undefined) return;
  const holder = invalid.when?.beside ? resource.parent : resource;
  const name = created.nameBelow(holder, 'x');
  const more = { path: pathOf(holder, created), new: name, content: contentAt(content) };
  const step = fillNames(invalid.step, namesFor(resource, context, more)) as AttemptStep;
  yield ask(step, `wrong: ${mistake}`, { by: traits.asker(resource), type: resource.type });
  if (JSON.stringify(invalid.step).includes('${new}')) yield* readUnaccepted(holder, name, context);
}

function namesFor(resource: GeneratedResource, { created }: MoveContext, more: object) {
  const { name, type, owner, children, assigned, path } = resource;
  return new Map<string, unknown>(
    Object.entries({
      ...{ name, kind: type, child: children.at(-1)?.name, originator: originatorOf(owner, created) },
      ...{ ae: { api: 'org.example.a', rr: 'TRUE' } },
      typed: { 'Content-Type': 'application/vnd.onem2m-res+json' },
      'other-letters': `/${created.names.base}/${path.slice(0, -name.length)}${name.toUpperCase()}`,
      'too-much': 'x'.repeat(Math.min(assigned.mbs ?? 0, largest) + 1),
      ...more,
    }),
  );
}
