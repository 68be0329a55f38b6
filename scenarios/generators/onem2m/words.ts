/** What the onem2m dialect says of what is asked and looked at, at a CSE and through another. */
import type { Site } from '../../engine/running/installation.ts';
import type { ForwardingWords } from '../family.ts';
import type { StandardForm } from '../model/address.ts';
import { type Expected, expected, sameAs } from '../model/expected.ts';
import { endOf, kindFacts, type ModelResource } from '../model/resource.ts';
import { areaOf } from '../moves/ends.ts';
import type { Attempt } from '../moves/move.ts';
import type { EndRead, Ground, Wording } from '../moves/wording.ts';
import type { StandardOperation } from '../operations/onem2m.ts';
import type { WayThrough } from '../pair/through.ts';
import { creation, settle } from './create.ts';
import { answered, inForm, oneOfCodes, read, understood } from './read.ts';

/** Who has not registered yet; each registers once. */
function nextAsker({ model, anyOriginator }: Ground): string | undefined {
  const registered = new Set(model.all('ae').map(({ owner }) => owner));
  if (!registered.has('first')) return 'first';
  return anyOriginator && !registered.has('second') ? 'second' : undefined;
}

function removal({ kind, name: rn }: ModelResource, { form, rcn }: Parameters<Wording['removal']>[1]) {
  const { root, area } = kindFacts[kind];
  const expectations = [
    ...inForm(form as StandardForm),
    ...answered(kind === 'ae' ? 'std.ae.deregister' : `std.${area}.delete`, 2002),
    rcn === 1
      ? expected('std.delete.rcn.1', { root, attributes: { rn } })
      : expected('std.delete.rcn.default', { body: { is: 'absent' } }),
  ];
  return { expect: 'success', expectations } as const;
}

function endShown(container: ModelResource, { word, form, removed }: EndRead): Expected[] {
  const meant = endOf(container, word);
  const area = areaOf(word);
  if (meant === undefined) return answered(`std.${area}.retrieve.none`, 4004);
  const below = form === 'identifier' ? [expected('std.address.virtual-below-identifier', { rsc: 2000 })] : [];
  const requirement = removed?.wasThere === true ? `std.${area}.delete.next` : `std.${area}.retrieve`;
  return [...below, ...answered(requirement, 2000, { root: 'm2m:cin', attributes: { rn: meant.name } })];
}

/** Milliseconds before its end from which on something may be gone, and after it in which a CSE that looks from time to time may hold it. */
const tolerance = { before: 1000, after: 15_000 };

export const words: Wording = {
  asker: ({ owner }) => owner,
  dialect: 'onem2m',
  ...{ creation, settle, removal, endShown },
  lookAt: function* (resource, ground) {
    yield* read(resource, ground, 'look at everything');
  },
  lookAround: function* () {},
  baseHolds: [],
  application: (content, { release }) => ({
    ...{ api: 'Ncselab', rr: true },
    ...(content % 2 === 1 && { apn: 'app' }),
    ...(!/^(1|2|2a)$/.test(release) && { srv: ['3'] }),
  }),
  ownerOf: (_, parent, ground) => (parent === undefined ? nextAsker(ground) : parent.known ? parent.owner : undefined),
  formOf: ({ form }, parent) => (parent === undefined ? 'structured' : form),
  ends: ['la', 'ol'],
  refused: (requirement, codes) =>
    typeof codes === 'number' ? answered(requirement, codes) : [oneOfCodes(requirement, codes)],
  gone: ({ kind }, requirement = kind === 'ae' ? 'std.ae.deregister.gone' : 'std.delete.gone') =>
    answered(requirement, 4004),
  subtreeGone: ({ kind }) => answered(kind === 'ae' ? 'std.ae.deregister.subtree-gone' : 'std.delete.subtree', 4004),
  subtreeForms: ['structured', 'identifier'],
  endRemoved: (area, meant) =>
    meant === undefined ? answered(`std.${area}.delete.none`, 4004) : answered(`std.${area}.delete`, 2002),
  endGone: (area) => `std.${area}.delete.gone`,
  lifeOf: ({ kind, parent }) => {
    const mia = kind === 'content instance' ? parent?.held.mia : undefined;
    return typeof mia === 'number' ? mia * 1000 - tolerance.before : undefined;
  },
  expired: ({ expires = 0 }, passed) =>
    passed - expires < tolerance.before + tolerance.after ? [] : answered('std.retention.mia', 4004),
};

/** Another CSE hands a request on as it came (TS-0004 7.3.2.6), so that all that is expected of its answer stays. */
export function forwarding(grounds: Readonly<Record<Site, Ground>>): ForwardingWords<StandardOperation> {
  return {
    // An application entity registers at its own CSE.
    takes: ({ about, step }) => about.kind !== 'ae' || 'retrieve' in step || 'discover' in step,
    answered: (attempt, way, before) => {
      const { expect, expectations } = attempt;
      const requirement = requirementOf(attempt, way, grounds[way.at].model.names.base);
      const isShown = before?.outcome === 'success' && 'retrieve' in attempt.step;
      return {
        expect,
        expectations: [
          ...(expect === 'success' ? [understood(requirement)] : []),
          ...expectations,
          ...(isShown ? sameAs(before.view, requirement) : []),
        ],
      };
    },
  };
}

/** That of the form of address which names the CSE. */
function requirementOf({ about, step }: Attempt, { through }: WayThrough, base: string): string {
  if (about.form === 'dash') return 'std.address.dash';
  const paths = Object.values(step).filter((value) => typeof value === 'string');
  const byName = paths.some((path) => path.startsWith(`/${base}/`) || path.includes(`/${base}/`));
  return `std.address.${byName ? 'structured' : 'unstructured'}.${through === 'absolute' ? 'absolute' : 'sp-relative'}`;
}
