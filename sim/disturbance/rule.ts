/** What is to go wrong between a CSE and its clients, and when: rules as data. */
import type { DefectName } from '../../certs/pki.ts';
import { millisecondsOf } from '../environment/clock.ts';

/** Milliseconds, or a text such as `200ms`, `30s`, `5m`, `1h`, `2d`. */
export type Duration = number | string;

/** Which requests a rule is about: each of them, unless something is said. */
export interface RequestMatch {
  readonly method?: string;
  /**
   * A path with `*` for any characters, slashes too: `/onem2m/*`. Without one, that path and everything below it. The query is
   * not looked at.
   */
  readonly path?: string;
  /** A parameter of the query: `rcn=9`. */
  readonly query?: string;
  /** Root of what is to be created: `m2m:cin`. */
  readonly creates?: string;
  /** An attribute that what is to be created does not give. */
  readonly lacks?: string;
  /** How many of them, from 0 to 1, chosen by a seeded generator; all unless given. */
  readonly share?: number;
  /** 3: the third of them is the first with which something happens; 1 unless given. */
  readonly after?: number;
  /** With how many of them something happens; without end unless given. */
  readonly times?: number;
}

/** What becomes of the exchange of a request. */
export type ExchangeEffect =
  /** The answer comes later: by the same time always, by any time between two, or mostly soon and seldom late. */
  | { readonly effect: 'latency'; readonly by: Duration }
  | { readonly effect: 'latency'; readonly from: Duration; readonly to: Duration }
  | { readonly effect: 'latency'; readonly median: Duration; readonly p99: Duration }
  /** The body of the answer comes at so many bytes a second. */
  | { readonly effect: 'throttle'; readonly rate: number }
  /**
   * The connection is closed before anything of the answer was sent; over MQTT and CoAP the answer alone is lost. The request was carried
   * out, unless it is the request that is lost.
   */
  | { readonly effect: 'drop'; readonly lost?: 'answer' | 'request' }
  /** The same by a TCP reset, over CoAP by a reset message. */
  | { readonly effect: 'reset'; readonly lost?: 'answer' | 'request' }
  /** A 200 without headers of oneM2M and without a body; or `nothing`: the server ends its side of the connection. */
  | { readonly effect: 'empty'; readonly answer?: 'ok' | 'nothing' }
  /**
   * The connection is closed after so many bytes, or this share, of the body (or of the whole answer, its head included). The
   * head still says how long the body is. One half of the body, unless something is said.
   */
  | { readonly effect: 'truncate'; readonly bytes?: number; readonly keep?: number; readonly of?: 'body' | 'answer' }
  /** The body comes in chunks, of which the second has no length that could be read. */
  | { readonly effect: 'malformed-chunks' }
  | MessageEffect;

/** What becomes of an answer that is a message of its own, as over MQTT, WebSocket and CoAP. HTTP has none of these. */
export type MessageEffect =
  /** It comes twice, as QoS 1 permits. */
  | { readonly effect: 'duplicate' }
  /** It comes after the next answer, or 100 ms later. */
  | { readonly effect: 'reorder' }
  /** The MQTT server keeps it, and gives it to whoever asks for its topic later. */
  | { readonly effect: 'retain' };

/** What is wrong with the CSE as a whole, whatever it is asked. */
export type WholeEffect =
  /**
   * Connections are refused, and those that exist cut; or `silent`: requests are accepted, not carried out and never answered.
   * At once; with a match, from each such request on, and then `for` says how long it is dead each time.
   */
  | { readonly effect: 'dead'; readonly how?: 'refuses' | 'silent' }
  /** New connections are presented a certificate that clients have to refuse; an expired one unless another kind is named. */
  | { readonly effect: 'certificate'; readonly is?: DefectName }
  /** The clock of the CSE is ahead by this; a minus sign before it: behind. Its times are never before those that it has given already. */
  | { readonly effect: 'clock'; readonly by: Duration };

export interface DisturbanceRule {
  /** Not for a certificate or a clock, which are wrong whatever is asked. */
  readonly match?: RequestMatch;
  readonly do: ExchangeEffect | WholeEffect;
  /** How long the rule holds from now on, by the clock of the CSE; without end unless given. */
  readonly for?: Duration;
}

export type EffectName = DisturbanceRule['do']['effect'];

/** A rule that cannot be used; the message says where and why. */
export class DisturbanceRuleError extends Error {
  override readonly name = 'DisturbanceRuleError';
}

/** Microseconds by which the last rule about the clock has it ahead. */
export function offsetIn(rules: readonly DisturbanceRule[]): number {
  const effects = rules.map((rule) => rule.do).toReversed();
  const skew = effects.find((one) => one.effect === 'clock');
  return skew === undefined ? 0 : microsecondsOf(skew.by);
}

/** Behind, where there is a minus sign before it. */
function microsecondsOf(by: Duration): number {
  const text = String(by);
  const size = typeof by === 'number' ? Math.abs(by) : text.replace(/^[-+]/, '');
  return (text.startsWith('-') ? -1000 : 1000) * millisecondsOf(size);
}
