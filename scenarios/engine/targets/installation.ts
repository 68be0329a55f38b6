import { defined } from '../basics/defined.ts';
import type { Dialect } from '../grammar/dialects.ts';
import type { Need } from '../grammar/vocabulary.ts';
import { type CertificateName, certificateNames } from '../grammar/vocabulary.ts';
import type { ClientCertificate, Target, Way } from '../messages/target.ts';
import type { InstallationDescription, TargetDescription } from '../results/result.ts';
import type { TargetClock } from './exchanging/clocks.ts';
import type { Inboxes } from './inboxes.ts';
import type { Lifetime } from './lifetime.ts';
import type { SimulatedBackend } from './simulated-backend.ts';

/** One installation of a CSE, with everything that a scenario can use. */
export interface Installation {
  readonly name: string;
  readonly has: ReadonlySet<Need>;
  readonly gateway: Target;
  readonly backend?: Target;
  /** The harness as the backend. */
  readonly simulated?: SimulatedBackend;
  /** Its dialect, and the release (`2a`, `3`, `4`) in requests. */
  readonly dialect: Dialect;
  readonly release: string;
  /** The originator with all privileges. */
  readonly admin?: string;
  /** Receivers of notifications; absent where the target cannot reach the harness. */
  readonly inboxes?: Inboxes;
  /** Whether the target can certainly reach them. */
  readonly reachesInboxes?: boolean;
  /** Resolves when the target has nothing left to send; absent where unknown. */
  readonly settled?: () => Promise<void>;
  /** Most milliseconds to wait for a request of the target; once it has settled, no notification is awaited. */
  readonly longestWait?: number;
  readonly clock?: TargetClock;
  readonly certificates: Certificates;
  /** Presented by steps by default. */
  readonly usualCertificate?: CertificateName;
  /** When resources directly below a CSE base expire; absent where that is left to the target. */
  readonly lifetime?: Lifetime;
  /** Sent in place of every actor's originator. */
  readonly originator?: string;
  /** Frees a registered originator, if permitted; absent where that is unknown. */
  readonly freeOriginator?: (registration: OriginatorRegistration) => Promise<OriginatorOutcome>;
}

/** The CSE, originator and way of a registration. */
export interface OriginatorRegistration {
  readonly on: MemberName;
  readonly originator: string;
  readonly way: Way;
}

/**
 * The state of an originator after a refused registration. `nobody`: the target shows no application entity with it;
 * `busy`: one of a run in progress has it.
 */
export type OriginatorOutcome =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'freed'; readonly says: string }
  | { readonly kind: 'taken'; readonly says: string; readonly remedy: string; readonly busy?: true };

/** The available client certificates. */
export interface Certificates {
  /** A certificate, or why there is none. */
  find(name: CertificateName): Promise<ClientCertificate | { readonly missing: string }>;
  /** With the private key of a trusted authority: issues one for this originator, as `//sp/cse/ae`. */
  readonly issue?: ((identifier: string) => Promise<ClientCertificate | { readonly missing: string }>) | undefined;
}

/** Without TLS. */
export const noCertificates: Certificates = {
  find: async () => ({ missing: 'needs a client certificate; none is used with this target' }),
};

/** Wraps each of its CSEs. */
export function withTargets<Parties extends Pick<Installation, 'gateway' | 'backend'>>(
  parties: Parties,
  wrap: (target: Target, on: MemberName) => Target,
): Parties {
  const { gateway, backend } = parties;
  return { ...parties, gateway: wrap(gateway, 'gateway'), ...(backend && { backend: wrap(backend, 'backend') }) };
}

/** Descriptions of its CSEs. */
export function membersOf(parties: Pick<Installation, MemberName>): Partial<Record<MemberName, TargetDescription>> {
  const { gateway, backend } = parties;
  return { gateway: gateway.description, ...(backend && { backend: backend.description }) };
}

/** Closes its targets and everything beside them. */
export async function closeInstallation({ gateway, backend, simulated }: Installation): Promise<void> {
  await Promise.all([gateway.close(), backend?.close()]);
  await simulated?.close();
}

/** An available installation. */
export interface Offer {
  readonly name: string;
  readonly has: ReadonlySet<Need>;
  /** True where each scenario gets one of its own, in virtual time. */
  readonly ownForEach?: boolean;
  /** True where no wire is between the harness and the target. */
  readonly wireless?: boolean;
  /** Called once at most, unless each scenario gets one of its own. Rejects when the harness fails. */
  open(): Promise<Installation>;
}

export function describeInstallation(installation: Installation): InstallationDescription {
  const { name, has, gateway, backend, simulated, originator } = installation;
  const other = (backend ?? simulated)?.description;
  return { name, has: [...has], gateway: gateway.description, ...defined({ backend: other, originator }) };
}

/** The way of a request with a certificate of this name, or without one. */
export async function wayFor(name: string | undefined, certificates: Certificates): Promise<Way> {
  const known = certificateNames.find((one) => one === name);
  const issued = name?.startsWith('//') ? await certificates.issue?.(name) : undefined;
  const certificate = known === undefined ? issued : await certificates.find(known);
  return certificate === undefined || 'missing' in certificate ? {} : { certificate };
}

/** The two CSEs of a pair; a single one is the gateway. */
export type MemberName = 'gateway' | 'backend';
