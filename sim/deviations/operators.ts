/** What becomes of an exchange that is meant: one function for each operator, with a memory of its own in each CSE. */
import type { Answer, RequestPrimitive, ResponsePrimitive } from '../core/primitive.ts';
import { DELETED, type ResponseStatus, statusOf, UPDATED } from '../core/status.ts';
import type { Does, LetterClass } from './deviation.ts';
import type { Arrival } from './meant.ts';
import { type Attributes, changed, isObject, isSuccess, listing, resourceIn, showing } from './shown.ts';

/** Serves an exchange that is meant in another way. */
export type Acting = (arrival: Arrival, serve: (request: RequestPrimitive) => Answer) => Answer;

export function actingOf(does: Does): Acting {
  if ('ignore' in does) return ({ request }, serve) => serve(withoutAttribute(request, does.ignore));
  if ('reject' in does) return (_, _serve) => refusal(does.reject);
  if ('pretend' in does) return pretending(does.pretend === 'update' ? UPDATED : DELETED);
  if ('stale' in does) return stale();
  if ('trust' in does) return trusting;
  if ('succeed' in does) return recoded((code) => (code < 3000 ? does.succeed : undefined));
  if ('refuse' in does) return recoded((code) => (code === does.refuse[0] ? does.refuse[1] : undefined));
  if ('lose' in does) return listed((list) => (list.length > (does.above ?? 0) ? without(list, does.lose) : list));
  if ('repeat' in does)
    return listed((list) => [...list, ...(does.repeat === 'first' ? list.slice(0, 1) : list.slice(-1))]);
  const change = changeOf(does);
  return ({ request }, serve) => changed(serve(request), (answer) => showing(answer, change));
}

type ShowDoes = Extract<
  Does,
  | { drop: string }
  | { freeze: string }
  | { swap: readonly [string, string] }
  | { truncate: string }
  | { in: string }
  | { add: number }
  | { stop: string }
  | { wrap: string }
  | { borrow: string }
>;

/** What becomes of the attributes that an answer shows. */
function changeOf(does: ShowDoes): (shown: Attributes) => Attributes {
  if ('drop' in does) return (shown) => ({ ...shown, [does.drop]: undefined });
  if ('freeze' in does) return frozen(does.freeze);
  if ('borrow' in does) return borrowed(does.borrow);
  if ('swap' in does) {
    const [one, other] = does.swap;
    return (shown) =>
      valued(
        valued(shown, one, () => shown[other]),
        other,
        () => shown[one],
      );
  }
  if ('truncate' in does) return (shown) => valued(shown, does.truncate, (value) => cut(value, does.at));
  if ('letters' in does) return (shown) => valued(shown, does.in, (value) => spelled(value, does.letters));
  if ('add' in does) return (shown) => valued(shown, does.to, (value) => added(value, does.add, does.above ?? 0));
  const [name, change] =
    'stop' in does
      ? [does.stop, (value: number) => Math.min(value, does.at)]
      : [does.wrap, (value: number) => value % does.at];
  return (shown) => valued(shown, name, (value) => (typeof value === 'number' ? change(value) : value));
}

/** With another value of an attribute that is there. */
function valued(shown: Attributes, name: string, change: (value: unknown) => unknown): Attributes {
  return shown[name] === undefined ? shown : { ...shown, [name]: change(shown[name]) };
}

function cut(value: unknown, at: number): unknown {
  return typeof value === 'string' ? [...value].slice(0, at).join('') : value;
}

function added(value: unknown, more: number, above: number): unknown {
  return typeof value === 'number' && value > above ? value + more : value;
}

const spellings: Readonly<Record<LetterClass, (text: string) => string>> = {
  'upper case': (text) => text.toLowerCase(),
  'beyond ASCII': (text) => text.replace(/[^\0-\x7f]/gu, '?'),
  'white space': (text) => text.trim(),
  digits: (text) => text.replace(/^0+(?=\d)/, ''),
};

function spelled(value: unknown, letters: LetterClass): unknown {
  if (Array.isArray(value)) return value.map((one) => spelled(one, letters));
  return typeof value === 'string' ? spellings[letters](value) : value;
}

function frozen(name: string): (shown: Attributes) => Attributes {
  const first = new Map<unknown, unknown>();
  return (shown) => {
    if (!first.has(shown.ri)) first.set(shown.ri, shown[name]);
    return { ...shown, [name]: first.get(shown.ri) };
  };
}

function borrowed(name: string): (shown: Attributes) => Attributes {
  let last: Attributes | undefined;
  return (shown) => {
    const other = last !== undefined && last.ri !== shown.ri ? last : undefined;
    last = shown;
    return other?.[name] === undefined ? shown : { ...shown, [name]: other[name] };
  };
}

function withoutAttribute(request: RequestPrimitive, name: string): RequestPrimitive {
  const [[root, given] = []] = isObject(request.content) ? Object.entries(request.content) : [];
  if (root === undefined || !isObject(given) || !(name in given)) return request;
  const { [name]: _ignored, ...rest } = given;
  return { ...request, content: { [root]: rest } };
}

function statusFor(code: number): ResponseStatus {
  return statusOf(code, code < 3000 ? 200 : code < 5000 ? 400 : 500);
}

function refusal(code: number): ResponsePrimitive {
  return { status: statusFor(code), content: { 'm2m:dbg': 'refused' } };
}

function recoded(codeFor: (code: number) => number | undefined): Acting {
  return ({ request }, serve) =>
    changed(serve(request), (answer) => {
      const code = codeFor(answer.status.code);
      if (code === undefined || code === answer.status.code) return answer;
      const { http: _usual, ...rest } = answer;
      return { ...rest, status: statusFor(code) };
    });
}

function listed(change: (list: readonly unknown[]) => readonly unknown[]): Acting {
  return ({ request }, serve) => changed(serve(request), (answer) => listing(answer, change));
}

function without(list: readonly unknown[], which: 'first' | 'last'): readonly unknown[] {
  return which === 'first' ? list.slice(1) : list.slice(0, -1);
}

/** What is shown is remembered at each change, and shown until the next one. */
function stale(): Acting {
  const before = new Map<string, Attributes>();
  return (arrival, serve) => {
    const { request, addressed } = arrival;
    const id = addressed?.id ?? '';
    if (request.operation === 'retrieve')
      return changed(serve(request), (answer) => showing(answer, (shown) => before.get(String(shown.ri)) ?? shown));
    if (request.operation !== 'update' || addressed === undefined) return serve(request);
    const { content: _content, resultContent: _rcn, ...asked } = request;
    return changed(serve({ ...asked, operation: 'retrieve' }), (former) =>
      changed(serve(request), (answer) => {
        const found = resourceIn(former);
        if (isSuccess(answer) && found !== undefined) before.set(id, found.shown);
        return answer;
      }),
    );
  };
}

/** Shows the resource as it is, with the status of what was to be done. */
function pretending(status: ResponseStatus): Acting {
  return ({ request }, serve) => {
    const { content: _content, resultContent: _rcn, ...asked } = request;
    return changed(serve({ ...asked, operation: 'retrieve' }), (answer) =>
      isSuccess(answer) ? { ...answer, status } : answer,
    );
  };
}

const noPrivilege = 4103;

const trusting: Acting = ({ request, core }, serve) =>
  changed(serve(request), (answer) => {
    const { accessControl, cseId } = core.configuration;
    const admin = accessControl.admin ?? `/${cseId}`;
    return answer.status.code === noPrivilege && request.from !== admin ? serve({ ...request, from: admin }) : answer;
  });
