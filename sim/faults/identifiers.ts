import type { Fault, Wrap } from './fault.ts';
import { areaOf, type Kind, kinds, nameOf, sentIn } from './vocabulary/asked.ts';
import { changingRequests, changingResources, changingValues, refusing, withContent } from './vocabulary/blocks.ts';

const prefixOf: Readonly<Record<Kind, string>> = { 'm2m:ae': 'ae', 'm2m:cnt': 'cnt', 'm2m:cin': 'cin' };

/** Writes the identifiers of a kind in another way, everywhere in answers alike: in ri, pi and val. */
function renaming(kind: Kind, rename: (number: string) => string): Wrap {
  const shape = new RegExp(`^${prefixOf[kind]}(\\d+)$`);
  return changingValues(['ri', 'pi', 'val'], (value) => {
    const number = typeof value === 'string' ? shape.exec(value)?.[1] : undefined;
    return number === undefined ? value : rename(number);
  });
}

const letters = (number: string) => number.replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));

const shapes: readonly Fault[] = kinds.flatMap((kind) => [
  {
    id: `${areaOf[kind]}.ri.letters`,
    violates: `${areaOf[kind]}.ri.shape`,
    says: `The identifier of ${nameOf[kind]} ends in letters instead of a number, wherever it is answered.`,
    wrap: renaming(kind, (number) => `${prefixOf[kind]}-${letters(number)}`),
  },
  {
    id: `${areaOf[kind]}.ri.without-prefix`,
    violates: `${areaOf[kind]}.ri.shape`,
    says: `The identifier of ${nameOf[kind]} is a number without a prefix, wherever it is answered.`,
    wrap: renaming(kind, (number) => number),
  },
]);

const shared: readonly Fault[] = (['m2m:cnt', 'm2m:cin'] as const).map((kind) => ({
  id: `${areaOf[kind]}.ri.shared`,
  violates: 'common.ri.distinct',
  says: `Answers that show ${nameOf[kind]} give the identifier of the first of its kind beside it in ri.`,
  wrap: changingResources(kind, (attributes, _, { tree }) => {
    const beside = tree.byId(String(attributes.ri))?.parent?.children?.values() ?? [];
    attributes.ri = [...beside].find(({ type }) => type.root === kind)?.id ?? attributes.ri;
  }),
}));

const unstable: readonly Fault[] = (['m2m:ae', 'm2m:cin'] as const).map((kind) => ({
  id: `${areaOf[kind]}.ri.other-on-creation`,
  violates: 'common.ri.stable',
  says: `Creating ${nameOf[kind]} answers another identifier than it has from then on.`,
  wrap: changingResources(
    kind,
    (attributes) => {
      attributes.ri = `${attributes.ri}0000`;
    },
    ({ method }) => method === 'POST',
  ),
}));

/** Parents: an identifier that exists, but of something else. */
const parents: readonly Fault[] = [
  {
    id: 'ae.pi.itself',
    violates: 'ae.pi.is-cse-base',
    says: 'Answers that show an application entity give its own identifier in pi.',
    wrap: changingResources('m2m:ae', (attributes) => {
      attributes.pi = attributes.ri;
    }),
  },
  {
    id: 'ae.pi.another',
    violates: 'ae.pi.is-cse-base',
    says: 'Answers that show an application entity give cb99 in pi, whatever the CSE base is called.',
    wrap: changingResources('m2m:ae', (attributes) => {
      attributes.pi = 'cb99';
    }),
  },
  {
    id: 'container.pi.cse-base',
    violates: 'container.pi.is-parent',
    says: 'Answers that show a container give the identifier of the CSE base in pi.',
    wrap: changingResources('m2m:cnt', (attributes, _, { tree }) => {
      attributes.pi = tree.base.id;
    }),
  },
  ...(['m2m:cnt', 'm2m:cin'] as const).map((kind) => ({
    id: `${areaOf[kind]}.pi.numbered-apart`,
    violates: `${areaOf[kind]}.pi.is-parent`,
    says: `Answers that show ${nameOf[kind]} give in pi the identifier of its parent with a million added to its number.`,
    wrap: changingResources(kind, (attributes) => {
      attributes.pi = String(attributes.pi).replace(/\d+$/, (number) => `${Number(number) + 1_000_000}`);
    }),
  })),
  {
    id: 'content-instance.pi.grandparent',
    violates: 'content-instance.pi.is-parent',
    says: 'Answers that show a content instance give the identifier of what its container stands below in pi.',
    wrap: changingResources('m2m:cin', (attributes, _, { tree }) => {
      attributes.pi = tree.byId(String(attributes.pi))?.parent?.id ?? tree.base.id;
    }),
  },
];

const madeUpName = /\/contentInstance-[A-Za-z0-9]{16}$/;

/** Names content instances that the client left without one. */
function naming(nameFor: (number: number) => string): Wrap {
  return (service, core) => {
    let number = 0;
    return changingRequests((request, { method }) => {
      const sent = method === 'POST' ? sentIn(request) : undefined;
      if (sent?.kind !== 'm2m:cin' || (sent.attributes.rn ?? null) !== null) return undefined;
      number += 1;
      return withContent(request, 'm2m:cin', { ...sent.attributes, rn: nameFor(number) });
    })(service, core);
  };
}

const names: readonly Fault[] = [
  {
    id: 'content-instance.rn.counted',
    violates: 'content-instance.rn.assigned-shape',
    says: 'A content instance without a name is called cin_1, cin_2 and so on.',
    wrap: naming((number) => `cin_${number}`),
  },
  {
    id: 'content-instance.rn.fifteen-letters',
    violates: 'content-instance.rn.assigned-shape',
    says: 'A content instance without a name is called contentInstance- and 15 digits.',
    wrap: naming((number) => `contentInstance-${String(number).padStart(15, '0')}`),
  },
  {
    id: 'addressing.made-up-name.not-found',
    violates: 'common.rn.path-segment',
    says: 'What is addressed by a name that the service made up for a content instance is answered as not found.',
    wrap: refusing({ status: 404, code: 4004, says: 'There is no resource at this path.' }, ({ path }) =>
      madeUpName.test(path),
    ),
  },
  {
    id: 'content-instance.rn.other-than-path',
    violates: 'common.rn.path-segment',
    says: 'A name that the service made up for a content instance is answered with its letters and digits reversed.',
    wrap: changingResources('m2m:cin', (attributes) => {
      const [, given] = /^contentInstance-([A-Za-z0-9]{16})$/.exec(String(attributes.rn)) ?? [];
      if (given !== undefined) attributes.rn = `contentInstance-${[...given].reverse().join('')}`;
    }),
  },
];

/** Identifiers, parents and names. */
export const identifiers: readonly Fault[] = [...shapes, ...shared, ...unstable, ...parents, ...names];
