import type { Need } from '../../grammar/grammar.ts';
import type { Installation, Offer } from '../../running/installation.ts';
import { Installations, type Opened } from '../../running/installations.ts';
import { Inboxes } from '../inboxes.ts';
import { Patience, UnregisteredError } from '../patience.ts';
import { directly, throughFetch } from './alone.ts';
import type { EmbeddedOptions } from './choice.ts';
import { type PairOfferOptions, pairOffer, playedOffer } from './pairs.ts';
import { dialectSettings } from './reference-cse.ts';

/** The project's own reference CSE, made for this run, in every way in which it can be installed. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Opened> {
  const inboxes = new Inboxes(options);
  const offers = options.kind === 'in-process' ? [throughFetch(options)] : allOffers({ ...options, inboxes });
  const installations = new Installations({ offers, lacking: lackingOf(options), close: () => inboxes.close() });
  const { gateway } = await mainOf(installations, offers);
  return { description: gateway.description, installations };
}

/** The first; where a fault keeps it from coming about, the first that does. */
async function mainOf(installations: Installations, offers: readonly Offer[]): Promise<Installation> {
  const shared = offers.filter(({ ownForEach }) => ownForEach !== true);
  for (const offer of shared) {
    const opened = await installations.open(offer).catch((error: unknown) => {
      if (error instanceof UnregisteredError) return undefined;
      throw error;
    });
    if (opened !== undefined) return opened;
  }
  throw new TypeError('there is no main installation');
}

function lackingOf({ kind, dialect }: EmbeddedOptions): (need: Need) => string {
  const how = kind === 'in-process' ? ' without a socket; leave out --in-process' : '';
  const elsewhere: ReadonlySet<string> = new Set(dialectSettings.onem2m.has);
  return (need) =>
    dialect === 'documented' && elsewhere.has(need)
      ? `needs "${need}", which the reference CSE has in the onem2m dialect only. Give --dialect onem2m`
      : `needs "${need}", which the reference CSE does not have${how}`;
}

function allOffers(given: Omit<PairOfferOptions, 'patience'>): Offer[] {
  const options = { ...given, patience: new Patience((given.faults ?? given.deviations) !== undefined) };
  const { has } = dialectSettings[options.dialect];
  const open: readonly Need[] = ['backend', 'any originator', 'notifications', ...has];
  const mutual = pairOffer('mutual', 'mutual', ['https', 'certificate required', 'backend', 'notifications'], options);
  if (options.world === 'tls') return [mutual];
  const pairs = [
    pairOffer('plain', 'off', ['plain HTTP', ...open], options),
    playedOffer(options),
    { ...pairOffer('moved clock', 'off', ['plain HTTP', 'clock', ...open], options), ownForEach: true },
  ];
  if (options.world === 'pair') return pairs;
  const https = pairOffer('https', 'server', ['https', 'certificate optional', ...open], options);
  const [plain, ...others] = pairs as [Offer, ...Offer[]];
  return [...(options.hasty ? [directly(options)] : []), plain, https, mutual, ...others];
}
