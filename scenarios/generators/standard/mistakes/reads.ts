import { pathOf } from '../model/address.ts';
import { answered, oneOfCodes } from '../model/answers.ts';
import { holdsContainers, type Mistakes } from './mistake.ts';

export const wrongReads = {
  'read what is not there': {
    among: () => true,
    wrong: (resource, { model }) => ({
      step: { retrieve: `${pathOf(resource, model)}/nowhere` },
      expectations: answered('std.retrieve.not-found', 4004),
    }),
  },
  'read with an rcn that it has not': {
    among: () => true,
    wrong: (resource, { model }) => ({
      step: { retrieve: pathOf(resource, model), query: { rcn: 2 } },
      expectations: answered('std.retrieve.rcn.refused', 4000),
    }),
  },
  'read in other letters': {
    among: ({ parent, name }) => parent !== undefined && /^[a-z]$/.test(name),
    wrong: ({ parent, name }, { model }) =>
      parent && {
        step: { retrieve: `${pathOf(parent, model)}/${name.toUpperCase()}` },
        expectations: answered('std.address.case', 4004),
      },
  },
  'discover below what is not there': {
    among: () => true,
    wrong: (resource, { model }) => ({
      step: { discover: `${pathOf(resource, model)}/nowhere`, where: {} },
      expectations: answered('std.discovery.not-found', 4004),
    }),
  },
  'discover by a value that it cannot have': {
    among: holdsContainers,
    wrong: (resource, { model }) => ({
      step: { discover: pathOf(resource, model), where: { cra: 'yesterday' } },
      expectations: [
        oneOfCodes('std.discovery.invalid-value', {
          4102: 'TS-0004 R1-R2, 7.3.3.14: contents unacceptable',
          4000: 'TS-0004 R3-R4, 6.3.5.8, m2m:filterCriteria: the value is none of its type',
        }),
      ],
    }),
  },
} satisfies Mistakes;
