import { readFile } from 'node:fs/promises';
import { shipped } from '../../../certs/shipped.ts';
import { createCse, createFetch, startGateway, startPair, type TlsMode } from '../../../sim/index.ts';
import type { Need } from '../grammar.ts';
import { type Installation, noCertificates, type Offer } from '../installation.ts';
import { Installations, type Opened } from '../installations.ts';
import type { TargetDescription } from '../result.ts';
import { CertificateStore } from './certificate-store.ts';
import { inProcessTarget } from './in-process.ts';
import { PlayedBackend } from './played-backend.ts';
import type { Target } from './target.ts';
import type { Trust } from './tls.ts';
import { urlTarget } from './url.ts';
import { backendDefaults, defaults } from './url-choice.ts';

export interface EmbeddedOptions {
  /** `in-process` leaves out the socket. */
  readonly kind: 'embedded' | 'in-process';
  readonly connections: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  /** `now()` at the start of the run. */
  readonly startedAt: number;
}

/** Where the shipped certificates are, seen from the project. */
const shownDirectory = 'certs';

/** The project's own reference CSE, made for this run, in every way in which it can be installed. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Opened> {
  const offers = options.kind === 'in-process' ? [inProcess(options)] : allOffers(options);
  const installations = new Installations({ offers, lacking: lackingOf(options), close: async () => {} });
  const [main] = offers;
  if (main === undefined) throw new TypeError('there is no main installation');
  const { gateway } = await installations.open(main);
  return { description: gateway.description, installations };
}

function lackingOf({ kind }: EmbeddedOptions): (need: Need) => string {
  const how = kind === 'in-process' ? ' without a socket; leave out --in-process' : '';
  return (need) => `needs "${need}", which the reference CSE does not have${how}`;
}

function inProcess(options: EmbeddedOptions): Offer {
  const has = new Set<Need>(['plain HTTP', 'any originator']);
  const open = async (): Promise<Installation> => {
    const description: TargetDescription = { kind: 'in-process', url: 'http://in-process', ...defaults };
    const gateway = inProcessTarget({ ...options, description, fetch: createFetch(createCse(defaults).http) });
    return { name: 'in-process', has, gateway, certificates: noCertificates };
  };
  return { name: 'in-process', has, open };
}

function allOffers(options: EmbeddedOptions): Offer[] {
  return [
    pairOffer('plain', 'off', ['plain HTTP', 'backend', 'any originator'], options),
    pairOffer('https', 'server', ['https', 'certificate optional', 'backend', 'any originator'], options),
    pairOffer('mutual', 'mutual', ['https', 'certificate required', 'backend'], options),
    playedOffer(options),
  ];
}

/** A gateway and its backend. */
function pairOffer(name: string, tls: TlsMode, needs: readonly Need[], options: EmbeddedOptions): Offer {
  const has = new Set(needs);
  const open = async (): Promise<Installation> => {
    const certificates = tls === 'off' ? noCertificates : shippedCertificates();
    const own = tls === 'mutual' ? await certificates.find('own') : undefined;
    const trust: Trust =
      tls === 'off' ? {} : { ca: await readFile(shipped.chain, 'utf8'), caFile: `${shownDirectory}/ca-chain.cert.pem` };
    const pair = await startPair({ tls });
    const gateway = targetFor(pair.gateway, trust, options);
    const backend = targetFor(pair.backend, trust, options);
    const originator = own !== undefined && 'uris' in own ? own.uris[0] : undefined;
    return {
      name,
      has,
      gateway: closingWith(gateway, () => pair.close()),
      backend,
      certificates,
      ...(tls === 'mutual' && { usualCertificate: 'own' }),
      ...(originator !== undefined && { originator }),
    };
  };
  return { name, has, open };
}

/** A gateway whose backend is the harness. */
function playedOffer(options: EmbeddedOptions): Offer {
  const has = new Set<Need>(['plain HTTP', 'played backend', 'any originator']);
  const open = async (): Promise<Installation> => {
    const played = await PlayedBackend.listen({ ...backendDefaults, ...options, port: 0, certain: true });
    const { url, cseId, base } = played.description;
    const member = await startGateway({ backend: { url, cseId, base } });
    const gateway = closingWith(targetFor(member, {}, options), () => member.close());
    return { name: 'played', has, gateway, played, certificates: noCertificates };
  };
  return { name: 'played', has, open };
}

interface Member {
  readonly url: string;
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
}

function targetFor({ url, base, cseId, spId }: Member, trust: Trust, options: EmbeddedOptions): Target {
  const description: TargetDescription = { kind: 'embedded', url: url.replace(/\/+$/, ''), base, cseId, spId };
  return urlTarget({ ...options, description, trust, keepAlive: true });
}

function closingWith(target: Target, end: () => Promise<void>): Target {
  const close = async () => {
    await target.close();
    await end();
  };
  return { ...target, close };
}

function shippedCertificates(): CertificateStore {
  return new CertificateStore({
    directory: shipped.path,
    shownDirectory,
    gateway: defaults.cseId,
    backend: backendDefaults.cseId,
    identifier: `//${defaults.spId}/${defaults.cseId}/Ccselab`,
  });
}
