import type { ExactBytes } from '../engine/targets/target.ts';
import { bytesOf, type Place, sentinelOf } from '../generators/wire/wire-case.ts';
import { Risks } from '../safety/risks.ts';
import { anywhere, type RobustnessCase } from './robustness-case.ts';

/** What a case sends in one go, the sentinel with it; and what of it could be read by itself, or together. */
export function bytesSent({ sending }: RobustnessCase, place: Place): readonly ExactBytes[] {
  const written = (text: string): ExactBytes => ({ bytes: Buffer.from(text, 'latin1') });
  switch (sending.kind) {
    case 'request':
      return [written(sending.bytes(place) + bytesOf(sentinelOf(place))), written(sending.bytes(place))];
    case 'unfinished':
      return [written(sending.bytes(place))];
    case 'cut everywhere':
      return [{ ...written(sending.parts(place).map(bytesOf).join('')), cuts: [1] }];
    case 'turns': {
      const turns = sending.turns(place, 0);
      return [...turns, { bytes: Buffer.concat(turns.map(({ bytes }) => bytes)) }];
    }
    case 'crowd':
      return [sending.turn(place)];
  }
}

/** Why a case is left out at a live target, unless somebody asks for it; undefined where no deployed product is known to be damaged. */
export function riskOf(one: RobustnessCase): string | undefined {
  const risks = new Risks();
  const reasons = bytesSent(one, anywhere).flatMap((bytes) => risks.reason(bytes, () => false) ?? []);
  return reasons[0];
}
