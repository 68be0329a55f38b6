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

/** One CSE in one way of being installed, and all that a scenario can use beside it. */
export interface Installation {
  readonly name: string;
  readonly has: ReadonlySet<Need>;
  readonly gateway: Target;
  readonly backend?: Target;
  /** The harness in the place of the backend. */
  readonly simulated?: SimulatedBackend;
  /** How it speaks, and which release (`2a`, `3`, `4`) requests name. */
  readonly dialect: Dialect;
  readonly release: string;
  /** The originator that may do everything. */
  readonly admin?: string;
  /** Where notifications are sent to; absent where the target cannot reach the harness. */
  readonly inboxes?: Inboxes;
  /** Whether the target can certainly reach them. */
  readonly reachesInboxes?: boolean;
  /** Resolves when the target has nothing left to send; absent where that cannot be known. */
  readonly settled?: () => Promise<void>;
  /** Milliseconds that a request of the target's own is waited for at most; and once it is settled, no notification is. */
  readonly longestWait?: number;
  readonly clock?: TargetClock;
  readonly certificates: Certificates;
  /** Presented by steps that say nothing else. */
  readonly usualCertificate?: CertificateName;
  /** When what a run creates directly below a CSE base expires; absent where that is left to the target. */
  readonly lifetime?: Lifetime;
  /** Sent in place of every actor's originator. */
  readonly originator?: string;
  /** Frees an originator that is registered already, where that may be done; absent where nobody could tell. */
  readonly freeOriginator?: (registration: OriginatorRegistration) => Promise<OriginatorOutcome>;
}

/** As whom an application entity is registered, where, and how the request travels. */
export interface OriginatorRegistration {
  readonly on: MemberName;
  readonly originator: string;
  readonly way: Way;
}

/**
 * What became of an originator with which a registration was refused. `nobody`: no application entity is shown that has it;
 * `busy`: one of a run that goes on.
 */
export type OriginatorOutcome =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'freed'; readonly says: string }
  | { readonly kind: 'taken'; readonly says: string; readonly remedy: string; readonly busy?: true };

/** The client certificates that are at hand. */
export interface Certificates {
  /** A certificate, or why there is none. */
  find(name: CertificateName): Promise<ClientCertificate | { readonly missing: string }>;
  /** Where the private key of an authority is at hand that the target trusts: one for this originator, as `//sp/cse/ae`. */
  readonly issue?: ((identifier: string) => Promise<ClientCertificate | { readonly missing: string }>) | undefined;
}

/** Where there is no TLS. */
export const noCertificates: Certificates = {
  find: async () => ({ missing: 'needs a client certificate; none is used with this target' }),
};

/** The same, with each of its CSEs in another way. */
export function withTargets<Parties extends Pick<Installation, 'gateway' | 'backend'>>(
  parties: Parties,
  wrap: (target: Target, on: MemberName) => Target,
): Parties {
  const { gateway, backend } = parties;
  return { ...parties, gateway: wrap(gateway, 'gateway'), ...(backend && { backend: wrap(backend, 'backend') }) };
}

/** How each of its CSEs is called. */
export function membersOf({
  gateway,
  backend,
}: Pick<Installation, MemberName>): Partial<Record<MemberName, TargetDescription>> {
  return { gateway: gateway.description, ...(backend && { backend: backend.description }) };
}

/** Whatever else is open beside its target is closed with it. */
export async function closeInstallation({ gateway, backend, simulated }: Installation): Promise<void> {
  await Promise.all([gateway.close(), backend?.close()]);
  await simulated?.close();
}

/** An installation that can be had. */
export interface Offer {
  readonly name: string;
  readonly has: ReadonlySet<Need>;
  /** True where each scenario gets one of its own, since the clock is moved. */
  readonly ownForEach?: boolean;
  /** True where nothing of a wire is between the harness and the target. */
  readonly wireless?: boolean;
  /** Called once at most, unless each scenario gets one of its own. Rejects when the harness fails. */
  open(): Promise<Installation>;
}

export function describeInstallation(installation: Installation): InstallationDescription {
  const { name, has, gateway, backend, simulated, originator } = installation;
  const other = (backend ?? simulated)?.description;
  return { name, has: [...has], gateway: gateway.description, ...defined({ backend: other, originator }) };
}

/** How a request travels that presents a certificate of this name, or none. */
export async function wayFor(name: string | undefined, certificates: Certificates): Promise<Way> {
  const known = certificateNames.find((one) => one === name);
  const issued = name?.startsWith('//') ? await certificates.issue?.(name) : undefined;
  const certificate = known === undefined ? issued : await certificates.find(known);
  return certificate === undefined || 'missing' in certificate ? {} : { certificate };
}

/** The two CSEs of a pair; a single one is the gateway. */
export type MemberName = 'gateway' | 'backend';
