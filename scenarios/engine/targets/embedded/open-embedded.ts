import { createFetch } from '../../../../sim/bindings/fetch.ts';
import { createCse } from '../../../../sim/cse/create-cse.ts';
import type { HttpService } from '../../../../sim/dialects/http-message.ts';
import { manualClock, type Scheduler } from '../../../../sim/environment/clock.ts';
import type { Need } from '../../grammar/vocabulary.ts';
import type { Target } from '../../messages/target.ts';
import { Installations, type Opened } from '../../running/scenario/installations.ts';
import { inProcessTarget } from '../in-process.ts';
import { Inboxes } from '../inboxes.ts';
import { type Installation, noCertificates, type Offer } from '../installation.ts';
import { directTarget } from './direct.ts';
import { type PairOfferOptions, pairOffer, pairStarter, simulatedOffer, UnregisteredError } from './pairs.ts';
import {
  deviationSettings,
  dialectSettings,
  type EmbeddedOptions,
  nameInProcess,
  onThisMachine,
  settledIn,
  speechOf,
} from './reference-cse.ts';

/** The project's own reference CSE, made for this run, in each of its installations. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Opened> {
  const inboxes = new Inboxes(options);
  const offers = options.kind === 'in-process' ? [fetchOffer(options)] : allOffers({ ...options, inboxes });
  const installations = new Installations({ offers, lacking: lackingOf(options), close: () => inboxes.close() });
  const { gateway } = await mainOf(installations, offers);
  return { description: gateway.description, installations };
}

/** The first; if a deviation prevents that, the first that can be opened. */
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

function allOffers(input: Omit<PairOfferOptions, 'starter'>): Offer[] {
  const options = { ...input, starter: pairStarter(input.deviations !== undefined) };
  const { has } = dialectSettings[options.dialect];
  const certified: readonly Need[] = ['https', 'certificate required', 'backend', 'notifications'];
  const open: readonly Need[] = ['backend', 'any originator', 'no originator', 'notifications', ...has];
  const issued: readonly Need[] = options.dialect === 'onem2m' ? ['any originator'] : [];
  const mutual = pairOffer('mutual', 'mutual', [...certified, ...issued, ...has], options);
  if (options.world === 'tls') return [mutual];
  const pairs = [
    pairOffer('plain', 'off', ['plain HTTP', ...open], options),
    simulatedOffer(options),
    { ...pairOffer('virtual time', 'off', ['plain HTTP', 'clock', ...open], options), ownForEach: true },
  ];
  if (options.world === 'pair') return pairs;
  const https = pairOffer('https', 'server', ['https', 'certificate optional', ...open], options);
  const [plain, ...others] = pairs as [Offer, ...Offer[]];
  return [...(options.hasty ? [directOffer(options)] : []), plain, https, mutual, ...others];
}

// The reference CSE alone, in this process.

/** Through a `fetch`. */
function fetchOffer(options: EmbeddedOptions): Offer {
  return singleOffer('in-process', options, ({ http, description }) =>
    inProcessTarget({ ...options, description, fetch: createFetch(http) }),
  );
}

/** Requests seem to come from another machine; for scenarios that do not check the wire. */
function directOffer(options: EmbeddedOptions): Offer {
  const offer = singleOffer('direct', options, ({ http, description }) =>
    directTarget({ ...options, description, service: http }),
  );
  return { ...offer, wireless: true };
}

type NamedService = Pick<ReturnType<typeof nameInProcess>, 'description'> & Pick<ReturnType<typeof createCse>, 'http'>;

function singleOffer(name: string, options: EmbeddedOptions, reach: (made: NamedService) => Target): Offer {
  const { dialect } = options;
  const has = new Set<Need>(['plain HTTP', 'any originator', 'no originator', ...dialectSettings[dialect].has]);
  const open = async (): Promise<Installation> => {
    const { names, description } = nameInProcess(dialect);
    const time = idleTime();
    const settings = { ...names, pointOfAccess: [description.url], journal: 0, clock: time.clock };
    const cse = createCse({ ...settings, ...deviationSettings(options) });
    const http = timeDriven(onThisMachine(cse.http), settledIn([cse]), time.advance);
    const gateway = reach({ http, description });
    return { name, has, gateway, ...speechOf(dialect), certificates: noCertificates };
  };
  return { name, has, open };
}

/**
 * Virtual time that advances by itself: when a request waits and nothing else goes on, it jumps to the next task.
 * However slow the machine is, nothing is late. Each reading is a microsecond later, so that no two resources are created
 * at the same time.
 */
function idleTime() {
  const standing = manualClock();
  const entries = new Set<{ readonly at: number }>();
  let looks = 0;
  const clock: Scheduler = {
    now: () => standing.now() + ++looks,
    schedule(milliseconds, task, options) {
      const entry = { at: standing.now() + Math.max(0, milliseconds) * 1000 };
      entries.add(entry);
      const due = () => {
        entries.delete(entry);
        return task();
      };
      const cancel = standing.schedule(milliseconds, due, options);
      return () => {
        entries.delete(entry);
        cancel();
      };
    },
  };
  const advance = async (): Promise<void> => {
    const next = Math.min(...[...entries].map(({ at }) => at));
    if (Number.isFinite(next)) await standing.advance(Math.max(0, next - standing.now()) / 1000);
  };
  return { clock, advance };
}

/** The service; its waiting requests advance time. */
function timeDriven(service: HttpService, settled: () => Promise<void>, advance: () => Promise<void>): HttpService {
  const state = { waiting: 0, changes: 0, passes: false };
  const pass = async (): Promise<void> => {
    if (state.passes) return;
    state.passes = true;
    while (state.waiting > 0) {
      const { changes } = state;
      await settled();
      if (state.waiting > 0 && state.changes === changes) await advance();
    }
    state.passes = false;
  };
  const handle: HttpService['handle'] = (request) => {
    state.changes += 1;
    const answer = service.handle(request);
    if (!(answer instanceof Promise)) return answer;
    state.waiting += 1;
    void pass();
    return answer.finally(() => {
      state.waiting -= 1;
      state.changes += 1;
    });
  };
  return { handle, refuse: (error) => service.refuse(error) };
}
