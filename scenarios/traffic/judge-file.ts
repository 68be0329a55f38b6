import { isObject, jsonOf } from '../engine/basics/body.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import type { Catalogue } from '../engine/files/catalogue.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { viewOf } from '../engine/judging/answer.ts';
import type { CseNames } from '../engine/messages/address.ts';
import type { StepResult, TargetDescription } from '../engine/results/result.ts';
import { defaultNames } from '../engine/targets/url-choice.ts';
import { bindingOf } from '../engine/targets/wires/route.ts';
import { isOfHttp } from '../ics/over-wire.ts';
import type { JudgeOptions } from '../oracle/judge.ts';
import type { LoadedRule } from '../oracle/rules.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { learnSecretsOf } from '../secrets/secrets-of.ts';
import { KeptSteps } from './kept-steps.ts';
import type { Listening } from './listen-mqtt.ts';
import { after, firstOf, readTraffic, recordingName } from './read-traffic.ts';
import { isNotification, itself, type RecordedExchange, unusable } from './recorded.ts';
import type { RecordedNotification } from './sent-notifications.ts';
import { TrafficJudge } from './traffic-judge.ts';

export interface TrafficChoice extends Partial<CseNames>, Pick<JudgeOptions, 'rules' | 'dialect' | 'levelOf'> {
  /** URL of the CSE, without exchanges of others; the only one in the recordings when absent. */
  readonly url?: string;
  /** Whether nobody else changed anything there, so that earlier exchanges count. */
  readonly isAlone?: boolean;
  readonly catalogue: Catalogue;
  readonly redactor: Redactor;
  readonly signal?: AbortSignal;
  /** For an MQTT server. */
  readonly listening?: Listening;
}

/** Exchanges to buffer before the first is checked; later ones must not have begun earlier. */
const window = 10_000;

export interface RecordingResult {
  readonly target: TargetDescription;
  readonly notes: readonly string[];
  readonly steps: readonly StepResult[];
  /** Milliseconds since 1970 UTC at which the first exchange began. */
  readonly start: number;
  /** Milliseconds from there to the end of the last one. */
  readonly took: number;
}

/** Throws a UsageError with the position of an error. */
export async function judgeFile(path: string, choice: TrafficChoice): Promise<RecordingResult> {
  const traffic = readTraffic(path, choice.listening);
  const first = await firstOf(traffic, ({ length }) => length >= window);
  const file = recordingName(path);
  if (first.length === 0) throw new UsageError(`${file} holds no exchange with a CSE`);
  const origin = choice.url ?? originIn(first, file);
  const names = cseNamesIn(first, choice.dialect, { ...choice, cseId: choice.cseId ?? cseIdIn(origin) });
  const url = origin.startsWith('//') ? `http:${origin}` : origin;
  const kept = new KeptSteps(url);
  const isOverHttp = bindingOf(url) === undefined;
  const isApplicable = ({ requirement: id }: LoadedRule) =>
    isOverHttp || !isOfHttp(choice.catalogue.requirements.get(id)?.source ?? '');
  const judge = new TrafficJudge({
    ...{ ...choice, rules: choice.rules.filter(isApplicable) },
    // Without a scheme it may be TLS, where rights depend on certificates.
    names: { ...names, url: origin.startsWith('//') ? `https:${origin}` : origin },
    isAlone: choice.isAlone ?? false,
    onChecked(recorded, checks, isAnew = true) {
      const here = checks.map((check) => ({ ...check, place: recorded.place }));
      const { notified, origin: sentTo } = recorded;
      kept.add({ ...recorded, ...(notified && sentTo !== undefined && { sentTo }) }, here, isAnew);
    },
  });
  let end = 0;
  for await (const one of after(first, traffic)) {
    const recorded = feed(judge, one, origin);
    if (recorded === undefined) continue;
    learnSecretsOf(recorded.exchange, choice.redactor);
    end = Math.max(end, recorded.exchange.at + recorded.exchange.took);
    if (choice.signal?.aborted) break;
  }
  judge.settle();
  const { steps, start = 0 } = kept;
  const target = { kind: 'recorded', url, ...names } as const;
  return { target, notes: notesOn(file, kept, judge), steps, start, took: Math.max(0, end - start) };
}

/** Undefined if it does not concern the CSE at this URL. */
function feed(judge: TrafficJudge, one: RecordedExchange, url: string): RecordedExchange | undefined {
  const recorded = one.notified === undefined ? belowPath(one, url) : undefined;
  const sent = recorded === undefined ? sentIn(one, url) : undefined;
  if (sent !== undefined) judge.sent.add(sent);
  // An unreadable one may be a notification.
  else if (recorded === undefined && isUnread(one)) judge.sent.lose();
  if (recorded === undefined) return sent?.recorded;
  if (judge.take(recorded)) judge.settleHalf(window);
  // A request without an answer is reported at the end.
  else if (recorded.to === Number.POSITIVE_INFINITY) judge.loseTrack();
  else {
    const says = `this began before the entry ${window / 2} exchanges above it; sort the file by time`;
    throw unusable(recorded.place, says);
  }
  return recorded;
}

/** Origin of the CSE: the only one that received requests, or oneM2M requests. */
function originIn(recorded: readonly RecordedExchange[], file: string): string {
  const requests = recorded.filter(({ notified }) => notified === undefined);
  const isOneM2m = ({ exchange: { request } }: RecordedExchange) =>
    request.headers.some(([name]) => /^x-m2m-/i.test(name)) && !isNotification(request);
  const originsOf = (some: readonly RecordedExchange[]) => [...new Set(some.flatMap(({ origin }) => origin ?? []))];
  const spoken = originsOf(requests.filter(isOneM2m));
  const [first, ...others] = spoken.length > 0 ? spoken : originsOf(requests);
  if (others.length === 0) return first ?? `//${hostIn(recorded)}`;
  throw new UsageError(`${file} has exchanges with ${[first, ...others].join(', ')}; --url selects one`);
}

function hostIn(recorded: readonly RecordedExchange[]): string {
  const headers = recorded.flatMap(({ exchange }) => exchange.request.headers);
  return headers.find(([name, value]) => /^host$/i.test(name) && URL.canParse(`http://${value}`))?.[1] ?? '127.0.0.1';
}

/** Whether it may be an incomplete notification; its answer does not matter. */
const isUnread = ({ exchange: { request } }: RecordedExchange): boolean =>
  request.exactBytes === true || (isNotification(request) && !isObject(jsonOf(request.body ?? '')));

/** A notification that the CSE at this URL may have sent, if it is one. */
function sentIn(recorded: RecordedExchange, url: string): RecordedNotification | undefined {
  const { notified, exchange } = recorded;
  if (notified === undefined && (isUnread(recorded) || !isNotification(exchange.request))) return undefined;
  const { sender = '' } = notified ?? {};
  const isCertain = sender === itself || sender === url.replace(/\/+$/, '');
  if (sender !== '' && !isCertain) return undefined;
  return { recorded: { notified: {}, ...recorded }, isCertain };
}

/** The exchange without the path of the CSE; undefined if it is with another server. */
function belowPath(recorded: RecordedExchange, url: string): RecordedExchange | undefined {
  const { origin, exchange } = recorded;
  if (origin === undefined) return recorded;
  if (bindingOf(url) !== undefined) return origin === url.replace(/\/+$/, '') ? recorded : undefined;
  const { origin: expected, pathname } = new URL(url);
  const prefix = pathname.replace(/\/+$/, '');
  const { path } = exchange.request;
  if (expected !== origin || !(prefix === '' || path.startsWith(`${prefix}/`))) return undefined;
  return { ...recorded, exchange: { ...exchange, request: { ...exchange.request, path: path.slice(prefix.length) } } };
}

function notesOn(file: string, { count, steps }: KeptSteps, { counts }: TrafficJudge): string[] {
  const { checked, contested, unreadable, isolated, notified } = counts;
  const parts = [
    `${checked} of ${count - notified} exchanges in ${file} were checked`,
    ...(notified > 0 ? [`${notified} notifications of the CSE were checked, too`] : []),
    ...(contested > 0 ? [`${contested} were concurrent with a related write`] : []),
    ...(unreadable > 0 ? [`${unreadable} have no readable answer`] : []),
    ...(steps.length < count ? [`${steps.length} are reported`] : []),
  ];
  const alone = `${isolated} exchanges in ${file} were checked in isolation, since others may have sent requests, too: --alone says that nobody did`;
  return [parts.join('; '), ...(isolated > 1 ? [alone] : [])];
}

/** Over MQTT the topic names the CSE. */
const cseIdIn = (origin: string): string | undefined => /^mqtts?:\/\/[^/]+\/(.+)$/.exec(origin)?.[1];

/** Names of the CSE: as given, else from its CSE base in an answer, else the defaults. */
function cseNamesIn(
  recorded: readonly RecordedExchange[],
  dialect: Dialect,
  { base, cseId, spId }: { readonly [Name in keyof CseNames]?: CseNames[Name] | undefined },
): CseNames {
  const usual = defaultNames(dialect);
  const attributes = recorded.map(({ exchange }) => viewOf(exchange)).find(({ root }) => root === 'm2m:cb')?.attributes;
  const [rn, csi] = [attributes?.rn, attributes?.csi];
  return {
    base: base ?? (typeof rn === 'string' ? rn : usual.base),
    cseId: (cseId ?? (typeof csi === 'string' ? csi : usual.cseId)).replace(/^\//, ''),
    spId: spId ?? usual.spId,
  };
}
