import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { factsOf, resourceTypes } from '../engine/grammar/vocabulary.ts';
import { expirationIn } from '../engine/judging/timestamp.ts';
import { interpolate } from '../engine/messages/interpolate.ts';
import { FeatureId } from '../ics/features.ts';
import { labelOfRun } from '../safety/ledger-line.ts';
import type { Asker, ProbeAnswer, Question } from './asker.ts';

/** Milliseconds after which what a probe created expires by itself, should it not be able to remove it. */
const lifetime = 10 * 60_000;
/** For a target whose clock, or time zone, makes of that a time that has passed. */
const longLifetime = 36 * 3_600_000;

export interface ProbeContext {
  readonly asker: Asker;
  /** Under whose names everything is created. */
  readonly run: string;
  readonly dialect: Dialect;
  /** Path of the CSE base, with a slash before it. */
  readonly base: string;
  /** Originators with which registration is tried, in this order; undefined: none is named. */
  readonly originators: ReadonlyArray<string | undefined>;
  /** Whether requests may come from anybody. */
  readonly free: boolean;
  /** When what is created expires; `untold`: the target is not to be told; absent: found out. */
  readonly expiration?: string;
  /** May remove what its creator may not. */
  readonly admin?: string | undefined;
}

/**
 * One application entity at a live target, named after the run, and what is created below it, which goes with it; what does not is left to
 * the safety of the run, which has written all of it down.
 */
export class Subtree {
  readonly name: string;
  /** Whether it could be created only without an expiration time. */
  refusesExpiration = false;
  /** Every registration that was tried. */
  readonly registrations: Array<{ readonly originator: string | undefined; readonly answer: ProbeAnswer }> = [];
  readonly #context: ProbeContext;
  /** By whom the application entity can be removed, once it may be there. */
  #creator: { readonly originator: string | undefined } | undefined;

  constructor(probeContext: ProbeContext) {
    this.#context = probeContext;
    this.name = `${labelOfRun(probeContext.run)}cselab-probe`;
  }

  /** The application entity; undefined where nobody may create it. */
  async open(): Promise<TrialContext | undefined> {
    for (const originator of this.#context.originators) {
      const named = originator === ownName ? `C${this.name}` : originator;
      let answer = await this.#register(named, lifetime);
      // A time of expiration that has passed is a bad request.
      const mayDoWithout = () => answer.view.status === 400 && this.#context.expiration === undefined;
      if (mayDoWithout()) answer = await this.#register(named, longLifetime);
      if (mayDoWithout()) {
        answer = await this.#register(named);
        this.refusesExpiration = answer.success;
      }
      this.registrations.push({ originator: named, answer });
      if (answer.success) return this.#settle(answer, named);
      if (!answer.answered) return undefined;
    }
    return undefined;
  }

  get #path(): string {
    return `${this.#context.base}/${this.name}`;
  }

  /** Creates something below what stands at `path`. */
  create(path: string, question: Omit<Question, 'path' | 'method'>, by: string | undefined): Promise<ProbeAnswer> {
    return this.#context.asker.ask({ method: 'POST', path, originator: by ?? null, ...question });
  }

  /** Removes the application entity, also after an interruption; gives its path where it is still there. */
  async remove(): Promise<string[]> {
    const { asker, admin } = this.#context;
    if (this.#creator === undefined) return [];
    const { originator = null } = this.#creator;
    const path = this.#path;
    for (const one of new Set([originator, admin ?? originator])) {
      const answer = await asker.remove({ path, originator: one });
      if (answer.view.status === 404) return [];
      if (!answer.answered) break;
      if (!answer.success) continue;
      // Not every answer that says so is true.
      const after = await asker.remove({ method: 'GET', path, originator: one });
      if (after.answered) return after.success ? [path] : [];
    }
    return [path];
  }

  /** Without a time it is told none. */
  async #register(originator: string | undefined, after?: number): Promise<ProbeAnswer> {
    const { dialect, base, expiration = after === undefined ? 'untold' : expirationIn(after, dialect) } = this.#context;
    const expiry = expiration === 'untold' ? {} : { et: expiration };
    const content = { ty: 2, body: { 'm2m:ae': { ...applicationEntity(dialect, this.name), ...expiry } } };
    // Noted before it is sent: an answer that does not come may mean that it was created.
    this.#creator = { originator };
    const answer = await this.create(base, { content }, originator);
    if (answer.unsent || (answer.answered && !answer.success)) this.#creator = undefined;
    return answer;
  }

  /** Whoever asks for an identifier goes on with that. */
  #settle({ view }: ProbeAnswer, named: string | undefined): TrialContext {
    const { attributes = {} } = view;
    const assigned = [attributes.aei, attributes.ri].find((one) => typeof one === 'string');
    const identifier = String(assigned ?? named ?? this.name);
    const originator = named === anyIdentifier ? identifier : named;
    this.#creator = { originator };
    return { app: this.#path, originator, identifier };
  }
}

/** Does something in a subtree that is removed again, also after an interruption; `left`: what could not be removed. */
export async function inSubtree<Result>(
  probeContext: ProbeContext,
  work: (subtree: Subtree) => Promise<Result>,
): Promise<{ readonly result: Result; readonly left: readonly string[] }> {
  const subtree = new Subtree(probeContext);
  let left: readonly string[] = [];
  const result = await work(subtree).finally(async () => {
    left = await subtree.remove();
  });
  return { result, left };
}

/** Stands for an originator that no other application entity has. */
export const ownName = '';
/** Asks the CSE for an identifier (TS-0001 7.2, AE-ID stem). */
export const anyIdentifier = 'S';

/** As the usual application entity of the dialect is. */
function applicationEntity(dialect: Dialect, rn: string) {
  if (dialect === 'documented') return { rn, api: 'org.cselab.probe', rr: 'TRUE' };
  return { rn, api: 'Norg.cselab.probe', rr: false, srv: ['3'] };
}

/** Where and as whom a trial creates. */
export interface TrialContext {
  /** Path of the application entity, with a slash before it. */
  readonly app: string;
  /** The originator that created it. */
  readonly originator: string | undefined;
  /** Of the application entity, as the target assigned it. */
  readonly identifier: string;
}

/** What each key means stands at the beginning of `trials.yaml`. */
const WritingTrial = z.strictObject({
  feature: FeatureId,
  create: z.enum(resourceTypes),
  in: z.string().optional(),
  needs: z.string().optional(),
  root: z.string().optional(),
  attributes: z.record(z.string(), z.unknown()),
});
export type WritingTrial = z.infer<typeof WritingTrial>;

const text = readFileSync(new URL('trials.yaml', import.meta.url), 'utf8');
/** In the order in which they are created. */
export const trials: readonly WritingTrial[] = z.array(WritingTrial).parse(parse(text));

/** The container that other trials need. */
export const containerName = 'values';

/** By which discovery finds the container. */
export function labelOf(app: string): string {
  return app.split('/').at(-1) ?? app;
}

/** What a trial creates. */
export function contentOf({ create, root, attributes }: WritingTrial, { app, originator, identifier }: TrialContext) {
  const named = { app: app.slice(1), name: labelOf(app), identifier, originator: originator ?? identifier };
  const names = new Map(Object.entries(named).map(([name, value]) => [name, { value }]));
  const facts = factsOf(create);
  return { ty: facts.ty, body: { [root ?? facts.root ?? '']: interpolate(attributes, names) } };
}
