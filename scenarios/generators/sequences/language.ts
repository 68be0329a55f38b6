/** The language of a dialect: operations in sequences, and how they become requests. */
import fc from 'fast-check';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Installation, MemberName } from '../../engine/targets/installation.ts';
import { lifeAtBase } from '../../engine/targets/lifetime.ts';
import { CreatedResources } from '../created/created.ts';
import { moveOf, traits } from '../documented/moves.ts';
import { type HopRoute, namesToChoose } from '../moves/arbitraries.ts';
import { look } from '../moves/look.ts';
import type { DialectModel, MoveContext, MoveSource, OperationBase } from '../moves/move-context.ts';
import { moveOf as standardMoveOf, traits as standardWords } from '../onem2m/moves.ts';
import { type DocumentedOperation, operation } from '../operations/documented.ts';
import { plainer, type StandardOperation, operation as standardOperation } from '../operations/onem2m.ts';
import { sequencesOf } from '../operations/smaller.ts';
import { PairMoves } from '../pair/pair-moves.ts';
import { directRoute, route } from '../pair/through.ts';
import type { ExplorationSession } from '../search/session.ts';

/** What a sequence does, in one dialect or the other. */
export type AnyOperation = DocumentedOperation | StandardOperation;

export interface Language {
  readonly dialect: Dialect;
  readonly sequences: fc.Arbitrary<AnyOperation[]>;
  /** `label`: prefix of all that the sequence creates at the CSE base. Throws a TypeError if a CSE is missing. */
  moves(installation: Installation, label: string): MoveSource<AnyOperation>;
}

const documented: DialectModel<DocumentedOperation> = {
  ...{ operation, traits, moveOf },
  forwarding: { prepared, readsBack: true },
};
const onem2m: DialectModel<StandardOperation> = {
  ...{ operation: standardOperation, plainer, traits: standardWords, moveOf: standardMoveOf },
  // An application entity registers at its own CSE.
  forwarding: { isForwarded: ({ about, step }) => about.type !== 'ae' || 'retrieve' in step || 'discover' in step },
};
const models = { documented, onem2m } as const satisfies Record<Dialect, unknown>;

/** Of a dialect, on one CSE and on two that know each other. */
const languages: Readonly<Record<Dialect, Readonly<Record<'alone' | 'pair', Language>>>> = {
  documented: languagesOf('documented', documented),
  onem2m: languagesOf('onem2m', onem2m),
};

/** The language for a target, alone or with its backend. */
export function languageOf({ dialect, backend }: Pick<ExplorationSession, 'dialect' | 'backend'>): Language {
  return languages[dialect][backend === undefined ? 'alone' : 'pair'];
}

function languagesOf<One extends AnyOperation>(dialect: Dialect, model: DialectModel<One>) {
  const { operation, plainer } = model;
  const alone = (...at: [Installation, string]): MoveSource<One> => aloneAt(contextAt('gateway', ...at), model);
  const pair = (...at: [Installation, string]): MoveSource<One> =>
    new PairMoves({ gateway: contextAt('gateway', ...at), backend: contextAt('backend', ...at) }, model);
  return {
    alone: { dialect, sequences: sequencesOf(operation, plainer), moves: alone },
    pair: { dialect, sequences: sequencesOf(routed(operation), plainer), moves: pair },
  };
}

/** On one CSE, of which this is known. */
export function movesAt(dialect: Dialect, context: MoveContext): MoveSource<AnyOperation> {
  return dialect === 'onem2m' ? aloneAt(context, onem2m) : aloneAt(context, documented);
}

const aloneAt = <One extends AnyOperation>(context: MoveContext, { moveOf }: DialectModel<One>): MoveSource<One> => ({
  move: (one) => moveOf(one, context),
  look: () => look(context),
});

/** Operations with a route for each. */
function routed<One extends OperationBase>(operation: fc.Arbitrary<One>): fc.Arbitrary<One> {
  return fc.tuple(operation, route).map(
    ([one, way]): One => (one.does === 'advance time' ? one : { ...one, route: way }),
    (value): [One, HopRoute] => {
      const { route: way = directRoute, ...one } = value as OperationBase;
      return [one as One, way];
    },
  );
}

/** With its own name, by which it can be found, and in the form of path to which the CSE is added. */
function prepared(operation: DocumentedOperation): DocumentedOperation {
  if (operation.does === 'create') return { ...operation, name: operation.name % namesToChoose, form: 'structured' };
  return 'form' in operation ? { ...operation, form: 'structured' } : operation;
}

/** What a sequence knows of one CSE before it begins. */
export function contextAt(member: MemberName, installation: Installation, label: string): MoveContext {
  const { [member]: target, dialect, has, lifetime, release, clock } = installation;
  if (target === undefined) throw new TypeError(`there is no ${member}`);
  const { base, cseId, spId } = target.description;
  return {
    ...{ created: new CreatedResources({ base, cseId, spId, label }), traits: models[dialect].traits, release },
    ...{ anyOriginator: has.has('any originator'), checksPolicies: has.has('access control') },
    ...{ virtualTime: clock?.virtual === true, atBase: () => lifeAtBase(lifetime) },
  };
}
