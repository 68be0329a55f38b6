import type { ReceivedRequest, ScenarioResult, StepResult } from '../../scenarios/index.ts';

/** Who takes part in a scenario, from left to right. */
export type Party = 'harness' | 'gateway' | 'backend' | 'inbox';
const order: readonly Party[] = ['harness', 'gateway', 'backend', 'inbox'];

/** A message from one party to another. */
export interface Arrow {
  readonly from: Party;
  readonly to: Party;
  readonly label: string;
  readonly kind: 'request' | 'answer' | 'lost';
  /** Milliseconds since the start of the run. */
  readonly at: number;
  /** The step that it belongs to, from 1. */
  readonly stepNumber: number;
  readonly failed: boolean;
}

export interface Sequence {
  readonly parties: readonly Party[];
  readonly arrows: readonly Arrow[];
}

/** A picture with more messages than these helps nobody. */
const most = 60;

/** The messages of a scenario in the order of time; undefined where only two parties speak, or too much is said. */
export function sequenceOf({ steps }: Pick<ScenarioResult, 'steps'>): Sequence | undefined {
  const arrows = steps
    .flatMap((step, index) => (step.phase === 'cleanup' ? [] : arrowsOf(step, index + 1)))
    .sort((a, b) => a.at - b.at);
  const present = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  if (present.size < 3 || arrows.length > most) return undefined;
  return { parties: order.filter((party) => present.has(party)), arrows };
}

type Message = Pick<ReceivedRequest, 'method' | 'path'>;

function arrowsOf(step: StepResult, stepNumber: number): Arrow[] {
  const failed = step.checks.some(({ state, level }) => state === 'failed' && level !== 'gap' && level !== 'advisory');
  const request = (from: Party, to: Party, { method, path }: Message, at: number): Arrow => ({
    ...{ from, to, label: `${method} ${path}`, kind: 'request', at, stepNumber, failed },
  });
  const target = step.on ?? 'gateway';
  const { exchange, received, notifications } = step;
  const arrows: Arrow[] = [];
  if (exchange !== undefined) {
    const { answer, failure, at, took } = exchange;
    const label = answer === undefined ? (failure?.kind ?? 'no answer') : String(answer.status);
    const kind = answer === undefined ? 'lost' : 'answer';
    arrows.push(request('harness', target, exchange.request, at));
    arrows.push({ from: target, to: 'harness', label, kind, at: at + took, stepNumber, failed });
  }
  if (received !== undefined) arrows.push(request('gateway', 'backend', received, received.at));
  for (const one of notifications?.shown ?? []) arrows.push(request('gateway', 'inbox', one, one.at));
  return arrows;
}
