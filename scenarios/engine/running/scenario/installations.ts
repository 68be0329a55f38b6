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
  /** Says what is missing where no offer has a need, and what to do about it. */
  readonly lacking: (need: Need) => string;
  /** Restores the target before it is closed, and reports on that; absent where unnecessary. */
  readonly depart?: RunSafety['end'];
  readonly close?: () => Promise<void>;
}

/** The installations of a target. Each is opened when the first scenario needs it. */
export class Installations {
  readonly #options: InstallationsOptions;
  readonly #openings = new Map<Offer, Promise<Installation>>();
  readonly #opened: Installation[] = [];
  /** Installations in use by single scenarios. */
  readonly #own = new Set<Installation>();

  constructor(options: InstallationsOptions) {
    this.#options = options;
  }

  /** For one that is open already; it is closed whether or not it is used. */
  static async only(installation: Installation, options: Omit<InstallationsOptions, 'offers'>): Promise<Installations> {
    const { name, has } = installation;
    const offer = { name, has, open: async () => installation };
    const installations = new Installations({ ...options, offers: [offer] });
    await installations.open(offer);
    return installations;
  }

  /** The first that meets all needs, including a wire where one is checked; or why there is none. */
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

  /** For one scenario, which calls `end` when done. */
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

  /** All that are or were open, one for each offer, in the order of the offers. */
  opened(): Installation[] {
    const names = this.#options.offers.map(({ name }) => name);
    return this.#opened.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  }

  /** Restores the target, except `deadly` resources, and closes everything; `dead`: why no request can be sent. */
  async leave(...leaving: Parameters<RunSafety['end']>): Promise<LeaveReport | undefined> {
    try {
      return await this.#options.depart?.(...leaving);
    } finally {
      await this.close();
    }
  }

  /** Closes everything that is open or opening. */
  async close(): Promise<void> {
    const shared = await Promise.all([...this.#openings.values()].map((opening) => opening.catch(() => undefined)));
    for (const installation of [...shared, ...this.#own]) {
      if (installation !== undefined) await closeInstallation(installation);
    }
    await this.#options.close?.();
  }
}

/** What a run needs to survive the death of a target. */
export interface Survival {
  readonly liveness: Liveness;
  /** Removes leftovers of the run, except `deadly` ones; nothing else runs meanwhile. */
  readonly tidy?: ((deadly?: readonly string[]) => Promise<void>) | undefined;
}

/** A target that answers, or why there is none. */
export type Opened =
  | {
      readonly description: TargetDescription;
      readonly installations: Installations;
      /** Absent for a target in the process of the harness. */
      readonly survival?: Survival;
    }
  | {
      readonly description: TargetDescription;
      readonly unreachable: string;
      /** Whether the reason names the setting to change. */
      readonly misconfigured?: true;
    };
