/** The part of a tour that shows a deviation of an installation. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as secureRequest } from 'node:https';
import type { DefectName } from '../../certs/pki.ts';
import { shipped } from '../../certs/shipped.ts';
import type { DialectName } from '../core/resource-type.ts';
import type { CseOptions, ReferenceCse } from '../cse/create-cse.ts';
import type { DrawnDeviation } from '../deviations/drawn/drawn-deviation.ts';
import { installedIn, rowOf } from '../deviations/drawn/operators.ts';
import { type Sender, UnreachableError } from '../dialects/outgoing-message.ts';
import { type ManualClock, manualClock } from '../environment/clock.ts';
import { nextTurn } from '../environment/ports.ts';
import { createSendingCse, joinPair } from '../topology/joined-pair.ts';
import { type CseNode, startNode } from '../topology/node.ts';
import { pairTour, type TourStep, tlsTour, tourInbox } from './installed-tour.ts';
import type { Witness } from './witness.ts';

interface InstalledCses {
  readonly clock: ManualClock;
  readonly members: Readonly<Partial<Record<TourStep['member'], ReferenceCse>>>;
  /** What was sent to others since the last call. */
  sent(): string;
}

/** Undefined where the tour shows no difference. */
export async function installedWitnessOf(
  deviation: DrawnDeviation,
  dialect: DialectName,
): Promise<Witness | undefined> {
  const installed = installedIn(deviation);
  if (installed === undefined) return undefined;
  const { operator, option } = installed;
  if (operator.row['accepts-certificate'] !== undefined) return atHandshake(deviation, option as DefectName);
  const setUp = operator.world === 'tls' ? behindTls : asPair;
  const tour = operator.world === 'tls' ? tlsTour(dialect, 'onem2m') : pairTour(dialect, 'onem2m');
  const difference = (steps: readonly TourStep[]) => differenceOn(steps, deviation, dialect, setUp);
  const found = await difference(tour);
  return found && shortest(tour.slice(0, found.requests.length), found, difference);
}

type SetUp = (options: CseOptions) => Promise<InstalledCses>;

async function differenceOn(
  steps: readonly TourStep[],
  deviation: DrawnDeviation,
  dialect: DialectName,
  setUp: SetUp,
): Promise<Witness | undefined> {
  const one = await setUp(optionsFor(dialect));
  const other = await setUp(optionsFor(dialect, deviation));
  const requests: string[] = [];
  for (const step of steps) {
    const [sound, deviating] = [await outcome(step, one), await outcome(step, other)];
    requests.push(step.description);
    if (sound !== deviating) return { requests, sound, deviating };
  }
  return undefined;
}

/** Removes unnecessary steps, the last ones first. */
async function shortest(
  steps: readonly TourStep[],
  found: Witness,
  difference: (steps: readonly TourStep[]) => Promise<Witness | undefined>,
): Promise<Witness> {
  let [kept, best] = [steps, found];
  for (let at = steps.length - 2; at >= 0; at -= 1) {
    const fewer = kept.filter((_, index) => index !== at);
    const still = await difference(fewer);
    if (still?.requests.length === fewer.length) [kept, best] = [fewer, still];
  }
  return best;
}

function optionsFor(dialect: DialectName, deviation?: DrawnDeviation): CseOptions {
  let made = 0;
  const randomText = (length: number) => String(++made).padStart(length, 'r');
  return {
    ...{ dialect, base: 'onem2m', cseId: 'mn-cse-1', randomText, journal: 0, requireAuth: false },
    ...(deviation && { deviations: [rowOf(deviation)] }),
  };
}

/** The answer, and what the request caused to be sent elsewhere. */
async function outcome({ after, member, request }: TourStep, { clock, members, sent }: InstalledCses): Promise<string> {
  await clock.advance(`${after}s`);
  const answer = await members[member]?.http.handle(request);
  await settled(Object.values(members));
  // The body of an answer to a DELETE is not specified.
  const body = request.method === 'DELETE' ? '' : String(answer?.body ?? '');
  return [answer?.status, body, sent()].filter((part) => part !== '').join(' ');
}

const idleTurns = 10;

async function settled(members: readonly ReferenceCse[]): Promise<void> {
  for (let turn = 0; turn < idleTurns; turn += 1) {
    await Promise.all(members.map(({ core }) => core.services.notifier.settled()));
    await nextTurn();
  }
}

const startTime = 1_700_000_000_000_000;

async function asPair(options: CseOptions): Promise<InstalledCses> {
  const clock = manualClock(startTime);
  const { others, sent } = receiving();
  const { deviations: _deviations, ...backend } = options;
  const pair = await joinPair({
    ...{ clock, others, interval: 60, offset: 60, gateway: options },
    backend: { ...backend, cseId: 'in-cse-1' },
  });
  return { clock, members: pair, sent };
}

async function behindTls(options: CseOptions): Promise<InstalledCses> {
  const clock = manualClock(startTime);
  const { others, sent } = receiving();
  const gateway = createSendingCse({ ...options, clock }, others, { http: { requireCert: true } });
  return { clock, members: { gateway }, sent };
}

/** Receives what is sent to the inbox of a tour. */
function receiving(): { readonly others: Sender; readonly sent: () => string } {
  let heard: string[] = [];
  const others: Sender = {
    async send(url, { method, target, body = '', carried = '' }) {
      if (url !== tourInbox) throw new UnreachableError(`${url}: nobody listens`);
      heard.push(`${method} ${target} ${String(body)}${carried}`);
      return { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };
    },
  };
  const sent = () => {
    const all = heard.sort().join(' ');
    heard = [];
    return all;
  };
  return { others, sent };
}

/** Most connections tried: some deviations affect one in two. */
const connections = 3;

/** A handshake is the same in each dialect. */
async function atHandshake(deviation: DrawnDeviation, defect: DefectName): Promise<Witness | undefined> {
  await using one = await listening();
  await using other = await listening(rowOf(deviation));
  const requests: string[] = [];
  for (let turn = 0; turn < connections; turn += 1) {
    requests.push(`GET /onem2m with the certificate made to be refused as ${defect}`);
    const [sound, deviating] = await Promise.all([connected(one.url, defect), connected(other.url, defect)]);
    if (sound !== deviating) return { requests, sound, deviating };
  }
  return undefined;
}

function listening(...deviations: NonNullable<CseOptions['deviations']>): Promise<CseNode> {
  const { cert: crt, key } = shipped.certificate('mn-cse-1-client-server');
  return startNode({
    cse: { base: 'onem2m', cseId: 'mn-cse-1', deviations },
    http: { enableHttps: true, requireCert: true },
    tls: { crt, key, ca: shipped.chain },
  });
}

/** Whether there was an answer. */
async function connected(url: string | undefined, defect: DefectName): Promise<string> {
  const { cert, key } = shipped.refused(defect);
  const read = (path: string) => readFileSync(path, 'utf8');
  const files = { ca: read(shipped.chain), cert: read(cert), key: read(key) };
  const request = secureRequest(`${url}/onem2m`, { ...files, agent: false, headers: { 'X-M2M-Origin': '//a/b/c' } });
  try {
    const [answer] = await once(request.end(), 'response');
    answer.resume();
    await once(answer, 'end');
    return 'an answer';
  } catch {
    return 'no answer';
  }
}
