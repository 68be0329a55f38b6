import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allNeeds, contradictionIn, withoutImplied } from '../../files/needs.ts';
import type { Need } from '../../grammar/vocabulary.ts';
import type { Target } from '../../messages/target.ts';
import { type Installation, noCertificates, type Offer } from '../../targets/installation.ts';
import { Installations } from './installations.ts';

function installations(
  offered: Readonly<Record<string, readonly Need[]>>,
  log: string[] = [],
): { all: Installations; offers: readonly Offer[] } {
  const offers = Object.entries(offered).map(([name, needs]): Offer => {
    const has = new Set(needs);
    const open = async (): Promise<Installation> => {
      log.push(`open ${name}`);
      const close = async () => void log.push(`close ${name}`);
      return {
        name,
        has,
        gateway: { close } as Target,
        dialect: 'documented',
        release: '3',
        certificates: noCertificates,
      };
    };
    return { name, has, open };
  });
  const close = async () => void log.push('close all');
  return { all: new Installations({ offers, lacking: (need) => `needs ${need}`, close }), offers };
}

const two = { plain: ['plain HTTP', 'backend'], mutual: ['https', 'certificate required'] } as const;

function chosen(needs: readonly Need[], offered: Readonly<Record<string, readonly Need[]>> = two): string {
  const choice = installations(offered).all.choose(allNeeds(needs));
  return 'lacking' in choice ? choice.lacking : choice.name;
}

test('the first installation that has everything is chosen', () => {
  assert.equal(chosen([]), 'plain');
  assert.equal(chosen(['backend']), 'plain');
  assert.equal(chosen(['certificate required']), 'mutual');
});

test('without a wire no scenario checks it', () => {
  const { offers } = installations({ direct: ['plain HTTP'], plain: ['plain HTTP'] });
  const [direct, plain] = offers as [Offer, Offer];
  const all = new Installations({
    offers: [{ ...direct, wireless: true }, plain],
    ...{ lacking: (need) => `needs ${need}`, close: async () => {} },
  });
  const name = (onTheWire: boolean) => {
    const choice = all.choose(allNeeds(['plain HTTP']), onTheWire);
    return 'lacking' in choice ? choice.lacking : choice.name;
  };
  assert.deepEqual([name(false), name(true)], ['direct', 'plain']);
});

test('what no installation has is named once, what they do not have together as well', () => {
  assert.equal(chosen(['certificate required'], { plain: two.plain }), 'needs certificate required');
  assert.equal(chosen(['simulated backend', 'any originator']), 'needs simulated backend; needs any originator');
  assert.match(
    chosen(['backend', 'https']),
    /^no installation of the target has all of this together: backend, https$/,
  );
});

test('an installation is opened once, when it is needed, and closed in the end', async () => {
  const log: string[] = [];
  const { all, offers } = installations(two, log);
  const [plain, mutual] = offers as [Offer, Offer];
  assert.deepEqual(log, []);
  const [first, second] = await Promise.all([all.open(mutual), all.open(mutual)]);
  assert.equal(first, second);
  await all.open(plain);
  assert.deepEqual(
    all.opened().map(({ name }) => name),
    ['plain', 'mutual'],
  );
  await all.close();
  assert.deepEqual(log, ['open mutual', 'open plain', 'close mutual', 'close plain', 'close all']);
});

test('what fails to open does not keep the others from being closed', async () => {
  const log: string[] = [];
  const broken: Offer = { name: 'broken', has: new Set(), open: () => Promise.reject(new Error('no')) };
  const { offers } = installations({ plain: [] }, log);
  const all = new Installations({ offers: [broken, ...offers], lacking: String, close: async () => {} });
  await assert.rejects(all.open(broken), /no/);
  await all.open(offers[0] as Offer);
  await all.close();
  assert.deepEqual(log, ['open plain', 'close plain']);
});

test('a need includes what goes without saying', () => {
  assert.deepEqual([...allNeeds(['certificate required', 'certificate required'])], ['certificate required', 'https']);
  assert.deepEqual(withoutImplied(['https', 'certificate optional', 'backend']), ['certificate optional', 'backend']);
});

test('contradictory needs are reported', () => {
  const told = (...needs: Need[]) => contradictionIn(allNeeds(needs));
  assert.equal(told('plain HTTP', 'certificate optional'), 'no target has both "plain HTTP" and "https"');
  assert.equal(
    told('certificate required', 'no originator'),
    'no target has both "certificate required" and "no originator"',
  );
  assert.equal(told('certificate required', 'backend', 'any originator'), undefined);
});
