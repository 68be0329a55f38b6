/** Disturbances between a CSE and its clients: rules as data. */
import type { DefectName } from '../../certs/pki.ts';
import { millisecondsOf } from '../environment/clock.ts';

/** Milliseconds, or a text such as `200ms`, `30s`, `5m`, `1h`, `2d`. */
export type Duration = number | string;

/** Which requests a rule affects: all unless given. */
export interface RequestMatch {
  readonly method?: string;
  /**
   * A path with `*` for any characters, slashes too: `/onem2m/*`. Without one, that path and everything below it. The query is
   * ignored.
   */
  readonly path?: string;
  /** A parameter of the query: `rcn=9`. */
  readonly query?: string;
  /** Root of the resource to be created: `m2m:cin`. */
  readonly creates?: string;
  /** An attribute that the resource to be created must lack. */
  readonly lacks?: string;
  /** The share of them, from 0 to 1, chosen by a seeded generator; all unless given. */
  readonly share?: number;
  /** The first one affected, such as 3 for the third; 1 unless given. */
  readonly after?: number;
  /** How many of them are affected; unlimited unless given. */
  readonly times?: number;
}

/** Effects on the exchange of a request. */
export type ExchangeEffect =
  /** Latency of the answer: fixed, uniform or long-tailed. */
  | { readonly effect: 'latency'; readonly by: Duration }
  | { readonly effect: 'latency'; readonly from: Duration; readonly to: Duration }
  | { readonly effect: 'latency'; readonly median: Duration; readonly p99: Duration }
  /** The body of the answer is sent at so many bytes per second. */
  | { readonly effect: 'throttle'; readonly rate: number }
  /**
   * The connection is closed before any of the answer is sent; over MQTT and CoAP only the answer is lost. The request was
   * executed, unless the request itself is lost.
   */
  | { readonly effect: 'drop'; readonly lost?: 'answer' | 'request' }
  /** Likewise by a TCP reset, over CoAP by a reset message. */
  | { readonly effect: 'reset'; readonly lost?: 'answer' | 'request' }
  /** A 200 without oneM2M headers and body; or `nothing`: the server ends its side of the connection. */
  | { readonly effect: 'empty'; readonly answer?: 'ok' | 'nothing' }
  /**
   * The connection is closed after so many bytes, or this share, of the body (or of the whole answer, including its head). The
   * head still has the full length. Half of the body unless given.
   */
  | { readonly effect: 'truncate'; readonly bytes?: number; readonly keep?: number; readonly of?: 'body' | 'answer' }
  /** The body is sent in chunks, the second with a malformed length. */
  | { readonly effect: 'malformed-chunks' }
  | MessageEffect;

/** Effects on an answer that is a message of its own, as over MQTT, WebSocket and CoAP. HTTP has none of these. */
export type MessageEffect =
  /** It is delivered twice, as QoS 1 permits. */
  | { readonly effect: 'duplicate' }
  /** It is delivered after the next answer, or 100 ms later. */
  | { readonly effect: 'reorder' }
  /** The MQTT server retains it for later subscribers to its topic. */
  | { readonly effect: 'retain' };

/** Effects on the CSE as a whole, whatever the requests. */
export type WholeEffect =
  /**
   * Connections are refused, and existing ones cut; or `silent`: requests are accepted, but neither executed nor
   * answered; by a manual clock they are cut after a minute.
   * At once; with a match, from each such request on, each time for the duration of `for`.
   */
  | { readonly effect: 'dead'; readonly how?: 'refuses' | 'silent' }
  /** New connections are presented a certificate that clients must refuse; an expired one unless another defect is named. */
  | { readonly effect: 'certificate'; readonly is?: DefectName }
  /** The clock of the CSE is ahead by this, or behind with a minus sign. Its times never go back behind those already given. */
  | { readonly effect: 'clock'; readonly by: Duration };

export interface DisturbanceRule {
  /** Not for a certificate or a clock, which affect all requests. */
  readonly match?: RequestMatch;
  readonly do: ExchangeEffect | WholeEffect;
  /** How long the rule stays active, by the clock of the CSE; forever unless given. */
  readonly for?: Duration;
}

export type EffectName = DisturbanceRule['do']['effect'];

/** An unusable rule; the message says where and why. */
export class DisturbanceRuleError extends Error {
  override readonly name = 'DisturbanceRuleError';
}

/** Microseconds that the clock is ahead, by the last rule about it. */
export function offsetIn(rules: readonly DisturbanceRule[]): number {
  const effects = rules.map((rule) => rule.do).toReversed();
  const skew = effects.find((one) => one.effect === 'clock');
  return skew === undefined ? 0 : microsecondsOf(skew.by);
}

/** Negative with a minus sign. */
function microsecondsOf(by: Duration): number {
  const text = String(by);
  const size = typeof by === 'number' ? Math.abs(by) : text.replace(/^[-+]/, '');
  return (text.startsWith('-') ? -1000 : 1000) * millisecondsOf(size);
}
