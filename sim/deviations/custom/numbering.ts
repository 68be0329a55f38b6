import type { Resource } from '../../core/resource.ts';
import type { Deviation, Wrap } from '../deviation.ts';
import { handling, hearing } from '../vocabulary/blocks.ts';
import { isSuccess, jsonIn } from '../vocabulary/messages.ts';
import { createdBy } from './history.ts';

/** Answers number a kind by how many there are, so that a number is given twice after a removal. */
function renumbering(
  isOne: (resource: Resource) => boolean,
  named: (resource: Resource) => unknown,
  keys: string[],
): Wrap {
  return (service, core) => {
    const shown = new Map<unknown, string>();
    let living = 0;
    hearing(core, (resource) => {
      if (isOne(resource)) living -= 1;
    });
    const watched = handling(async (request, inner) => {
      const answer = await inner.handle(request);
      const created = createdBy(request, answer, core);
      if (created === undefined || !isOne(created)) return answer;
      shown.set(named(created), String(named(created)).replace(/\d+$/, String(living)));
      living += 1;
      return answer;
    })(service, core);
    return handling(async (request, inner) => {
      const answer = await inner.handle(request);
      const value = isSuccess(answer) ? jsonIn(answer.body) : undefined;
      const renamed = (name: string, one: unknown) => (keys.includes(name) ? (shown.get(one) ?? one) : one);
      return value === undefined ? answer : { ...answer, body: JSON.stringify(value, renamed) };
    })(watched, core);
  };
}

const isContainer = ({ type }: Resource) => type.root === 'm2m:cnt';

const isCounted = ({ type, values, creator }: Resource) => {
  const aei = String(values.aei);
  return type.root === 'm2m:ae' && /^C\d+$/.test(aei) && !creator?.endsWith(aei);
};

/** Numbers that are given twice. */
export const numbering: readonly Deviation[] = [
  {
    id: 'stateful.second-life.container-ri-again',
    violates: 'common.ri.distinct',
    sequencesOnly: true,
    says: 'A container is numbered by how many there are when it is created, wherever answers show its identifier.',
    wrap: renumbering(isContainer, ({ id }) => id, ['ri', 'pi', 'val']),
  },
  {
    id: 'stateful.second-life.aei-again',
    violates: 'ae.aei.distinct',
    sequencesOnly: true,
    says: 'A counted AE identifier has the number of those that there are when it is given, wherever answers show it.',
    wrap: renumbering(isCounted, ({ values }) => values.aei, ['aei']),
  },
];
