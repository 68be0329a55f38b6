import type { Capture } from '../grammar/grammar-step.ts';
import type { Named } from '../messages/interpolate.ts';
import { ownValue } from '../own-value.ts';
import type { AnswerView } from './answer.ts';
import { parseTimestamp, writeTimestamp } from './timestamp.ts';

/** The value that a capture names, or the reason why there is none. */
export function capture(what: Capture, answer: AnswerView): Named {
  if (typeof what === 'string') return present(attribute(answer, what), `attribute ${what}`);
  if ('header' in what) return present(answer.headers.get(what.header.toLowerCase()), `header ${what.header}`);
  if ('found' in what) {
    if (answer.found === undefined) return { missing: 'the answer is no discovery result' };
    return present(answer.found[what.found], `element ${what.found} of the discovery result`);
  }
  const value = attribute(answer, what.attribute);
  if (value === undefined) return present(value, `attribute ${what.attribute}`);
  const instant = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (instant === undefined) return { missing: `attribute ${what.attribute} was no timestamp` };
  return { value: writeTimestamp(instant, what.written) };
}

function attribute(answer: AnswerView, name: string): unknown {
  return ownValue(answer.attributes, name);
}

function present(value: unknown, subject: string): Named {
  return value === undefined ? { missing: `${subject} was not in the answer` } : { value };
}
