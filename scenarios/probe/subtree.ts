import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { factsOf, kinds } from '../engine/grammar/vocabulary.ts';
import { expirationIn } from '../engine/judging/timestamp.ts';
import { interpolate } from '../engine/messages/interpolate.ts';
import { labelOfRun } from '../safety/ledger-line.ts';
import { FeatureId } from '../statement/features.ts';
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
  readonly registrations: Array<{ readonly originator: string | undefined; readonly seen: ProbeAnswer }> = [];
  readonly #site: ProbeContext;
  /** By whom the application entity can be removed, once it may be there. */
  #creator: { readonly originator: string | undefined } | undefined;

  constructor(site: ProbeContext) {
    this.#site = site;
    this.name = `${labelOfRun(site.run)}cselab-probe`;
  }

  /** The application entity; undefined where nobody may create it. */
  async open(): Promise<TrialContext | undefined> {
    for (const originator of this.#site.originators) {
      const said = originator === ownName ? `C${this.name}` : originator;
      let seen = await this.#register(said, lifetime);
      // A time of expiration that has passed is a bad request.
      const mayDoWithout = () => seen.view.status === 400 && this.#site.expiration === undefined;
      if (mayDoWithout()) seen = await this.#register(said, longLifetime);
      if (mayDoWithout()) {
        seen = await this.#register(said);
        this.refusesExpiration = seen.success;
      }
      this.registrations.push({ originator: said, seen });
      if (seen.success) return this.#settle(seen, said);
      if (!seen.answered) return undefined;
    }
    return undefined;
  }

  get #path(): string {
    return `${this.#site.base}/${this.name}`;
  }

  /** Creates something below what stands at `path`. */
  create(path: string, question: Omit<Question, 'path' | 'method'>, by: string | undefined): Promise<ProbeAnswer> {
    return this.#site.asker.ask({ method: 'POST', path, originator: by ?? null, ...question });
  }

  /** Removes the application entity, also after an interruption; gives its path where it is still there. */
  async remove(): Promise<string[]> {
    const { asker, admin } = this.#site;
    if (this.#creator === undefined) return [];
    const { originator = null } = this.#creator;
    const path = this.#path;
    for (const one of new Set([originator, admin ?? originator])) {
      const seen = await asker.remove({ path, originator: one });
      if (seen.view.status === 404) return [];
      if (!seen.answered) break;
      if (!seen.success) continue;
      // Not every answer that says so is true.
      const after = await asker.remove({ method: 'GET', path, originator: one });
      if (after.answered) return after.success ? [path] : [];
    }
    return [path];
  }

  /** Without a time it is told none. */
  async #register(originator: string | undefined, after?: number): Promise<ProbeAnswer> {
    const { dialect, base, expiration = after === undefined ? 'untold' : expirationIn(after, dialect) } = this.#site;
    const told = expiration === 'untold' ? {} : { et: expiration };
    const content = { ty: 2, body: { 'm2m:ae': { ...applicationEntity(dialect, this.name), ...told } } };
    // Noted before it is sent: an answer that does not come may mean that it was created.
    this.#creator = { originator };
    const seen = await this.create(base, { content }, originator);
    if (seen.unsent || (seen.answered && !seen.success)) this.#creator = undefined;
    return seen;
  }

  /** Whoever asks for an identifier goes on with that. */
  #settle({ view }: ProbeAnswer, said: string | undefined): TrialContext {
    const { attributes = {} } = view;
    const assigned = [attributes.aei, attributes.ri].find((one) => typeof one === 'string');
    const identifier = String(assigned ?? said ?? this.name);
    const originator = said === anyIdentifier ? identifier : said;
    this.#creator = { originator };
    return { app: this.#path, originator, identifier };
  }
}

/** Does something in a subtree that is removed again, also after an interruption; `left`: what could not be removed. */
export async function inSubtree<Result>(
  site: ProbeContext,
  work: (subtree: Subtree) => Promise<Result>,
): Promise<{ readonly result: Result; readonly left: readonly string[] }> {
  const subtree = new Subtree(site);
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
  create: z.enum(kinds),
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
