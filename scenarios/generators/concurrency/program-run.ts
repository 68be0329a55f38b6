import { isSuccess, neverArrived, summaryOf, viewOf } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import { lifeAtBase } from '../../engine/targets/lifetime.ts';
import type { LabelledCse } from '../created/created.ts';
import type { AttemptStep, CreateAttributes } from '../moves/move.ts';
import { TargetLost } from '../search/seeded.ts';
import { StepSender } from '../sequences/sender.ts';
import type { SequenceOptions } from '../sequences/sequence-run.ts';
import {
  type Action,
  containerNames,
  contents,
  instanceNames,
  labelNames,
  type Program,
  type ProgramTurn,
} from './action.ts';
import { type Call, type History, type Request, type RequestOutcome, requestedIn } from './history.ts';

export interface NamingContext extends Pick<LabelledCse, 'label' | 'base' | 'cseId'> {
  /** Attributes of what is created directly below the CSE base. */
  readonly atBase: Readonly<Record<string, unknown>>;
}

interface ResourcePosition {
  readonly container: number | null;
  readonly instance?: number | null;
}

export function requestOf(action: Action, context: NamingContext): Request {
  const toStep = steps[action.does] as (action: Action, context: NamingContext) => AttemptStep;
  return { does: action.does, step: toStep(action, context) };
}

const steps: {
  readonly [Does in Action['does']]: (action: Extract<Action, { does: Does }>, context: NamingContext) => AttemptStep;
} = {
  'create application entity'(_action, { label, base, atBase }) {
    const attributes = { rn: `${label}-a`, api: 'org.example.a', rr: 'TRUE', ...atBase } as CreateAttributes;
    return { create: 'ae', in: `/${base}`, attributes };
  },
  'create container'({ labels, name, mni }, context) {
    const lbl = labelsOf(labels, context);
    const attributes = {
      ...(name !== null && { rn: containerAt(name) }),
      ...(lbl.length > 0 && { lbl }),
      ...(mni !== null && { mni }),
    };
    return { create: 'container', in: applicationIn(context), attributes };
  },
  'create content instance'(action, context) {
    const rn = action.name === null ? undefined : instanceNames[action.name];
    const attributes = { ...(rn !== undefined && { rn }), con: contents[action.content] ?? '', cnf: 'text/plain:0' };
    return { create: 'content instance', in: pathAt(action, context), attributes };
  },
  update(action, context) {
    const attributes = { lbl: labelsOf(action.labels, context) };
    return { update: pathAt(action, context), kind: 'container', attributes };
  },
  discover({ label }, context) {
    const [lbl = ''] = labelsOf([label], context);
    return discoverBy(lbl, context);
  },
  'retrieve newest': (action, context) => ({ retrieve: `${pathAt(action, context)}/latest` }),
  'retrieve oldest': (action, context) => ({ retrieve: `${pathAt(action, context)}/oldest` }),
  retrieve: ({ what }, context) => ({ retrieve: pathAt(what, context) }),
  delete: ({ what }, context) => ({ delete: pathAt(what, context) }),
};

export function discoverBy(lbl: string, { cseId, base }: NamingContext): AttemptStep {
  return { discover: `/~/${cseId}/${base}`, where: { lbl } };
}

/** Path of the resource of a request. `assignedName`: the name that the service chose, if it reported one. */
export function pathOf(step: AttemptStep, assignedName: unknown): string | undefined {
  if ('create' in step) {
    const name = step.attributes?.rn ?? assignedName;
    return typeof name === 'string' && !/^$|\//.test(name) ? `${step.in}/${name}` : undefined;
  }
  if ('retrieve' in step) return step.retrieve.replace(/\/(latest|oldest)$/, '');
  if ('update' in step) return step.update;
  return 'delete' in step ? step.delete : undefined;
}

function applicationIn({ label, base }: NamingContext): string {
  return `/${base}/${label}-a`;
}

function pathAt({ container, instance = null }: ResourcePosition, context: NamingContext): string {
  if (container === null) return applicationIn(context);
  const path = `${applicationIn(context)}/${containerAt(container)}`;
  return instance === null ? path : `${path}/${instanceNames[instance] ?? ''}`;
}

/** Labels that nobody else has. */
function labelsOf(labels: readonly number[], { label }: NamingContext): string[] {
  return labels.map((one) => `${label}-${labelNames[one]}`);
}

function containerAt(index: number): string {
  return containerNames[index] ?? containerNames[0];
}

interface ProgramOptions extends Omit<SequenceOptions, 'isChecked' | 'isExcepted' | 'rules'> {
  /** Whether everything runs in turns of the event loop, deterministically. */
  readonly inProcess: boolean;
}

/** The first actions of every program. */
const beforeAll: readonly Action[] = [
  { does: 'create application entity' },
  { does: 'create container', name: 0, labels: [], mni: null },
];

/** Runs one program and records requests, answers and their times. Rejects with TargetLost when nobody answers. */
export class ProgramRun {
  readonly #options: ProgramOptions;
  readonly #context: NamingContext;
  readonly #sender: StepSender;
  readonly #calls: Call[] = [];
  #instant = 0;

  constructor(options: ProgramOptions) {
    this.#options = options;
    const { installation, label } = options;
    const { gateway, lifetime } = installation;
    const { base, cseId } = gateway.description;
    this.#sender = new StepSender(options);
    this.#context = { label, base, cseId, atBase: lifeAtBase(lifetime) };
  }

  async run({ before, originators }: Program): Promise<History> {
    try {
      for (const action of [...beforeAll, ...before]) await this.#ask(requestOf(action, this.#context), undefined);
      const ended = await Promise.allSettled(originators.map((turns, number) => this.#act(turns, number)));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
      for (const request of this.#look()) await this.#ask(request, undefined);
    } finally {
      await this.#sender.clean(this.#options.signal);
    }
    return { label: this.#options.label, calls: this.#calls.toSorted((a, b) => a.from - b.from) };
  }

  async #act(turns: readonly ProgramTurn[], originator: number): Promise<void> {
    for (const { pause, action } of turns) {
      await this.#wait(pause);
      await this.#ask(requestOf(action, this.#context), originator);
    }
  }

  /** In process, these turns determine the order of everything, so runs repeat exactly. */
  async #wait(pause: number): Promise<void> {
    if (!this.#options.inProcess) {
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      return;
    }
    for (let turn = 0; turn < pause; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Reads everything that was addressed, once nothing is under way; the newest twice. */
  *#look(): Generator<Request> {
    const calls = [...this.#calls];
    const paths = new Set(calls.flatMap(({ path }) => path ?? []));
    const newest = requestOf({ does: 'retrieve newest', container: 0 }, this.#context);
    yield newest;
    for (const path of [...paths].sort()) yield { does: 'retrieve', step: { retrieve: path } };
    for (const label of new Set(calls.flatMap((call) => requestedIn(call).lbl ?? [])))
      yield { does: 'discover', step: discoverBy(label, this.#context) };
    yield newest;
  }

  async #ask({ does, step }: Request, originator: number | undefined): Promise<void> {
    const { statistics, signal, inProcess } = this.#options;
    const request = { step, by: 'nobody' };
    if (signal.aborted || (await this.#sender.refuses(request))) return;
    const from = ++this.#instant;
    const exchange = await this.#sender.send(request);
    const instants = inProcess ? { from, to: ++this.#instant } : timesOf(exchange);
    if (neverArrived(exchange)) throw new TargetLost(summaryOf(exchange));
    statistics?.sent({ operation: does, form: 'discover' in step ? 'SP-relative' : 'structured' });
    const { status, attributes, found } = viewOf(exchange);
    const outcome = outcomeOf(exchange);
    const to = outcome === 'unknown' ? Number.POSITIVE_INFINITY : instants.to;
    const path = pathOf(step, outcome === 'success' ? attributes?.rn : undefined);
    const view = { status, attributes, found };
    this.#calls.push({ originator, does, step, path, from: instants.from, to, outcome, view, exchange });
  }
}

/** Milliseconds by which the instants of a request may be wrong. */
const inaccuracy = 0.01;

function timesOf({ at, took }: Exchange): Pick<Call, 'from' | 'to'> {
  return { from: at - inaccuracy, to: at + took + inaccuracy };
}

/** These answers, like none at all, leave open what became of the request. */
const patience = [429, 503];

function outcomeOf(exchange: Exchange): RequestOutcome {
  const { status } = exchange.answer ?? {};
  if (status === undefined || patience.includes(status)) return 'unknown';
  if (isSuccess(exchange)) return 'success';
  return status >= 400 && status < 500 ? 'refused' : 'failed';
}
