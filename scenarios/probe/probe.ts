/** `cselab probe`: finds out by polite reads how a CSE is reached, how it speaks, and what it can. */
import { defined } from '../engine/defined.ts';
import { pathSegment } from '../engine/messages/encode.ts';
import type { TargetDescription } from '../engine/result.ts';
import { runId } from '../engine/running/run-id.ts';
import { presentedTo, targetAt } from '../engine/targets/reach-url.ts';
import { now, since, type Target } from '../engine/targets/target.ts';
import { type PreparedUrl, prepareUrl, type UrlChoice } from '../engine/targets/url-choice.ts';
import { onlyRead } from '../safety/guard.ts';
import { Lanes } from '../safety/politeness.ts';
import { RunSafety } from '../safety/run-safety.ts';
import { findAbilities, findDiscovery, kindFindings } from './abilities.ts';
import { findAddresses, findOriginators } from './addresses.ts';
import { Asker, type AskerOptions, releases } from './asker.ts';
import { clockOf, connectionOf, findSecurity, lengthOf } from './connection.ts';
import { type Base, findBase, missing, type Search, usualOriginators } from './find-base.ts';
import { type Finding, type FoundTarget, inOrder, mergedFeatures, type ProbeResult } from './finding.ts';
import { dialectOf, identityOf, productOf } from './identity.ts';
import { shippedFor } from './shipped.ts';
import { findDemands, findErrorForm, findRelease, wordingOf } from './speech.ts';
import { anyIdentifier, ownName, type Site } from './subtree.ts';
import { survivalOf } from './survival.ts';
import { findByWriting, type Written } from './written.ts';

export interface ProbeOptions {
  /** Also creates a small subtree, to see what is accepted, and removes it. */
  readonly write?: boolean;
  /** Ends the probe; what was created is removed even so. */
  readonly signal?: AbortSignal;
  /** Milliseconds for each request; 5,000 when absent. */
  readonly timeout?: number;
  /** Brings a target back that died and stays dead for `waitForTarget`; then it goes on. */
  readonly restart?: () => Promise<void>;
  /** Requests in a second, at most; 10 when absent. */
  readonly rate?: number;
  /** Directory in which is written down what is created; nothing is written when absent. */
  readonly ledger?: string;
  /** What is not to stand there. */
  readonly secrets?: readonly string[];
}

/** Requests that a probe sends at most: reads, and with what it creates. Removing comes on top. */
const mostRequests = { reading: 32, writing: 60 };
/** Milliseconds for each request. */
const usualTimeout = 5000;
/** Milliseconds to see whether the target closes the connection after its answer. */
const closeWatch = 100;
/** Nobody is asked more often, whatever the options say. */
const highestRate = 10;

/** Rejects with a UsageError for a choice that cannot be used. Whatever the target does becomes part of the result. */
export async function probe(choice: UrlChoice, options: ProbeOptions = {}): Promise<ProbeResult> {
  const prepared = await prepareUrl(choice);
  const started = now();
  const { signal, restart, timeout = usualTimeout } = options;
  // One connection at a time.
  const polite = { lanes: new Lanes(1), ...prepared.politeness, connections: 1, keepAlive: false };
  const target = (description: TargetDescription) =>
    targetAt({ ...prepared, description }, { ...polite, timeout, startedAt: started });
  const reader = onlyRead(target(prepared.description), prepared.choice.handsOff);
  const { deaths, survives } = survivalOf(reader, prepared, { timeout, startedAt: started, signal, restart });
  const asker = askerFor(prepared, options, reader, survives);
  try {
    const found = await new Probe({ asker, prepared, options, target }).run();
    const died = deaths.all.length > 0 && { deaths: deaths.all };
    return { url: prepared.description.url, ...found, ...died, requests: asker.requests, took: since(started) };
  } finally {
    await reader.close();
  }
}

function askerFor(
  prepared: PreparedUrl,
  { write, signal, rate = highestRate }: ProbeOptions,
  target: Target,
  survives: NonNullable<AskerOptions['survives']>,
) {
  const { dialect = 'documented', release = '3' } = prepared.choice;
  const certificate = presentedTo(prepared);
  const most = write ? mostRequests.writing : mostRequests.reading;
  const gap = 1000 / Math.min(rate, highestRate);
  return new Asker(target, { gap, most, dialect, release, originator: undefined, certificate, signal, survives });
}

interface Probing {
  readonly asker: Asker;
  readonly prepared: PreparedUrl;
  readonly options: ProbeOptions;
  /** The target under the names that it turned out to have. */
  readonly target: (description: TargetDescription) => Target;
}

class Probe {
  readonly #asker: Asker;
  readonly #prepared: PreparedUrl;
  readonly #options: ProbeOptions;
  readonly #target: Probing['target'];
  readonly #run = runId();
  readonly #secure: boolean;
  /** Whether a client certificate is shown. */
  readonly #presented: boolean;
  /** The only originator that may be used, where the user or his certificate says so. */
  readonly #fixed: string | undefined;

  constructor({ asker, prepared, options, target }: Probing) {
    this.#asker = asker;
    this.#prepared = prepared;
    this.#options = options;
    this.#target = target;
    this.#secure = prepared.description.url.startsWith('https:');
    const certificate = presentedTo(prepared);
    this.#presented = certificate !== undefined;
    this.#fixed = prepared.choice.originator ?? certificate?.uris[0];
  }

  async run(): Promise<Omit<ProbeResult, 'url' | 'requests' | 'took'>> {
    const search = await this.#search();
    if (search.kind !== 'base') return { ...missing(search, this.#asker.interrupted), wrote: false, leftBehind: [] };
    const { base } = search;
    const read = await this.#read(base);
    const write = this.#options.write === true && !this.#asker.interrupted;
    const written = write ? await this.#write(base, read.target) : undefined;
    const all = [...read.findings, ...(written?.findings ?? [])];
    const others = all.filter(({ topic }) => topic !== 'implements');
    const findings = inOrder([...others, ...mergedFeatures(all, write, read.target.dialect)]);
    const { mayRegister, accessControl, lifetime, leftBehind = [] } = written ?? {};
    const target = {
      ...read.target,
      ...(mayRegister && { mayRegister }),
      ...defined({ accessControl, lifetime }),
    };
    const { interrupted } = this.#asker;
    const says = interrupted ? 'interrupted: what was found until then' : saysFound(target);
    const outcome = interrupted ? 'interrupted' : 'found';
    return { outcome, says, target, findings, wrote: write, leftBehind, ...(write && { run: this.#run }) };
  }

  #search(): Promise<Search> {
    const { choice, description } = this.#prepared;
    const admin = choice.admin === undefined ? [] : [choice.admin];
    const originators = this.#fixed === undefined ? [...new Set([...admin, ...usualOriginators])] : [this.#fixed];
    const others = choice.release === undefined ? releases.toReversed() : [];
    const wanted = { name: choice.base, first: description.base, originators, watch: closeWatch, releases: others };
    return findBase(this.#asker, wanted);
  }

  async #read(base: Base): Promise<{ readonly target: FoundTarget; readonly findings: readonly Finding[] }> {
    const clock = clockOf(base, Date.now());
    const asker = this.#asker;
    const { choice, description } = this.#prepared;
    const identity = identityOf(base);
    const spoken = dialectOf(base);
    const product = productOf(base);
    const shipped = shippedFor(product.product)?.choice;
    asker.speak({ dialect: spoken.dialect });
    const named = await findRelease(asker, base, {
      listed: identity.releases,
      usual: choice.release ?? shipped?.release,
    });
    const release = choice.release ?? named.release;
    asker.speak(defined({ release }));
    const demands = await findDemands(asker, base);
    const security = await findSecurity(asker, base, this.#secure, this.#presented);
    const originators = await findOriginators(asker, base, this.#fixed);
    const own = { ...identity, ...defined({ spId: choice.spId ?? identity.spId }) };
    const addresses = await findAddresses(asker, base, own, [
      ...(shipped?.spId === undefined ? [] : [shipped.spId]),
      description.spId,
    ]);
    const features = [...(await findDiscovery(asker, base)), ...(await findAbilities(asker, base))];
    const wording = [...named.findings, ...(await findErrorForm(asker, base))];
    return {
      target: {
        url: addresses.structured ? description.url : `${description.url}${base.prefix}`,
        dialect: spoken.dialect,
        base: base.name,
        ...defined({ cseId: identity.cseId, spId: choice.spId ?? identity.spId ?? addresses.spId }),
        ...defined({ release: spoken.dialect === 'onem2m' ? release : undefined }),
        ...defined({ product: product.product, version: product.version, requireCert: security.requireCert }),
        ...defined({ admin: originators.admin, accessControl: originators.accessControl }),
      },
      findings: [
        ...[product.finding, spoken.finding, ...addresses.findings, ...identity.findings, ...wordingOf(base)],
        ...[...demands, ...wording, ...originators.findings, ...connectionOf(base.first), ...lengthOf(base), ...clock],
        ...[...security.findings, ...kindFindings(base), ...features],
      ],
    };
  }

  /** Guarded and written down as by a run of its own. */
  async #write(base: Base, found: FoundTarget): Promise<Written> {
    const { choice, description, certificates } = this.#prepared;
    const { url, dialect, release = '3', cseId = description.cseId, spId = description.spId } = found;
    const site = this.#siteOf(base, found);
    const gateway = this.#target({ ...description, url, base: base.name, cseId, spId });
    const { ledger, secrets = [] } = this.#options;
    const safety = new RunSafety(
      this.#run,
      { ...choice, secrets, ...defined({ looksLike: found.product }), ...(ledger !== undefined && { ledger }) },
      {
        gateway,
        dialect,
        release,
        certificates,
        ...defined({ admin: site.admin, originator: this.#fixed }),
        ...(this.#presented && { usualCertificate: 'own' }),
      },
    );
    try {
      await safety.begin();
      this.#asker.through(safety.targets.gateway);
      return await findByWriting(site).finally(() => safety.end(this.#asker.interrupted));
    } finally {
      await gateway.close();
    }
  }

  #siteOf(base: Base, target: FoundTarget): Site {
    const { dialect } = target;
    const admin = this.#prepared.choice.admin ?? target.admin;
    const usual =
      dialect === 'documented' ? [undefined] : [ownName, anyIdentifier, ...(admin === undefined ? [] : [admin])];
    const originators = this.#fixed === undefined ? usual : [this.#fixed];
    const path = `/${pathSegment(base.name)}`;
    const free = this.#fixed === undefined;
    const untold = this.#prepared.choice.lifetime === 'none' && { expiration: 'untold' };
    return { asker: this.#asker, run: this.#run, dialect, base: path, originators, free, admin, ...untold };
  }
}

function saysFound({ dialect, base, cseId, product }: FoundTarget): string {
  const imitates = product?.startsWith('cselab as ');
  const what = product === undefined ? 'a CSE' : imitates ? product : `a CSE that looks like ${product}`;
  return `${what}, ${dialect} dialect, base /${base}${cseId === undefined ? '' : `, CSE-ID /${cseId}`}`;
}
