import type { Need } from './grammar.ts';
import type { Installation, Offer } from './installation.ts';
import { withoutImplied } from './needs.ts';
import type { TargetDescription } from './result.ts';

export interface InstallationsOptions {
  /** The main installation comes first. */
  readonly offers: readonly Offer[];
  /** Says of something that no offer has what is missing, and what can be done about it. */
  readonly lacking: (need: Need) => string;
  readonly close: () => Promise<void>;
}

/** What a target offers. Each installation is opened when the first scenario needs it. */
export class Installations {
  readonly #options: InstallationsOptions;
  readonly #openings = new Map<Offer, Promise<Installation>>();
  readonly #opened: Installation[] = [];

  constructor(options: InstallationsOptions) {
    this.#options = options;
  }

  /** The first that has everything, or why there is none. */
  choose(needs: ReadonlySet<Need>): Offer | { readonly lacking: string } {
    const { offers, lacking } = this.#options;
    const found = offers.find((offer) => hasAll(offer, needs));
    if (found !== undefined) return found;
    const nowhere = [...needs].filter((need) => !offers.some(({ has }) => has.has(need)));
    if (nowhere.length > 0) return { lacking: [...new Set(withoutImplied(nowhere).map(lacking))].join('; ') };
    return { lacking: `no installation of the target has all of this together: ${[...needs].join(', ')}` };
  }

  open(offer: Offer): Promise<Installation> {
    const known = this.#openings.get(offer);
    if (known !== undefined) return known;
    const opening = offer.open().then((installation) => {
      this.#opened.push(installation);
      return installation;
    });
    this.#openings.set(offer, opening);
    return opening;
  }

  /** Those that are open, in the order of the offers. */
  opened(): Installation[] {
    const names = this.#options.offers.map(({ name }) => name);
    return this.#opened.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  }

  /** Ends what is open and what is still on its way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#openings.values());
    for (const { gateway, backend, played } of this.#opened) {
      await Promise.all([gateway.close(), backend?.close()]);
      await played?.close();
    }
    await this.#options.close();
  }
}

function hasAll({ has }: Offer, needs: ReadonlySet<Need>): boolean {
  return [...needs].every((need) => has.has(need));
}

/** A target that answers, or why there is none. */
export type Opened =
  | { readonly description: TargetDescription; readonly installations: Installations }
  | { readonly description: TargetDescription; readonly unreachable: string };
