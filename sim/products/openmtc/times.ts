/** OpenMTC: times, in whole seconds and the basic form of ISO 8601. */
import type { HttpRequest } from '../../dialects/http-message.ts';
import type { Sender } from '../../dialects/outgoing-message.ts';
import { readTimestamp } from '../../dialects/timestamp.ts';
import { handling } from '../../faults/vocabulary/blocks.ts';
import { withBody } from '../../faults/vocabulary/changed-answers.ts';
import { asking, pathOf, queryOf } from '../../faults/vocabulary/changed-requests.ts';
import { isObject, jsonIn } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';

const second = 1_000_000;
const names: ReadonlySet<string> = new Set(['ct', 'lt', 'et']);
/** Criteria that hold after a time, and before one. */
const after = ['cra', 'ms', 'exa'];
const before = ['crb', 'us', 'exb'];

function basic(microseconds: number): string {
  return new Date(microseconds / 1000).toISOString().replaceAll(/[-:]|\..*$/g, '');
}

function extended(microseconds: number): string {
  const text = new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19);
  return `${text}.${String(microseconds % second).padStart(6, '0')}+00:00`;
}

export function inSeconds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSeconds);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const time = names.has(name) && typeof one === 'string' ? readTimestamp(one) : undefined;
      return [name, time === undefined ? inSeconds(one) : basic(time)];
    }),
  );
}

/** The criteria as they are held against times in whole seconds. */
function comparing(request: HttpRequest): HttpRequest {
  const query = queryOf(request);
  const given = [...after, ...before].filter((name) => readTimestamp(query.get(name) ?? '') !== undefined);
  if (given.length === 0) return request;
  for (const name of given) {
    const time = readTimestamp(query.get(name) ?? '') ?? 0;
    const whole = Math.floor(time / second) * second;
    const late = whole + second;
    query.set(name, extended(after.includes(name) ? late - 1 : time === whole ? whole : late));
  }
  return asking(request, pathOf(request), query);
}

export const times: readonly Quirk[] = [
  {
    id: 'timestamp.basic',
    says: 'Times are written in the basic form, in whole seconds and without an offset.',
    notes: 'openmtc.md introduction: Times are UTC YYYYMMDDTHHMMSS; 11',
    violates: { documented: ['wire.timestamp-shape'] },
    wrap: handling(async (request, service) => {
      const answer = await service.handle(comparing(request));
      const value = jsonIn(answer.body);
      return isObject(value) ? withBody(answer, inSeconds(value)) : answer;
    }),
    wrapSender: (sender): Sender => ({
      send(baseUrl, request, signal) {
        const value = jsonIn(request.body ?? '');
        const sent = isObject(value) ? { ...request, body: JSON.stringify(inSeconds(value)) } : request;
        return sender.send(baseUrl, sent, signal);
      },
    }),
  },
];
