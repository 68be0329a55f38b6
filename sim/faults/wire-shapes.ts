import type { Fault, Wrap } from './fault.ts';
import { type Asked, areaOf, type Kind, kinds, nameOf, shownIn } from './vocabulary/asked.ts';
import { bodyInstead, type Where } from './vocabulary/blocks.ts';

const ofKind =
  (kind: Kind, also: (about: Asked) => boolean = () => true): Where =>
  (about, _, shown) =>
    shown === kind && also(about);

/** Rows 1 to 6 of the endpoints: paths of names, relative to the CSE base. */
const firstRows = ({ method, ordinary, virtual }: Asked) =>
  (method === 'POST' || method === 'GET') && ordinary && !virtual;

function rootInstead(root: string, where: Where): Wrap {
  return bodyInstead(({ body }) => JSON.stringify({ [root]: shownIn(body)?.attributes }), where);
}

const longRoots: Readonly<Record<Kind, string>> = {
  'm2m:ae': 'm2m:AE',
  'm2m:cnt': 'm2m:container',
  'm2m:cin': 'm2m:contentInstance',
};

const roots: readonly Fault[] = kinds.map((kind) => ({
  id: `wire.root.${areaOf[kind]}.long-name`,
  violates: `wire.root.${areaOf[kind]}`,
  says: `Creating and reading ${nameOf[kind]} by an ordinary path answers it below the key ${longRoots[kind]}.`,
  wrap: rootInstead(longRoots[kind], ofKind(kind, firstRows)),
}));

const atRoot = ({ method, path }: Asked) => method === 'POST' && path === '/';
const spReading = ({ method, spRelative, virtual }: Asked) => method === 'GET' && spRelative && !virtual;
const spCreation = ({ method, spRelative }: Asked) => method === 'POST' && spRelative;

/** What stands in the body of an answer instead of the documented object. */
export const wireShapes: readonly Fault[] = [
  ...roots,
  ...kinds.map((kind) => ({
    id: `wire.body.${areaOf[kind]}.list`,
    violates: 'wire.answer-is-json',
    says: `Creating and reading ${nameOf[kind]} by an ordinary path answers a list with its representation in it.`,
    wrap: bodyInstead(({ body }) => `[${body}]`, ofKind(kind, firstRows)),
  })),
  {
    id: 'container.create-at-root.empty',
    violates: 'container.create-at-root.answer',
    says: 'Creating a container by a request to the path / answers an empty body.',
    wrap: bodyInstead(() => '', ofKind('m2m:cnt', atRoot)),
  },
  {
    id: 'container.create-at-root.as-base',
    violates: 'container.create-at-root.answer',
    says: 'Creating a container by a request to the path / answers it below the key m2m:cb.',
    wrap: rootInstead('m2m:cb', ofKind('m2m:cnt', atRoot)),
  },
  {
    id: 'latest.address-only',
    violates: 'latest.answers-content-instance',
    says: 'Reading latest by an ordinary path answers the path of the newest content instance below m2m:uri.',
    wrap: bodyInstead(
      ({ headers }) => JSON.stringify({ 'm2m:uri': headers['Content-Location'] ?? '' }),
      ofKind('m2m:cin', ({ method, path, ordinary }) => method === 'GET' && ordinary && path.endsWith('/latest')),
    ),
  },
  {
    id: 'sp-relative.retrieve.bare',
    violates: 'sp-relative.retrieve.representation',
    says: 'Reading by a path that names the CSE answers the attributes without a key around them.',
    wrap: bodyInstead(
      ({ body }) => JSON.stringify(shownIn(body)?.attributes),
      (about, _, kind) => kind !== undefined && spReading(about),
    ),
  },
  {
    id: 'sp-relative.retrieve.always-content-instance',
    violates: 'sp-relative.retrieve.representation',
    says: 'Reading by a path that names the CSE answers each resource below the key m2m:cin.',
    wrap: rootInstead('m2m:cin', (about, _, kind) => kind !== undefined && spReading(about)),
  },
  {
    id: 'sp-relative.create.empty',
    violates: 'sp-relative.create.answer',
    says: 'Creating a content instance by a path that names the CSE answers an empty body.',
    wrap: bodyInstead(() => '', ofKind('m2m:cin', spCreation)),
  },
  {
    id: 'sp-relative.create.container-key',
    violates: 'sp-relative.create.answer',
    says: 'Creating a content instance by a path that names the CSE answers it below the key m2m:cnt.',
    wrap: rootInstead('m2m:cnt', ofKind('m2m:cin', spCreation)),
  },
];
