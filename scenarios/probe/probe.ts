/** `cselab probe`: finds out by cautious reads how to reach a CSE, its dialect and its features. */
import { defined } from '../engine/basics/defined.ts';
import { now, since, type Target } from '../engine/messages/target.ts';
import { pathSegment } from '../engine/messages/wire.ts';
import type { TargetDescription } from '../engine/results/result.ts';
import { Deaths } from '../engine/running/losses.ts';
import { runId } from '../engine/running/scenario/scenario-context.ts';
import { ConnectionSlots } from '../engine/targets/exchanging/load-limits.ts';
import { isSuspicious, wasUnderWay } from '../engine/targets/liveness.ts';
import { livenessOf, targetAt } from '../engine/targets/reach-url.ts';
import { certificateFor, type PreparedUrl, prepareUrl, type UrlChoice } from '../engine/targets/url-choice.ts';
import { onlyRead } from '../safety/guard.ts';
import { RunSafety } from '../safety/run-safety.ts';
import { shippedFor } from '../target-files/read-target-file.ts';
import { findAbilities, findDiscovery, typeFindings } from './abilities.ts';
import { findAddresses, findOriginators } from './addresses.ts';
import { type Asker, type AskerOptions, askerOf, onlyOriginator, releases } from './asker.ts';
import { findByWriting, type WriteFindings } from './by-writing.ts';
import { type Base, findBase, missing, type Search, usualOriginators } from './find-base.ts';
import { type Finding, type FoundTarget, inOrder, mergedFeatures, type ProbeResult } from './finding.ts';
import { dialectOf, identityOf, productOf } from './identity.ts';
import { anyIdentifier, ownName, type ProbeContext } from './subtree.ts';
import {
  clockOf,
  connectionOf,
  findDemands,
  findErrorForm,
  findRelease,
  findSecurity,
  lengthOf,
  wordingOf,
} from './wording.ts';

export interface ProbeOptions {
  /** Also creates a small subtree, to see what is accepted, and deletes it. */
  readonly write?: boolean;
  /** Ends the probe; created resources are still deleted. */
  readonly signal?: AbortSignal;
  /** Milliseconds for each request; 5,000 when absent. */
  readonly timeout?: number;
  /** Restarts a target that stays dead for `waitForTarget`. */
  readonly restart?: () => Promise<void>;
  /** Most requests per second; 10 when absent. */
  readonly rate?: number;
  /** Directory of the ledger of created resources; none when absent. */
  readonly ledger?: string;
  /** Secrets to mask there. */
  readonly secrets?: readonly string[];
}

/** Most requests: reads alone, and with creations. Deletions are extra. */
const mostRequests = { reading: 32, writing: 60 };
/** Milliseconds for each request. */
const usualTimeout = 5000;
/** Milliseconds to watch whether the target closes the connection after its answer. */
const closeWatch = 100;
/** Upper limit, whatever the options are. */
const highestRate = 10;

/** Rejects with a UsageError for invalid options. Everything else becomes part of the result. */
export async function probe(choice: UrlChoice, options: ProbeOptions = {}): Promise<ProbeResult> {
  const prepared = await prepareUrl(choice);
  const started = now();
  const { write, signal, timeout = usualTimeout, rate = highestRate } = options;
  // One connection at a time.
  const polite = { slots: new ConnectionSlots(1), ...prepared.loadLimits, connections: 1, keepAlive: false };
  const target = (description: TargetDescription) =>
    targetAt({ ...prepared, description }, { ...polite, timeout, startedAt: started });
  const reader = onlyRead(target(prepared.description), prepared.choice.handsOff);
  const { deaths, survives } = survivalOf(reader, prepared, started, options);
  const most = write ? mostRequests.writing : mostRequests.reading;
  const gap = 1000 / Math.min(rate, highestRate);
  const asker = askerOf(reader, prepared, { gap, most, originator: undefined, signal, survives });
  try {
    const only = onlyOriginator(prepared);
    const found = await probed({ asker, prepared, options, target, only, run: runId() });
    const died = deaths.all.length > 0 && { deaths: deaths.all };
    return { url: prepared.description.url, ...found, ...died, requests: asker.requests, took: since(started) };
  } finally {
    await reader.close();
    await prepared.route?.close();
  }
}

/** Waits for a target that dies during the probe. */
function survivalOf(
  reader: Target,
  prepared: PreparedUrl,
  startedAt: number,
  { timeout = usualTimeout, restart, signal = new AbortController().signal }: ProbeOptions,
): { readonly deaths: Deaths; readonly survives: NonNullable<AskerOptions['survives']> } {
  const liveness = livenessOf({ gateway: reader }, prepared, { timeout });
  const deaths = new Deaths({ liveness, startedAt, restart, signal, emit: () => {} });
  const survives: AskerOptions['survives'] = async (exchange, number) => {
    if (deaths.isDown) return 'gone';
    if (!isSuspicious(exchange)) return 'alive';
    await liveness.look();
    if (!deaths.isDown) return 'alive';
    const { method, path } = exchange.request;
    const lost = { method, path, scenario: 'probe', step: number - 1, curl: exchange.curl };
    const isUnderWay = wasUnderWay(exchange);
    deaths.record(isUnderWay ? [lost] : []);
    // One request at a time: there is no other.
    if (isUnderWay) deaths.diedAlone(lost);
    return (await deaths.comeBack()) ? 'back' : 'gone';
  };
  return { deaths, survives };
}

interface Probing {
  readonly asker: Asker;
  readonly prepared: PreparedUrl;
  readonly options: ProbeOptions;
  /** Opens the target with the names found. */
  readonly target: (description: TargetDescription) => Target;
  /** The only permitted originator. */
  readonly only: string | undefined;
  /** Id in the names of created resources. */
  readonly run: string;
}

async function probed(probing: Probing): Promise<Omit<ProbeResult, 'url' | 'requests' | 'took'>> {
  const { asker, options, run } = probing;
  const search = await searched(probing);
  if (search.kind !== 'base') {
    return { ...missing(search, asker.interrupted, probing.prepared), findings: [], wrote: false, leftBehind: [] };
  }
  const { base } = search;
  const read = await readAll(probing, base);
  const write = options.write === true && !asker.interrupted;
  const written = write ? await writeSome(probing, base, read.target) : undefined;
  const all = [...read.findings, ...(written?.findings ?? [])];
  const others = all.filter(({ topic }) => topic !== 'implements');
  const findings = inOrder([...others, ...mergedFeatures(all, write, read.target.dialect)]);
  const { mayRegister, accessControl, lifetime, leftBehind = [] } = written ?? {};
  const target = { ...read.target, ...defined({ mayRegister, accessControl, lifetime }) };
  const { interrupted } = asker;
  const says = interrupted ? 'interrupted: what was found until then' : saysFound(target);
  const outcome = interrupted ? 'interrupted' : 'found';
  return { outcome, says, target, findings, wrote: write, leftBehind, ...(write && { run }) };
}

function searched({ asker, prepared: { choice, description }, only }: Probing): Promise<Search> {
  const admin = choice.admin === undefined ? [] : [choice.admin];
  const originators = only === undefined ? [...new Set([...admin, ...usualOriginators])] : [only];
  const others = choice.release === undefined ? releases.toReversed() : [];
  const wanted = { name: choice.base, first: description.base, originators, watch: closeWatch, releases: others };
  return findBase(asker, wanted);
}

async function readAll(
  { asker, prepared, only }: Probing,
  base: Base,
): Promise<{ readonly target: FoundTarget; readonly findings: readonly Finding[] }> {
  const clock = clockOf(base, Date.now());
  const { choice, description } = prepared;
  const identity = identityOf(base);
  const { dialect, finding: dialectFinding } = dialectOf(base);
  const { finding: productFinding, product, version } = productOf(base);
  const shipped = shippedFor(product)?.choice;
  asker.speak({ dialect });
  const usual = choice.release ?? shipped?.release;
  const named = await findRelease(asker, base, { listed: identity.releases, usual });
  const release = choice.release ?? named.release;
  asker.speak(defined({ release }));
  const demands = await findDemands(asker, base);
  const security = await findSecurity(asker, base, prepared);
  const originators = await findOriginators(asker, base, only);
  const spId = choice.spId ?? identity.spId;
  const supposed = [shipped?.spId, description.spId].filter((one) => one !== undefined);
  const addresses = await findAddresses(asker, base, { ...identity, ...defined({ spId }) }, supposed);
  const features = [...(await findDiscovery(asker, base)), ...(await findAbilities(asker, base))];
  const wording = [...named.findings, ...(await findErrorForm(asker, base))];
  return {
    target: {
      url: addresses.structured ? description.url : `${description.url}${base.prefix}`,
      dialect,
      base: base.name,
      ...defined({ cseId: identity.cseId, spId: spId ?? addresses.spId }),
      ...defined({ release: dialect === 'onem2m' ? release : undefined }),
      ...defined({ product, version, requireCert: security.requireCert }),
      ...defined({ admin: originators.admin, accessControl: originators.accessControl }),
    },
    findings: [
      ...[productFinding, dialectFinding, ...addresses.findings, ...identity.findings, ...wordingOf(base)],
      ...[...demands, ...wording, ...originators.findings, ...connectionOf(base.first), ...lengthOf(base), ...clock],
      ...[...security.findings, ...typeFindings(base), ...features],
    ],
  };
}

/** With the guard and ledger of a run. */
async function writeSome(probing: Probing, base: Base, found: FoundTarget): Promise<WriteFindings> {
  const { asker, prepared } = probing;
  const { description } = prepared;
  const { url, cseId = description.cseId, spId = description.spId } = found;
  const context = contextOf(probing, base, found);
  const gateway = probing.target({ ...description, url, base: base.name, cseId, spId });
  const safety = safetyOf(probing, found, gateway, context.admin);
  try {
    await safety.begin();
    asker.through(safety.targets.gateway);
    let left: readonly string[] = [];
    const written = await findByWriting(context).finally(async () => {
      ({ left } = await safety.end(asker.interrupted));
    });
    return { ...written, leftBehind: [...new Set([...written.leftBehind, ...left])] };
  } finally {
    await gateway.close();
  }
}

function safetyOf(
  { prepared, options, only, run }: Probing,
  { dialect, release = '3', product }: FoundTarget,
  gateway: Target,
  admin: string | undefined,
): RunSafety {
  const { choice, certificates } = prepared;
  const { ledger, secrets = [] } = options;
  const settings = { ...choice, secrets, ...defined({ looksLike: product, ledger }) };
  return new RunSafety(run, settings, {
    ...{ gateway, dialect, release, certificates, ...defined({ admin, originator: only }) },
    ...(certificateFor(prepared) && { usualCertificate: 'own' }),
  });
}

function contextOf(
  { asker, prepared: { choice }, only, run }: Probing,
  base: Base,
  { dialect, ...found }: FoundTarget,
): ProbeContext {
  const admin = choice.admin ?? found.admin;
  const usual =
    dialect === 'documented' ? [undefined] : [ownName, anyIdentifier, ...(admin === undefined ? [] : [admin])];
  const originators = only === undefined ? usual : [only];
  const path = `/${pathSegment(base.name)}`;
  const noExpiration = choice.lifetime === 'none' && { expiration: 'untold' };
  return { asker, run, dialect, base: path, originators, free: only === undefined, admin, ...noExpiration };
}

function saysFound({ dialect, base, cseId, product }: FoundTarget): string {
  const imitates = product?.startsWith('cselab as ');
  const what = product === undefined ? 'a CSE' : imitates ? product : `a CSE that looks like ${product}`;
  return `${what}, ${dialect} dialect, base /${base}${cseId === undefined ? '' : `, CSE-ID /${cseId}`}`;
}
