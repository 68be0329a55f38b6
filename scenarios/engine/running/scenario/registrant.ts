import type { LoadedScenario } from '../../files/load.ts';
import { ownScenario, uncheckedStep } from '../../files/scenario-entries.ts';
import { isSuccess } from '../../judging/answer.ts';
import type { ClientCertificate } from '../../messages/target.ts';
import type { ScenarioResult } from '../../results/result.ts';
import type { Certificates, Installation, MemberName, OriginatorOutcome } from '../../targets/installation.ts';
import { baseRequest } from '../../targets/liveness.ts';
import type { ScenarioContext } from './scenario-context.ts';
import { runScenario } from './scenario-run.ts';
import type { RefusedRegistration } from './sending.ts';

type OriginatorInUse = Extract<OriginatorOutcome, { kind: 'taken' }>;

/**
 * The identity that scenarios register with where an originator can register once: the client's own, or, if that is taken and
 * cannot be freed, that of another certificate of the client.
 */
export class Registrant {
  readonly #own: Installation;
  readonly #notify: (notice: string) => void;
  /** Why nobody can register. */
  readonly inUse = new Map<MemberName, string>();
  /** Findings, as sentences. */
  readonly notices: string[] = [];
  /** CSEs where the reason of an unclear refusal was looked for. */
  readonly #investigated = new Set<MemberName>();
  /** Registrations that were refused though the target shows nobody with the originator. */
  readonly #hidden = new Set<string>();
  #other: Installation | undefined;

  constructor(own: Installation, notify: (notice: string) => void) {
    this.#own = own;
    this.#notify = notify;
  }

  /** For scenarios that register. */
  get installation(): Installation {
    return this.#other ?? this.#own;
  }

  /** After a refusal, frees the originator if possible. Returns whether the scenario is to run again, since something has changed. */
  async settle(refused: RefusedRegistration | undefined): Promise<boolean> {
    const { freeOriginator } = this.#own;
    if (refused === undefined || freeOriginator === undefined) return false;
    const { on, conflict, expected } = refused;
    const plain = conflict && expected;
    if (!plain && this.#investigated.has(on)) return false;
    if (!plain) this.#investigated.add(on);
    const vacancy = await freeOriginator(refused);
    if (vacancy.kind === 'taken') return this.#markInUse(refused, vacancy);
    if (vacancy.kind === 'nobody') return plain && this.#noteHidden(refused);
    this.#notice(vacancy.says);
    return true;
  }

  /** It may be gone by now; after a second refusal it counts as in use. */
  #noteHidden(refused: RefusedRegistration): boolean | Promise<boolean> {
    const { on, originator } = refused;
    const key = `${on} ${originator}`;
    if (!this.#hidden.has(key)) return this.#hidden.add(key) !== undefined;
    const says = `${originator} is registered already, by an application entity that the target does not show`;
    return this.#markInUse(refused, { kind: 'taken', says, remedy: 'deregister it, if it is yours' });
  }

  async #markInUse(refused: RefusedRegistration, { says, remedy }: OriginatorInUse): Promise<boolean> {
    const other = this.#other === undefined ? await otherCertificate(this.#own, refused) : undefined;
    if (other !== undefined) {
      this.#other = withCertificate(this.#own, other);
      this.#notice(
        `${says}. In its place scenarios register as ${other.uris[0]}, with the certificate ${other.files.cert}`,
      );
      return true;
    }
    this.inUse.set(refused.on, says);
    this.#notice(
      `${says}. Scenarios that register as it are not checked; to check them, ${remedy}, or give ${alternative(refused)}`,
    );
    return true;
  }

  #notice(text: string): void {
    this.notices.push(text);
    this.#notify(text);
  }
}

function alternative({ way }: RefusedRegistration): string {
  return way.certificate === undefined
    ? 'another --originator'
    : 'another certificate with --cert and --key, or a second one with --certs';
}

/** Another certificate of the client that the target accepts for a read of its base. */
async function otherCertificate(
  installation: Installation,
  { on, originator }: RefusedRegistration,
): Promise<ClientCertificate | undefined> {
  const { certificates, dialect, release } = installation;
  const own = await certificates.find('own');
  const other = await certificates.find('other');
  const target = installation[on];
  if ('missing' in own || 'missing' in other || target === undefined || !own.uris.includes(originator))
    return undefined;
  const [substitute] = other.uris;
  if (substitute === undefined || substitute === originator) return undefined;
  const speaker = { dialect, release, originator: substitute };
  const request = baseRequest(target.description, speaker, 'cselab-other');
  const way = { certificate: other };
  if ((await target.objection(request, way)) !== undefined) return undefined;
  return isSuccess(await target.send(request, way)) ? other : undefined;
}

/** Replaces the client's own certificate by another. */
function withCertificate(installation: Installation, other: ClientCertificate): Installation {
  const [originator] = other.uris;
  const certificates: Certificates = {
    find: async (name) => {
      if (name === 'other')
        return { missing: 'needs the certificate "other", which replaces that of an originator in use' };
      return name === 'own' ? other : installation.certificates.find(name);
    },
  };
  const shared = installation.originator !== undefined && originator !== undefined;
  return { ...installation, certificates, ...(shared && { originator }) };
}

/** Starts of a scenario whose registration is refused. */
const mostTries = 4;
/** Request identifiers reserved for each start, so that none is reused. */
const requestsEach = 1000;

/**
 * Runs a scenario again from its start where a registration was refused and that could be remedied. `number` makes its names
 * unique in the run.
 */
export async function runRegistering(
  scenario: LoadedScenario,
  number: number,
  registrant: Registrant,
  contextFor: (installation: Installation) => ScenarioContext,
): Promise<ScenarioResult> {
  for (let tries = 1; ; tries += 1) {
    const refused: RefusedRegistration[] = [];
    const context = contextFor(registrant.installation);
    const result = await runScenario(scenario, number, {
      ...context,
      inUse: registrant.inUse,
      onRefused: (registration) => refused.push(registration),
      sent: (tries - 1) * requestsEach,
    });
    const over = tries === mostTries || context.signal.aborted || context.notSent?.() !== undefined;
    if (over || !(await registrant.settle(refused[0]))) return result;
  }
}

/**
 * Registers once beforehand: where one shared originator may be registered already, and to find out whether the target accepts
 * expiration times. Returns the identity to use from then on.
 */
export async function registeredOnce(
  installation: Installation,
  { run, signal = new AbortController().signal }: { readonly run: string; readonly signal?: AbortSignal | undefined },
): Promise<Registrant> {
  const registrant = new Registrant(installation, () => {});
  const isShared = installation.originator !== undefined && installation.freeOriginator !== undefined;
  if (!isShared && installation.lifetime?.refused === undefined) return registrant;
  const contextFor = (one: Installation): ScenarioContext => ({ installation: one, run, signal, levelOf: () => 'gap' });
  await runRegistering(registration(installation), 0, registrant, contextFor);
  return registrant;
}

/** An application entity is registered, and removed again. */
function registration({ dialect }: Installation): LoadedScenario {
  const steps = [uncheckedStep({ retrieve: '/${base}/${app}', as: 'app', expect: 'either' })];
  const heading = { id: 'registration', feature: 'Registration', title: 'Whether one can register' };
  return ownScenario({ ...heading, dialect, actors: { app: {} }, steps });
}
