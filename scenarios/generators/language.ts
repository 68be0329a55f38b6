/** What a dialect says to a CSE: operations in sequences, and how they become requests. */
import fc from 'fast-check';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Installation, Site } from '../engine/running/installation.ts';
import { lifeAtBase } from '../safety/lifetime.ts';
import { Model } from './model/model.ts';
import { look } from './moves/look.ts';
import type { Action, Ground, Part } from './moves/move.ts';
import { moveOf } from './moves/moves.ts';
import { type Operation, operation, sequences } from './operations/operation.ts';
import { sequencesOf } from './operations/smaller.ts';
import { pairPlay } from './pair/play.ts';
import { plainRoute, type Route, route } from './pair/route.ts';
import { Events } from './standard/moves/events.ts';
import { look as standardLook, watch } from './standard/moves/look.ts';
import type { StandardGround } from './standard/moves/move.ts';
import { moveOf as standardMoveOf } from './standard/moves/moves.ts';
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
      play: (...at) => pairPlay({ gateway: groundAt('gateway', ...at), backend: groundAt('backend', ...at) }),
    },
  },
  onem2m: {
    alone: {
      ...{ dialect: 'onem2m', sequences: sequencesOf<StandardOperation>(standardOperation, plainer) },
      play: (...at) => {
        const ground = standardGroundAt('gateway', ...at);
        return {
          move: (one: StandardOperation) => standardMoveOf(one, ground),
          look: () => standardLook(ground),
          watch: (all) => watch(ground, all),
        };
      },
    },
    pair: {
      ...{ dialect: 'onem2m', sequences: sequencesOf(routed<StandardOperation>(standardOperation), plainer) },
      play: (...at) =>
        standardPairPlay({ gateway: standardGroundAt('gateway', ...at), backend: standardGroundAt('backend', ...at) }),
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

/** What a sequence of either dialect knows of one CSE before it begins. */
function commonAt(site: Site, { [site]: target, has, lifetime }: Installation, label: string) {
  if (target === undefined) throw new TypeError(`there is no ${site}`);
  const { base, cseId, spId } = target.description;
  const anyOriginator = has.has('any originator');
  return { names: { base, cseId, spId, label }, anyOriginator, atBase: () => lifeAtBase(lifetime) };
}

function groundAt(site: Site, installation: Installation, label: string): Ground {
  const { names, ...common } = commonAt(site, installation, label);
  const { has, originator } = installation;
  return { ...common, model: new Model(names), originator, plain: has.has('plain HTTP') };
}

function standardGroundAt(site: Site, installation: Installation, label: string): StandardGround {
  const { names, ...common } = commonAt(site, installation, label);
  const { has, release, clock } = installation;
  const model = new Model(names);
  const standing = clock?.virtual === true;
  return { ...common, model, standing, guards: has.has('access control'), release, events: new Events(model) };
}
