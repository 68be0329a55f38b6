/** The exchanges of a run in the common form from which archives are made. */

import { getOrAdd } from '../engine/basics/memoize.ts';
import { isOfRaw } from '../engine/judging/sentences.ts';
import { primitiveFields, primitiveOf } from '../engine/messages/primitive.ts';
import type { Exchange, WireName } from '../engine/results/exchange.ts';
import type { RunResult, ScenarioResult, StepResult } from '../engine/results/result.ts';
import { bindingOf } from '../engine/targets/wires/route.ts';

export interface ExportedExchange {
  readonly scenario: ScenarioResult;
  readonly title: string;
  /** Base URL of the CSE. */
  readonly url: string;
  readonly cseId: string;
  readonly wire: WireName | 'HTTP';
  /** Milliseconds since 1970 UTC of beginning and end, in whole microseconds. */
  readonly from: number;
  readonly to: number;
  readonly exchange: Exchange;
  /** Whether the target sent it to an inbox; a result does not have the answer. */
  readonly isNotification?: true;
}

/** Bytes that one side sends at once. */
export interface Flight {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly isAnswer: boolean;
  readonly bytes: Buffer;
  readonly comment?: string;
}

/** The scenario, the step, and any failure. */
export const commentOf = ({ scenario, title, exchange }: ExportedExchange): string =>
  [`${scenario.id}: ${title}`, ...(exchange.failure ? [exchange.failure.message] : [])].join(' · ');

/** In the order in which they began. */
export function exportedOf(result: RunResult): ExportedExchange[] {
  const began = Date.parse(result.startedAt);
  const all = result.scenarios.flatMap((scenario) => [
    ...notified(scenario, began),
    ...scenario.steps.flatMap((step) => {
      const { exchange } = step;
      if (exchange === undefined) return [];
      const { url, cseId } = targetOf(result, scenario, step);
      const wire = bindingOf(url)?.wire ?? 'HTTP';
      const title = wire === 'HTTP' && isOfRaw(step.title) ? `${step.title} (by the letter, no client)` : step.title;
      const from = micros(began + exchange.at);
      return [{ scenario, title, url, cseId, wire, from, to: from + micros(exchange.took), exchange } as const];
    }),
  ]);
  const { serialization } = result.target;
  return (serialization === 'cbor' ? all.map(asJson) : all).sort((a, b) => a.from - b.from);
}

/** Results contain CBOR as JSON, and so do archives, which say so. Invalid CBOR stays as it is. */
function asJson({ exchange, title, ...one }: ExportedExchange): ExportedExchange {
  const { request, answer } = exchange;
  const asJsonMessage = <M extends Pick<Exchange['request'], 'headers' | 'body'>>(message: M): M => ({
    ...message,
    headers: message.headers.map(([name, value]) =>
      /^(accept|content-type)$/i.test(name) ? [name, value.replaceAll('cbor', 'json')] : [name, value],
    ),
  });
  const isRead = !answer?.body.startsWith("h'");
  const readAnswer = answer && isRead ? asJsonMessage(answer) : answer;
  const converted = { ...exchange, request: asJsonMessage(request), ...(readAnswer && { answer: readAnswer }) };
  return { ...one, title: `${title} (in CBOR, which is written here as JSON)`, exchange: converted };
}

/** Notifications to the inboxes of a scenario, each once, as far as the result has them. */
function notified(scenario: ScenarioResult, began: number): ExportedExchange[] {
  const found = new Map<string, ExportedExchange>();
  for (const { notifications, title } of scenario.steps) {
    const { url, shown = [] } = notifications ?? {};
    if (url === undefined || !URL.canParse(url)) continue;
    const { protocol, host } = new URL(url);
    const wire = bindingOf(url)?.wire ?? 'HTTP';
    for (const { at, ...request } of shown) {
      const [from, exchange] = [micros(began + at), { request, at, took: 0, curl: '' }];
      const about = { scenario, title, url: `${protocol}//${host}`, cseId: '', wire, exchange } as const;
      found.set(`${at} ${request.path} ${request.body}`, { ...about, from, to: from, isNotification: true });
    }
  }
  return [...found.values()];
}

/** Grouped by scenario and CSE. */
export function byConversation(all: readonly ExportedExchange[]): ExportedExchange[][] {
  const together = new Map<string, ExportedExchange[]>();
  for (const one of all) getOrAdd(together, `${one.scenario.id} ${one.url}`, () => []).push(one);
  return [...together.values()];
}

function targetOf({ installations, target }: RunResult, { installation }: ScenarioResult, { on }: StepResult) {
  const { gateway = target, backend = gateway } = installations.find(({ name }) => name === installation) ?? {};
  return on === 'backend' ? backend : gateway;
}

const micros = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;

/** A body in a result: a long one is cut, and ends with its length. */
export function keptBody(text = ''): { readonly text: string; readonly length: number; readonly isCut: boolean } {
  const [marked, length] = /… \((\d+) (?:bytes|characters)\)$/.exec(text) ?? [];
  if (marked === undefined) return { text, length: Buffer.byteLength(text), isCut: false };
  const kept = text.slice(0, -marked.length);
  return { text: kept, length: Math.max(Number(length), Buffer.byteLength(kept) + 1), isCut: true };
}

/** Without the entry that counts omitted headers. */
export const keptHeaders = (headers: Exchange['request']['headers']) => headers.filter(([name]) => name !== '…');

/** The request; a cut body stays cut. */
export function requestText({ request }: Exchange): string {
  const { body, ...others } = request;
  return withContent(primitiveOf({ ...others, headers: keptHeaders(request.headers) }), body);
}

/** The answer, with the identifier of the request. */
export function answerText({ request, answer }: Exchange): string {
  const { rqi } = primitiveFields(keptHeaders(request.headers));
  return withContent({ rqi, ...primitiveFields(keptHeaders(answer?.headers ?? [])) }, answer?.body);
}

function withContent(fields: Readonly<Record<string, unknown>>, body: string | undefined): string {
  const { text } = keptBody(body);
  const json = JSON.stringify(fields);
  return text === '' ? json : `${json.slice(0, -1)},"pc":${text}}`;
}
