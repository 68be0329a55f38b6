/** What a dialect says to a CSE: operations in sequences, and how they become requests. */
import fc from 'fast-check';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Installation, Site } from '../engine/running/installation.ts';
import { lifeAtBase } from '../safety/lifetime.ts';
import { Model } from './model/model.ts';
import type { Action, Ground, Part } from './moves/move.ts';
import { look, moveOf } from './moves/moves.ts';
import { type Operation, operation, sequences } from './operations/operation.ts';
import { sequencesOf } from './operations/smaller.ts';
import { pairPlay } from './pair/play.ts';
import { plainRoute, type Route, route } from './pair/route.ts';
import { Events } from './standard/moves/events.ts';
import type { StandardGround } from './standard/moves/move.ts';
import { look as standardLook, moveOf as standardMoveOf, watch } from './standard/moves/moves.ts';
import { plainer, type StandardOperation, operation as standardOperation } from './standard/operations/operation.ts';
import { standardPairPlay } from './standard/pair/play.ts';

/** What a sequence does, in one dialect or the other. */
export type AnyOperation = Operation | StandardOperation;

/** How the operations of one sequence become requests. */
export interface Play<One = AnyOperation, Asked = Action> {
  /** Time has passed already, where that is what it does. */
  move(operation: One): Part<void, Asked>;
  /** A look at everything. */
  look(): Part<void, Asked>;
  /** A look into the inboxes, where there are such; `all`: into each that was ever spoken of. */
  watch?(all: boolean): Part<void, Asked>;
}

export interface Language {
  readonly dialect: Dialect;
  readonly sequences: fc.Arbitrary<AnyOperation[]>;
  /** `label`: how everything is called that the sequence creates at the CSE base. Throws a TypeError where a CSE is not there. */
  play(installation: Installation, label: string): Play;
}

/** Of a dialect, on one CSE by itself and on two that know each other. */
export const languages: Readonly<Record<Dialect, Readonly<Record<'alone' | 'pair', Language>>>> = {
  documented: {
    alone: {
      ...{ dialect: 'documented', sequences },
      play: (...at) => {
        const ground = groundAt('gateway', ...at);
        return { move: (one: Operation) => moveOf(one, ground), look: () => look(ground) };
      },
    },
    pair: {
      ...{ dialect: 'documented', sequences: sequencesOf(routed<Operation>(operation)) },
      play: (...at) => pairPlay(groundsAt(...at)),
    },
  },
  onem2m: {
    alone: {
      ...{ dialect: 'onem2m', sequences: sequencesOf<StandardOperation>(standardOperation, plainer) },
      play: (...at) => {
        const ground = groundAt('gateway', ...at);
        return {
          move: (one: StandardOperation) => standardMoveOf(one, ground),
          look: () => standardLook(ground),
          watch: (all) => watch(ground, all),
        };
      },
    },
    pair: {
      ...{ dialect: 'onem2m', sequences: sequencesOf(routed<StandardOperation>(standardOperation), plainer) },
      play: (...at) => standardPairPlay(groundsAt(...at)),
    },
  },
};

/** Operations with a way for each. */
function routed<One extends AnyOperation>(operation: fc.Arbitrary<One>): fc.Arbitrary<One> {
  return fc.tuple(operation, route).map(
    ([one, way]): One => (one.does === 'advance time' ? one : { ...one, route: way }),
    (value): [One, Route] => {
      const { route: way = plainRoute, ...one } = value as AnyOperation;
      return [one as One, way];
    },
  );
}

/** What a sequence knows of one CSE before it begins. */
export function groundAt(site: Site, installation: Installation, label: string): Ground & StandardGround {
  const { [site]: target, has, lifetime, originator, release, clock } = installation;
  if (target === undefined) throw new TypeError(`there is no ${site}`);
  const { base, cseId, spId } = target.description;
  const model = new Model({ base, cseId, spId, label });
  return {
    ...{ model, originator, release, events: new Events(model), atBase: () => lifeAtBase(lifetime) },
    ...{ anyOriginator: has.has('any originator'), plain: has.has('plain HTTP'), guards: has.has('access control') },
    standing: clock?.virtual === true,
  };
}

function groundsAt(...at: [installation: Installation, label: string]) {
  return { gateway: groundAt('gateway', ...at), backend: groundAt('backend', ...at) };
}
