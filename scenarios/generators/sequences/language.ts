/** What a dialect says to a CSE: operations in sequences, and how they become requests. */
import fc from 'fast-check';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Installation, Site } from '../../engine/targets/installation.ts';
import { lifeAtBase } from '../../engine/targets/lifetime.ts';
import { Created } from '../created/created.ts';
import { moveOf, words } from '../documented/moves.ts';
import { type HopRoute, namesToChoose } from '../moves/arbitraries.ts';
import { look } from '../moves/look.ts';
import type { Family, MoveContext, Play, Speaking } from '../moves/move-context.ts';
import { moveOf as standardMoveOf, words as standardWords } from '../onem2m/moves.ts';
import { type DocumentedOperation, operation } from '../operations/documented.ts';
import { plainer, type StandardOperation, operation as standardOperation } from '../operations/onem2m.ts';
import { sequencesOf } from '../operations/smaller.ts';
import { PairPlay } from '../pair/play.ts';
import { plainRoute, route } from '../pair/through.ts';
import type { Arena } from '../search/arena.ts';

/** What a sequence does, in one dialect or the other. */
export type AnyOperation = DocumentedOperation | StandardOperation;

export interface Language {
  readonly dialect: Dialect;
  readonly sequences: fc.Arbitrary<AnyOperation[]>;
  /** `label`: how everything is called that the sequence creates at the CSE base. Throws a TypeError where a CSE is not there. */
  play(installation: Installation, label: string): Play<AnyOperation>;
}

const documented: Family<DocumentedOperation> = {
  ...{ operation, words, moveOf },
  forwarding: { prepared, looks: true },
};
const onem2m: Family<StandardOperation> = {
  ...{ operation: standardOperation, plainer, words: standardWords, moveOf: standardMoveOf },
  // An application entity registers at its own CSE.
  forwarding: { takes: ({ about, step }) => about.kind !== 'ae' || 'retrieve' in step || 'discover' in step },
};
const families = { documented, onem2m } as const satisfies Record<Dialect, unknown>;

/** Of a dialect, on one CSE by itself and on two that know each other. */
const languages: Readonly<Record<Dialect, Readonly<Record<'alone' | 'pair', Language>>>> = {
  documented: languagesOf('documented', documented),
  onem2m: languagesOf('onem2m', onem2m),
};

/** In which a target is spoken to, alone or with its backend. */
export function languageOf({ dialect, backend }: Pick<Arena, 'dialect' | 'backend'>): Language {
  return languages[dialect][backend === undefined ? 'alone' : 'pair'];
}

function languagesOf<One extends AnyOperation>(dialect: Dialect, family: Family<One>) {
  const { operation, plainer } = family;
  const alone = (...at: [Installation, string]): Play<One> => aloneAt(groundAt('gateway', ...at), family);
  const pair = (...at: [Installation, string]): Play<One> =>
    new PairPlay({ gateway: groundAt('gateway', ...at), backend: groundAt('backend', ...at) }, family);
  return {
    alone: { dialect, sequences: sequencesOf(operation, plainer), play: alone },
    pair: { dialect, sequences: sequencesOf(routed(operation), plainer), play: pair },
  };
}

/** On one CSE by itself, of which this is known. */
export function playAt(dialect: Dialect, context: MoveContext): Play<AnyOperation> {
  return dialect === 'onem2m' ? aloneAt(context, onem2m) : aloneAt(context, documented);
}

const aloneAt = <One extends AnyOperation>(context: MoveContext, { moveOf }: Family<One>): Play<One> => ({
  move: (one) => moveOf(one, context),
  look: () => look(context),
});

/** Operations with a way for each. */
function routed<One extends Speaking>(operation: fc.Arbitrary<One>): fc.Arbitrary<One> {
  return fc.tuple(operation, route).map(
    ([one, way]): One => (one.does === 'advance time' ? one : { ...one, route: way }),
    (value): [One, HopRoute] => {
      const { route: way = plainRoute, ...one } = value as Speaking;
      return [one as One, way];
    },
  );
}

/** With a name of its own, by which it can be looked for, and in the form of path to which the name of the CSE is added. */
function prepared(operation: DocumentedOperation): DocumentedOperation {
  if (operation.does === 'create') return { ...operation, name: operation.name % namesToChoose, form: 'structured' };
  return 'form' in operation ? { ...operation, form: 'structured' } : operation;
}

/** What a sequence knows of one CSE before it begins. */
export function groundAt(site: Site, installation: Installation, label: string): MoveContext {
  const { [site]: target, dialect, has, lifetime, release, clock } = installation;
  if (target === undefined) throw new TypeError(`there is no ${site}`);
  const { base, cseId, spId } = target.description;
  return {
    ...{ created: new Created({ base, cseId, spId, label }), words: families[dialect].words, release },
    ...{ anyOriginator: has.has('any originator'), guards: has.has('access control') },
    ...{ standing: clock?.virtual === true, atBase: () => lifeAtBase(lifetime) },
  };
}
