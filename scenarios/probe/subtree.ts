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

/** Milliseconds after which created resources expire, if the probe cannot delete them. */
const lifetime = 10 * 60_000;
/** For a target by whose clock, or time zone, that would be in the past. */
const longLifetime = 36 * 3_600_000;

export interface ProbeContext {
  readonly asker: Asker;
  /** Id in the names of all resources. */
  readonly run: string;
  readonly dialect: Dialect;
  /** Path of the CSE base, with a leading slash. */
  readonly base: string;
  /** Originators to register with, in this order; undefined: none. */
  readonly originators: ReadonlyArray<string | undefined>;
  /** Whether any originator may be used. */
  readonly free: boolean;
  /** Expiration time of created resources; `untold`: none in requests; absent: to be found out. */
  readonly expiration?: string;
  /** May delete what its creator may not. */
  readonly admin?: string | undefined;
}

/**
 * An application entity at a live target, named after the run, with everything below it, which is deleted with it; the ledger of the
 * run has the rest.
 */
export class Subtree {
  readonly name: string;
  /** Whether the target refuses an expiration time. */
  refusesExpiration = false;
  /** Every attempted registration. */
  readonly registrations: Array<{ readonly originator: string | undefined; readonly answer: ProbeAnswer }> = [];
  readonly #context: ProbeContext;
  /** Who can delete the application entity, once it may exist. */
  #creator: { readonly originator: string | undefined } | undefined;

  constructor(probeContext: ProbeContext) {
    this.#context = probeContext;
    this.name = `${labelOfRun(probeContext.run)}cselab-probe`;
  }

  /** Registers the application entity; undefined if nobody may. */
  async open(): Promise<TrialContext | undefined> {
    for (const originator of this.#context.originators) {
      const named = originator === ownName ? `C${this.name}` : originator;
      let answer = await this.#register(named, lifetime);
      // An expiration time in the past is a bad request.
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

  /** Creates a resource below `path`. */
  create(path: string, question: Omit<Question, 'path' | 'method'>, by: string | undefined): Promise<ProbeAnswer> {
    return this.#context.asker.ask({ method: 'POST', path, originator: by ?? null, ...question });
  }

  /** Deletes the application entity, even after an interruption; returns its path if it still exists. */
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
      // A successful answer may be wrong.
      const after = await asker.remove({ method: 'GET', path, originator: one });
      if (after.answered) return after.success ? [path] : [];
    }
    return [path];
  }

  /** Without `after`, no expiration time is sent. */
  async #register(originator: string | undefined, after?: number): Promise<ProbeAnswer> {
    const { dialect, base, expiration = after === undefined ? 'untold' : expirationIn(after, dialect) } = this.#context;
    const expiry = expiration === 'untold' ? {} : { et: expiration };
    const content = { ty: 2, body: { 'm2m:ae': { ...applicationEntity(dialect, this.name), ...expiry } } };
    // Before sending: the resource may exist even without an answer.
    this.#creator = { originator };
    const answer = await this.create(base, { content }, originator);
    if (answer.unsent || (answer.answered && !answer.success)) this.#creator = undefined;
    return answer;
  }

  /** An assigned identifier becomes the originator. */
  #settle({ view }: ProbeAnswer, named: string | undefined): TrialContext {
    const { attributes = {} } = view;
    const assigned = [attributes.aei, attributes.ri].find((one) => typeof one === 'string');
    const identifier = String(assigned ?? named ?? this.name);
    const originator = named === anyIdentifier ? identifier : named;
    this.#creator = { originator };
    return { app: this.#path, originator, identifier };
  }
}

/** Works in a subtree that is deleted again, even after an interruption; `left`: what could not be deleted. */
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

/** Stands for an unused originator. */
export const ownName = '';
/** Requests an identifier from the CSE (TS-0001 7.2, AE-ID stem). */
export const anyIdentifier = 'S';

/** A typical application entity of the dialect. */
function applicationEntity(dialect: Dialect, rn: string) {
  if (dialect === 'documented') return { rn, api: 'org.cselab.probe', rr: 'TRUE' };
  return { rn, api: 'Norg.cselab.probe', rr: false, srv: ['3'] };
}

/** Path and originator for trials. */
export interface TrialContext {
  /** Path of the application entity, with a leading slash. */
  readonly app: string;
  readonly originator: string | undefined;
  /** AE-ID that the target assigned. */
  readonly identifier: string;
}

/** The beginning of `trials.yaml` explains the keys. */
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
/** In the order of creation. */
export const trials: readonly WritingTrial[] = z.array(WritingTrial).parse(parse(text));

/** The container that other trials need. */
export const containerName = 'values';

/** Label of the container for discovery. */
export function labelOf(app: string): string {
  return app.split('/').at(-1) ?? app;
}

export function contentOf({ create, root, attributes }: WritingTrial, { app, originator, identifier }: TrialContext) {
  const named = { app: app.slice(1), name: labelOf(app), identifier, originator: originator ?? identifier };
  const names = new Map(Object.entries(named).map(([name, value]) => [name, { value }]));
  const facts = factsOf(create);
  return { ty: facts.ty, body: { [root ?? facts.root ?? '']: interpolate(attributes, names) } };
}
