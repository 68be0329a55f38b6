import { UsageError } from '../engine/files/diagnostics.ts';
import { headersOf } from '../engine/judging/body.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import type { Place } from '../engine/result.ts';

/** An exchange that somebody else wrote down. Its `at` counts milliseconds since 1970 UTC. */
export interface Recorded {
  readonly exchange: Exchange;
  readonly place: Place;
  /** From when to when it was under way, by one measure for the whole recording; Infinity where it did not come to an end. */
  readonly from: number;
  readonly to: number;
  /** Counts all requests that came to the CSE, where the recording numbers them. */
  readonly number?: number;
  /** Whether both bodies are there as they were sent. */
  readonly isWhole: boolean;
  /** The base URL to which it was sent; absent where the CSE itself wrote down what came. */
  readonly origin?: string;
}

const otherForms = /\b(xml|cbor)\b/i;

/** Whether one side speaks a serialisation that is not read here. */
export function isForeign({ request, answer }: Exchange): boolean {
  const asked = headersOf(request);
  const accepts = asked.get('accept') ?? '*/*';
  if (otherForms.test(`${asked.get('content-type')} ${accepts}`)) return true;
  return accepts.includes('*/') && otherForms.test(headersOf(answer).get('content-type') ?? '');
}

/** What is wrong at a place of a recording. Nothing of the recording is shown: a secret may stand there. */
export function unusable({ file, line, column }: Place, says: string): UsageError {
  return new UsageError(`${file}:${line}:${column}: ${says}`);
}
