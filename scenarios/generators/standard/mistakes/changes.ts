import type { Attributes } from '../../moves/move.ts';
import { pathOf } from '../model/address.ts';
import { answered } from '../model/answers.ts';
import { instancesOf } from '../model/resource.ts';
import { holdsContainers, isContainer, type Mistakes, type Wrong } from './mistake.ts';

function update(requirement: string, attributes: Attributes): Wrong {
  return {
    among: ({ kind }) => kind === 'container' || kind === 'ae' || kind === 'group',
    wrong: (resource, { model }) => ({
      step: { update: pathOf(resource, model), kind: resource.kind, attributes },
      expectations: answered(requirement, 4000),
    }),
  };
}

export const wrongChanges = {
  'update what is not there': {
    among: holdsContainers,
    wrong: (resource, { model }) => ({
      step: { update: `${pathOf(resource, model)}/nowhere`, kind: 'container', attributes: { lbl: ['x'] } },
      expectations: answered('std.update.not-found', 4004),
    }),
  },
  'update an attribute of the CSE': update('std.update.read-only', { ct: '20200101T000000' }),
  'update an attribute that the kind has not': update('std.update.foreign', { exc: 5 }),
  'update with another root': {
    among: isContainer,
    wrong: (resource, { model }) => ({
      step: { update: pathOf(resource, model), kind: 'container', root: 'm2m:grp', attributes: { lbl: ['x'] } },
      expectations: answered('std.update.wrong-root', 4000),
    }),
  },
  'update a content instance': {
    among: ({ kind }) => kind === 'content instance',
    wrong: (resource, { model }) => ({
      step: { update: pathOf(resource, model), kind: resource.kind, attributes: { lbl: ['x'] } },
      expectations: answered('std.content-instance.update', 4005),
    }),
  },
  'update what is virtual': {
    among: (resource) => isContainer(resource) && instancesOf(resource).length > 0,
    wrong: (resource, { model }) => ({
      step: { update: `${pathOf(resource, model)}/la`, kind: 'content instance', attributes: { lbl: ['x'] } },
      expectations: answered('std.latest.update', 4005),
    }),
  },
  'delete what is not there': {
    among: holdsContainers,
    wrong: (resource, { model }) => ({
      step: { delete: `${pathOf(resource, model)}/nowhere` },
      expectations: answered('std.delete.not-found', 4004),
    }),
  },
  'delete with an rcn that it has not': {
    among: () => true,
    wrong: (resource, { model }) => ({
      step: { delete: pathOf(resource, model), query: { rcn: 2 } },
      expectations: answered('std.delete.rcn.refused', 4000),
    }),
  },
} satisfies Mistakes;
