import type { LeaveReport, RunSafety } from '../../../safety/run-safety.ts';
import { getOrAdd } from '../../basics/memoize.ts';
import { withoutImplied } from '../../files/needs.ts';
import type { Need } from '../../grammar/vocabulary.ts';
import type { TargetDescription } from '../../results/result.ts';
import { closeInstallation, type Installation, type Offer } from '../../targets/installation.ts';
import type { Liveness } from '../../targets/liveness.ts';

export interface InstallationsOptions {
  /** The main installation comes first. */
  readonly offers: readonly Offer[];
  /** Says of something that no offer has what is missing, and what can be done about it. */
  readonly lacking: (need: Need) => string;
  /** Leaves the target as it was, before it is closed, and says what there is to say of that; absent where nobody has to. */
  readonly depart?: RunSafety['end'];
  readonly close?: () => Promise<void>;
}

/** What a target offers. Each installation is opened when the first scenario needs it. */
export class Installations {
  readonly #options: InstallationsOptions;
  readonly #openings = new Map<Offer, Promise<Installation>>();
  readonly #opened: Installation[] = [];
  /** Those of single scenarios that are in use. */
  readonly #own = new Set<Installation>();

  constructor(options: InstallationsOptions) {
    this.#options = options;
  }

  /** Of one that is open already, and known, so that it is closed whether or not it is used. */
  static async only(installation: Installation, options: Omit<InstallationsOptions, 'offers'>): Promise<Installations> {
    const { name, has } = installation;
    const offer = { name, has, open: async () => installation };
    const installations = new Installations({ ...options, offers: [offer] });
    await installations.open(offer);
    return installations;
  }

  /** The first that has everything, a wire too where that is looked at; or why there is none. */
  choose(needs: ReadonlySet<Need>, onTheWire = false): Offer | { readonly lacking: string } {
    const { offers, lacking } = this.#options;
    const found = offers.find(
      ({ has, wireless }) => [...needs].every((need) => has.has(need)) && !(onTheWire && wireless),
    );
    if (found !== undefined) return found;
    const nowhere = [...needs].filter((need) => !offers.some(({ has }) => has.has(need)));
    if (nowhere.length > 0) return { lacking: [...new Set(withoutImplied(nowhere).map(lacking))].join('; ') };
    return { lacking: `no installation of the target has all of this together: ${[...needs].join(', ')}` };
  }

  /** For one scenario, which calls `end` when it is done. */
  async use(offer: Offer): Promise<{ readonly installation: Installation; readonly end: () => Promise<void> }> {
    if (offer.ownForEach !== true) return { installation: await this.open(offer), end: async () => {} };
    const installation = await offer.open();
    if (!this.#opened.some(({ name }) => name === offer.name)) this.#opened.push(installation);
    this.#own.add(installation);
    const end = async () => {
      if (this.#own.delete(installation)) await closeInstallation(installation);
    };
    return { installation, end };
  }

  open(offer: Offer): Promise<Installation> {
    return getOrAdd(this.#openings, offer, async () => {
      const installation = await offer.open();
      this.#opened.push(installation);
      return installation;
    });
  }

  /** Those that are or were open, one of each kind, in the order of the offers. */
  opened(): Installation[] {
    const names = this.#options.offers.map(({ name }) => name);
    return this.#opened.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  }

  /** Leaves the target as it was, but for what is `deadly`, and closes everything; `dead`: why it cannot be asked. */
  async leave(...leaving: Parameters<RunSafety['end']>): Promise<LeaveReport | undefined> {
    try {
      return await this.#options.depart?.(...leaving);
    } finally {
      await this.close();
    }
  }

  /** Ends what is open and what is still on its way. */
  async close(): Promise<void> {
    const shared = await Promise.all([...this.#openings.values()].map((opening) => opening.catch(() => undefined)));
    for (const installation of [...shared, ...this.#own]) {
      if (installation !== undefined) await closeInstallation(installation);
    }
    await this.#options.close?.();
  }
}

/** What it takes to go on after the death of a target. */
export interface Survival {
  readonly liveness: Liveness;
  /** Removes what the run has left at the target, but for what is `deadly`; nothing else runs meanwhile. */
  readonly tidy?: ((deadly?: readonly string[]) => Promise<void>) | undefined;
}

/** A target that answers, or why there is none. */
export type Opened =
  | {
      readonly description: TargetDescription;
      readonly installations: Installations;
      /** Absent for a target that cannot die without the harness. */
      readonly survival?: Survival;
    }
  | {
      readonly description: TargetDescription;
      readonly unreachable: string;
      /** Whether its user is told which line to change. */
      readonly misconfigured?: true;
    };
