/** Fixtures for @playwright/test: CSEs that every test finds as new. */
import type { TestInfo } from '@playwright/test';
import { ApplicationEntity } from '../application-entity/ae.ts';
import { createCse, type InMemoryCse } from '../cse/create-cse.ts';
import { type ManualClock, manualClock, systemClock } from '../environment/clock.ts';
import { requirePackage } from '../environment/missing-package.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { RequestJournal } from '../journal/journal.ts';
import { matchers } from '../matchers/matchers.ts';
import { type Pair, startPair } from '../topology/pair.ts';
import type { PairMember } from '../topology/pair-member.ts';
import { PairInstallations } from './installations.ts';
import { type CselabOptions, startingOptions } from './options.ts';

const { test: plain, expect: usual } = requirePackage<typeof import('@playwright/test')>(
  'cselab/playwright',
  '@playwright/test',
);

/** Of one test. */
export interface CselabFixtures {
  /** An option: the settings of the CSEs. One object for a file or a `describe`, which is not merged with others. */
  readonly cselab: CselabOptions;
  /**
   * A gateway registered at a backend, at ports of their own in each worker. Started once for a worker and reset before each test: `tree`
   * and `deviations` of the option, and nothing that another test has left. With a manual clock, new for each test.
   */
  readonly pair: Pair;
  /** The (first) gateway of the pair. */
  readonly gateway: PairMember;
  /** The backend of the pair. */
  readonly backend: PairMember;
  /** Of the pair and of `cse`: `await clock.advance('1h')`. Needs the option `cselab: { clock: 'manual' }`. */
  readonly clock: ManualClock;
  /** An application that is registered at the gateway, and deregisters after the test. It speaks the documented dialect only. */
  readonly ae: ApplicationEntity;
  /** Receives notifications of the gateway, in memory: put `inbox.url` into `nu` of a subscription. */
  readonly inbox: Inbox;
  /** A CSE in memory with `tree` and `deviations` of the option, for `routeCse(page, cse, 'http://gateway.example')`. It opens no port. */
  readonly cse: InMemoryCse;
}

/** Of one worker. */
export interface CselabWorkerFixtures {
  /** The pairs of the worker, from which `pair` is taken. */
  readonly cselabInstallations: Pick<PairInstallations, 'take'>;
}

/**
 * `test` of Playwright Test with fixtures `pair`, `gateway`, `backend`, `ae`, `inbox`, `cse` and `clock`, set by `test.use({ cselab: { … } })`. To be
 * joined with fixtures of your own by `mergeTests`. When a test fails, the received requests are attached to it.
 */
export const test = plain.extend<CselabFixtures, CselabWorkerFixtures>({
  cselab: [{}, { option: true }],

  cselabInstallations: [
    async ({ browserName: _any }, use) => {
      const installations = new PairInstallations();
      await use(installations);
      await installations.close();
    },
    { scope: 'worker' },
  ],

  clock: async ({ cselab }, use) => {
    await use(cselab.clock === 'manual' ? manualClock() : { ...systemClock(), advance: notManual });
  },

  pair: async ({ cselab, clock, cselabInstallations }, use, info) => {
    // Advanced time cannot be reset.
    const own = cselab.clock === 'manual' ? await startPair({ ...startingOptions(cselab), clock }) : undefined;
    const pair: Pair = own ?? (await cselabInstallations.take(cselab));
    try {
      if (cselab.tree !== undefined) await pair.gateway.seed(cselab.tree);
      if (cselab.backendTree !== undefined) await pair.backend.seed(cselab.backendTree);
      pair.gateway.deviate(...(cselab.deviations ?? []));
      await use(pair);
      await attachRequests(info, 'gateway', pair.gateway.requests);
      await attachRequests(info, 'backend', pair.backend.requests);
    } finally {
      await own?.close();
    }
  },

  gateway: async ({ pair }, use) => use(pair.gateway),

  backend: async ({ pair }, use) => use(pair.backend),

  ae: async ({ cselab, pair }, use) => {
    await using ae = new ApplicationEntity(applicationOptions(cselab, pair));
    await ae.start();
    await use(ae);
  },

  inbox: async ({ gateway }, use) => {
    await using inbox = gateway.openInbox();
    await use(inbox);
  },

  cse: async ({ cselab, clock }, use, info) => {
    const { dialect, gateway } = cselab;
    await using cse = createCse({ ...(dialect && { dialect }), ...gateway, clock });
    if (cselab.tree !== undefined) await cse.seed(cselab.tree);
    cse.deviate(...(cselab.deviations ?? []));
    await use(cse);
    await attachRequests(info, 'cse', cse.requests);
  },
});

async function notManual(): Promise<never> {
  throw new TypeError("the clock runs by itself; test.use({ cselab: { clock: 'manual' } }) lets a test advance it");
}

function applicationOptions({ dialect, application }: CselabOptions, { gateway, clock, certs }: Pair) {
  if (dialect === 'onem2m') throw new TypeError('the fixture ae speaks the documented dialect; send requests yourself');
  const secured = certs && {
    caCerts: certs.chain,
    certFile: certs.ae.cert,
    keyFile: certs.ae.key,
    originatorPre: certs.ae.originator,
  };
  return { cse: gateway.url, base: gateway.base, name: 'Test-AE', clock, ...secured, ...application };
}

/** That of Playwright Test, with the matchers of `cselab/matchers`: `await expect(gateway).toHaveReceived({ method: 'POST', content: 21 })`. */
export const expect = usual.extend(matchers);

// Attachments for the report of a failed test.

/** When the test has failed: attaches the requests to a CSE and its answers as a text. */
async function attachRequests(info: TestInfo, name: string, requests: RequestJournal): Promise<void> {
  if (info.status === info.expectedStatus) return;
  const forgotten = requests.dropped === 0 ? [] : [`${requests.dropped} older ones were dropped`];
  const lines = requests.entries.map((entry) => `no. ${entry.number}  ${entry}`);
  const body = [...forgotten, ...lines].join('\n') || 'No request came.';
  await info.attach(`requests at the ${name}`, { body, contentType: 'text/plain' });
}
