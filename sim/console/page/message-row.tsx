/** One message of the sequence picture: request and answer, and below them an arrow to the receiver and one back. */
import type { MessageSummary } from '../traffic.ts';
import { routeText, timeOfDay, toneOf, tookText } from './labels.ts';
import { state } from './state.ts';

/** Gateways with a line of their own. */
const mostLines = 4;
const others = 'other gateways';

/** Senders and receivers of messages, from left to right. */
export function partiesOf(): readonly string[] {
  const idsOf = (wanted: string) => state.cses.filter(({ role }) => role === wanted).map(({ cseId }) => cseId);
  const gateways = idsOf('gateway');
  const more = gateways.length > mostLines ? [others] : [];
  return ['applications', ...gateways.slice(0, mostLines), ...more, ...idsOf('backend')];
}

/** `position` is from 1. */
export function messageRow(
  summary: MessageSummary,
  parties: readonly string[],
  isActive: boolean,
  [position, size]: readonly [number, number],
) {
  const { id, at, method, target } = summary;
  return {
    key: String(id),
    attributes: {
      ...{ role: 'option' as const, class: `message ${toneOf(summary)}`, 'aria-selected': isActive },
      ...{ 'aria-posinset': position, 'aria-setsize': size },
      'aria-label': `${timeOfDay(at)}, ${routeText(summary)}: ${method} ${target}, ${answerText(summary)}`,
    },
    content: <MessageView summary={summary} parties={parties} />,
  };
}

function MessageView({ summary, parties }: { summary: MessageSummary; parties: readonly string[] }) {
  const { method, target, wire } = summary;
  const time = timeOfDay(summary.at);
  return (
    <>
      <span class="time">
        {time.slice(0, 8)}
        <i>{time.slice(8)}</i>
      </span>
      <div class="exchange">
        <span class="asked">
          <b>{method}</b> <small>{wire}</small> {target}
        </span>
        <span class="answered">{answerText(summary)}</span>
        <div class="lane-lines">
          {parties.map((party, index) => (
            <i key={party} class="lane" style={{ left: offsetOf(index, parties) }} />
          ))}
          <Arrows from={columnOf(summary.from, parties)} to={columnOf(summary.to, parties)} parties={parties} />
        </div>
      </div>
    </>
  );
}

function Arrows({ from, to, parties }: { from: number; to: number; parties: readonly string[] }) {
  const style = { left: offsetOf(Math.min(from, to), parties), width: gapOf(parties, Math.abs(to - from)) };
  return <div class={`arrows ${from <= to ? 'rightward' : 'leftward'}`} style={style} />;
}

function answerText({ status, rsc, reason, took, problem }: MessageSummary): string {
  if (problem !== undefined) return `no answer: ${problem}`;
  if (status === undefined) return 'waiting …';
  const why = reason === undefined ? '' : `: ${reason}`;
  return `${status}${rsc === undefined ? '' : ` (${rsc})`} in ${tookText(took ?? 0)}${why}`;
}

function columnOf(party: string, parties: readonly string[]): number {
  const at = parties.indexOf(party);
  return at >= 0 ? at : Math.max(0, parties.indexOf(others));
}

/** Percent of the width between the first line and the last, and before the first. */
const [span, edge] = [80, 10];

/** The width of this many lanes. */
export const gapOf = (parties: readonly string[], many = 1): string =>
  `${(many * span) / Math.max(1, parties.length - 1)}%`;

export const offsetOf = (at: number, parties: readonly string[]): string => `calc(${edge}% + ${gapOf(parties, at)})`;
