/** @jsxRuntime automatic @jsxImportSource preact */

import type { ReceivedRequest, ScenarioResult, StepResult } from '../../scenarios/words.ts';
import { displayState, visibleText } from '../facts/wording.ts';

/** In the units of the picture. */
const lane = 256;
const row = 34;
const top = 44;
const margin = 90;
/** Characters that fit above an arrow. */
const mostLetters = 34;

/** The parties of a scenario, from left to right. */
const names = { harness: 'harness', gateway: 'gateway', backend: 'backend', inbox: 'notification target' };
type Party = keyof typeof names;

/** The messages between the parties of a scenario, each linked to its step below; `anchor`: of the scenario. */
export function SequenceView({ sequence, anchor }: { sequence: Sequence; anchor: string }) {
  const { parties, arrows } = sequence;
  const width = margin * 2 + lane * (parties.length - 1);
  const height = top + row * arrows.length + 20;
  const x = (party: Party) => margin + lane * parties.indexOf(party);
  return (
    <figure class="sequence">
      <figcaption>Who sent what to whom, in the order of time; arrow keys go along, Enter leads to the step</figcaption>
      <div class="scroll">
        {/* biome-ignore lint/a11y/useSemanticElements: a picture has no fieldset */}
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label="Messages">
          {parties.map((party) => (
            <PartyView key={party} name={names[party]} x={x(party)} height={height} />
          ))}
          {arrows.map((arrow, index) => (
            <ArrowView
              {...{ key: index, arrow, href: `#${anchor}:${arrow.stepNumber}`, tabIndex: index === 0 ? 0 : -1 }}
              {...{ from: x(arrow.from), to: x(arrow.to), y: top + row * (index + 0.7) }}
            />
          ))}
        </svg>
      </div>
    </figure>
  );
}

const PartyView = ({ name, x, height }: { name: string; x: number; height: number }) => (
  <g>
    <line class="lifeline" x1={x} x2={x} y1={28} y2={height} />
    <text class="party" x={x} y={18} text-anchor="middle">
      {name}
    </text>
  </g>
);

const wordsOf = ({ from, to, label, stepNumber }: Arrow): string =>
  `${names[from]} to ${names[to]}: ${visibleText(label)}, step ${stepNumber}`;

/** All numbers but the index are coordinates. */
type ArrowProps = { arrow: Arrow; href: string } & Readonly<Record<'from' | 'to' | 'y' | 'tabIndex', number>>;

function ArrowView({ arrow, from, to, y, href, tabIndex }: ArrowProps) {
  const { kind, failed, stepNumber, label } = arrow;
  const direction = to > from ? 1 : -1;
  const end = to - direction * 2;
  const text = visibleText(label);
  const shortened = text.length > mostLetters ? `${text.slice(0, mostLetters - 1)}…` : text;
  return (
    <a tabIndex={tabIndex} href={href} class={`arrow ${kind}${failed ? ' failed' : ''}`} aria-label={wordsOf(arrow)}>
      <title>{`step ${stepNumber}: ${text}`}</title>
      <text x={(from + to) / 2} y={y - 5} text-anchor="middle">
        {shortened}
      </text>
      <line x1={from} x2={end} y1={y} y2={y} />
      <path d={`M${end - direction * 7} ${y - 4} L${end} ${y} L${end - direction * 7} ${y + 4}`} />
    </a>
  );
}

/** A message from one party to another. */
interface Arrow {
  readonly from: Party;
  readonly to: Party;
  readonly label: string;
  readonly kind: 'request' | 'answer' | 'lost';
  /** Milliseconds since the start of the run. */
  readonly at: number;
  /** Its step, from 1. */
  readonly stepNumber: number;
  readonly failed: boolean;
}

interface Sequence {
  readonly parties: readonly Party[];
  readonly arrows: readonly Arrow[];
}

/** With more messages a picture does not help. */
const most = 60;

/** The messages of a scenario in time order; undefined for only two parties, or too many messages. */
export function sequenceOf({ steps }: Pick<ScenarioResult, 'steps'>): Sequence | undefined {
  const arrows = steps
    .flatMap((step, index) => (step.phase === 'cleanup' ? [] : arrowsOf(step, index + 1)))
    .sort((a, b) => a.at - b.at);
  const present = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  if (present.size < 3 || arrows.length > most) return undefined;
  const parties = (Object.keys(names) as Party[]).filter((party) => present.has(party));
  return { parties, arrows };
}

type Message = Pick<ReceivedRequest, 'method' | 'path'>;

function arrowsOf(step: StepResult, stepNumber: number): Arrow[] {
  const failed = step.checks.some((check) => displayState(check) === 'failed');
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
