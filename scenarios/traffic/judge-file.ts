import { isObject, jsonOf } from '../engine/basics/body.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { viewOf } from '../engine/judging/answer.ts';
import type { CseNames } from '../engine/messages/address.ts';
import type { StepResult, TargetDescription } from '../engine/results/result.ts';
import { defaultNames } from '../engine/targets/url-choice.ts';
import { bindingOf } from '../engine/targets/wires/route.ts';
import type { JudgeOptions } from '../oracle/judge.ts';
import type { LoadedRule } from '../oracle/rules.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { learnSecretsOf } from '../secrets/secrets-of.ts';
import { KeptSteps } from './kept-steps.ts';
import type { Listening } from './listen-mqtt.ts';
import { after, readTraffic, recordingName } from './read-traffic.ts';
import { isNotification, itself, type RecordedExchange, unusable } from './recorded.ts';
import type { RecordedNotification } from './sent-notifications.ts';
import { TrafficJudge } from './traffic-judge.ts';

export interface TrafficChoice extends Partial<CseNames>, Pick<JudgeOptions, 'rules' | 'dialect' | 'levelOf'> {
  /** Where the CSE is: exchanges with others are left out. The only one in the recordings when absent. */
  readonly url?: string;
  /** Whether nobody else changed anything there meanwhile, so that what came before counts. */
  readonly isAlone?: boolean;
  /** Whether a requirement is of the binding of HTTP alone. */
  readonly isOfHttp: (requirement: string) => boolean;
  readonly redactor: Redactor;
  readonly signal?: AbortSignal;
  /** Where a server is listened to. */
  readonly listening?: Listening;
}

/** So many exchanges are looked at before the first is judged; what is written later than that may not have begun before. */
const window = 10_000;

/** A recording that was judged. */
export interface RecordingResult {
  readonly target: TargetDescription;
  readonly notes: readonly string[];
  readonly steps: readonly StepResult[];
  /** Milliseconds since 1970 UTC at which the first exchange began. */
  readonly start: number;
  /** Milliseconds from there to the end of the last one. */
  readonly took: number;
}

/** Throws a UsageError with the place of what cannot be used. */
export async function judgeFile(path: string, choice: TrafficChoice): Promise<RecordingResult> {
  const traffic = readTraffic(path, choice.listening);
  const first = await firstOf(traffic);
  const file = recordingName(path);
  if (first.length === 0) throw new UsageError(`${file} holds no exchange with a CSE`);
  const origin = choice.url ?? originIn(first, file);
  const names = cseNamesIn(first, choice.dialect, { ...choice, cseId: choice.cseId ?? cseIdIn(origin) });
  const url = origin.startsWith('//') ? `http:${origin}` : origin;
  const kept = new KeptSteps(url);
  const isApplicable = ({ requirement }: LoadedRule) => bindingOf(url) === undefined || !choice.isOfHttp(requirement);
  const judge = new TrafficJudge({
    ...{ ...choice, rules: choice.rules.filter(isApplicable) },
    // Where nobody says so, it may be TLS, and who is served another matter.
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

/** Undefined for what has nothing to do with the CSE at this URL. */
function feed(judge: TrafficJudge, one: RecordedExchange, url: string): RecordedExchange | undefined {
  const recorded = one.notified === undefined ? belowPath(one, url) : undefined;
  const sent = recorded === undefined ? sentIn(one, url) : undefined;
  if (sent !== undefined) judge.takeSent(sent);
  // It may have been a notification.
  else if (recorded === undefined && isUnread(one)) judge.loseSent();
  if (recorded === undefined) return sent?.recorded;
  if (judge.take(recorded)) judge.settleHalf(window);
  // What nobody has answered for so long is told when all is over.
  else if (recorded.to === Number.POSITIVE_INFINITY) judge.loseTrack();
  else
    throw unusable(
      recorded.place,
      `this began before what stands ${window / 2} exchanges above it; sort the file by time`,
    );
  return recorded;
}

async function firstOf(traffic: AsyncGenerator<RecordedExchange>): Promise<RecordedExchange[]> {
  const first: RecordedExchange[] = [];
  while (first.length < window) {
    const { value, done } = await traffic.next();
    if (done) break;
    first.push(value);
  }
  return first;
}

/** Where the CSE is: the only place to which anything was sent, or the only one that was spoken to by oneM2M. */
function originIn(recorded: readonly RecordedExchange[], file: string): string {
  const requests = recorded.filter(({ notified }) => notified === undefined);
  const isOneM2m = ({ exchange: { request } }: RecordedExchange) =>
    request.headers.some(([name]) => /^x-m2m-/i.test(name)) && !isNotification(request);
  const originsOf = (some: readonly RecordedExchange[]) => [...new Set(some.flatMap(({ origin }) => origin ?? []))];
  const spoken = originsOf(requests.filter(isOneM2m));
  const [first, ...others] = spoken.length > 0 ? spoken : originsOf(requests);
  if (others.length === 0) return first ?? `//${hostIn(recorded)}`;
  throw new UsageError(`${file} has exchanges with ${[first, ...others].join(', ')}; --url says which one is judged`);
}

function hostIn(recorded: readonly RecordedExchange[]): string {
  const headers = recorded.flatMap(({ exchange }) => exchange.request.headers);
  return headers.find(([name, value]) => /^host$/i.test(name) && URL.canParse(`http://${value}`))?.[1] ?? '127.0.0.1';
}

/** Whether it may be a notification that is not there as it was sent; how it was answered does not matter. */
const isUnread = ({ exchange: { request } }: RecordedExchange): boolean =>
  request.exactBytes === true || (isNotification(request) && !isObject(jsonOf(request.body ?? '')));

/** What the CSE at this URL may have sent by itself; undefined for anything else. */
function sentIn(recorded: RecordedExchange, url: string): RecordedNotification | undefined {
  const { notified, exchange } = recorded;
  if (notified === undefined && (isUnread(recorded) || !isNotification(exchange.request))) return undefined;
  const { sender = '' } = notified ?? {};
  const isCertain = sender === itself || sender === url.replace(/\/+$/, '');
  if (sender !== '' && !isCertain) return undefined;
  return { recorded: { notified: {}, ...recorded }, isCertain };
}

/** Undefined for an exchange with somebody else; without the path at which the CSE is. */
function belowPath(recorded: RecordedExchange, url: string): RecordedExchange | undefined {
  const { origin, exchange } = recorded;
  if (origin === undefined) return recorded;
  if (bindingOf(url) !== undefined) return origin === url.replace(/\/+$/, '') ? recorded : undefined;
  const { origin: expected, pathname } = new URL(url);
  const isSame = expected === origin;
  const prefix = pathname.replace(/\/+$/, '');
  const { path } = exchange.request;
  if (!isSame || !(prefix === '' || path.startsWith(`${prefix}/`))) return undefined;
  return { ...recorded, exchange: { ...exchange, request: { ...exchange.request, path: path.slice(prefix.length) } } };
}

function notesOn(file: string, { count, steps }: KeptSteps, { counts }: TrafficJudge): string[] {
  const { checked, contested, unreadable, isolated, notified } = counts;
  const parts = [
    `${checked} of ${count - notified} exchanges in ${file} were judged`,
    ...(notified > 0 ? [`${notified} of the notifications that the CSE sent were judged, too`] : []),
    ...(contested > 0 ? [`${contested} were under way together with a write that may have to do with them`] : []),
    ...(unreadable > 0 ? [`${unreadable} have no answer that can be read`] : []),
    ...(steps.length < count ? [`${steps.length} are told`] : []),
  ];
  const alone =
    isolated > 1
      ? [
          `${isolated} exchanges in ${file} were judged by themselves, since others may have sent something there too: --alone says that nobody did`,
        ]
      : [];
  return [parts.join('; '), ...alone];
}

/** Over MQTT each message says which CSE it is for. */
const cseIdIn = (origin: string): string | undefined => /^mqtts?:\/\/[^/]+\/(.+)$/.exec(origin)?.[1];

/** How a CSE is called: what is said, else what an answer shows of its CSE base, else what is usual. */
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
