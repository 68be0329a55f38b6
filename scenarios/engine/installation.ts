import type { CertificateName, Need } from './grammar.ts';
import type { InstallationDescription } from './result.ts';
import type { PlayedBackend } from './targets/played-backend.ts';
import type { ClientCertificate, Target } from './targets/target.ts';

/** One CSE in one way of being installed, and all that a scenario can use beside it. */
export interface Installation {
  readonly name: string;
  readonly has: ReadonlySet<Need>;
  readonly gateway: Target;
  readonly backend?: Target;
  /** The harness in the place of the backend. */
  readonly played?: PlayedBackend;
  readonly certificates: Certificates;
  /** Presented by steps that say nothing else. */
  readonly usualCertificate?: CertificateName;
  /** Sent in place of every actor's originator. */
  readonly originator?: string;
}

/** The client certificates that are at hand. */
export interface Certificates {
  /** A certificate, or why there is none. */
  find(name: CertificateName): Promise<ClientCertificate | { readonly missing: string }>;
}

/** Where there is no TLS. */
export const noCertificates: Certificates = {
  find: async () => ({ missing: 'needs a client certificate; none is used with this target' }),
};

/** An installation that can be had. */
export interface Offer {
  readonly name: string;
  readonly has: ReadonlySet<Need>;
  /** Called once at most. Rejects when the harness fails. */
  open(): Promise<Installation>;
}

export function describeInstallation({
  name,
  has,
  gateway,
  backend,
  played,
  originator,
}: Installation): InstallationDescription {
  const other = backend?.description ?? played?.description;
  return {
    name,
    has: [...has],
    gateway: gateway.description,
    ...(other && { backend: other }),
    ...(originator !== undefined && { originator }),
  };
}
