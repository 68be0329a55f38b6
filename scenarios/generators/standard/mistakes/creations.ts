import { expected } from '../../model/expected.ts';
import type { Attributes } from '../../moves/move.ts';
import { pathOf } from '../model/address.ts';
import { answered, oneOfCodes } from '../model/answers.ts';
import { originatorOf } from '../model/originator.ts';
import { holdsContainers, isContainer, type Mistakes, type Wrong } from './mistake.ts';

/** A container, wrong by these attributes. */
function container(requirement: string, attributes: Attributes): Wrong {
  return {
    among: holdsContainers,
    wrong: (parent, { model }) => ({
      step: { create: 'container', in: pathOf(parent, model), attributes },
      expectations: answered(requirement, 4000),
    }),
  };
}

/** Content that is none, or too much of it, as exact bytes of a body. */
function body(requirement: string, text: string): Wrong {
  return {
    among: holdsContainers,
    wrong: (parent, { model }) => ({
      step: {
        raw: {
          method: 'POST',
          path: pathOf(parent, model),
          headers: { 'Content-Type': 'application/json;ty=3' },
          body: text,
        },
        creates: `${pathOf(parent, model)}/x`,
      },
      expectations: [expected(requirement, { rsc: 4000 })],
    }),
  };
}

/** Bytes: a container that takes more is not filled. */
const largest = 100_000;

export const wrongCreations = {
  'name taken': {
    among: (parent) => holdsContainers(parent) && parent.children.length > 0,
    wrong: (parent, { model }) => ({
      step: { create: 'container', in: pathOf(parent, model), attributes: { rn: parent.children.at(-1)?.name ?? '' } },
      expectations: answered('std.create.name-taken', 4105),
    }),
  },
  'name with a slash': container('std.create.name-shape', { rn: 'a/b' }),
  'unknown attribute': container('std.create.unknown-attribute', { rn: 'x', nosuch: 1 }),
  'attribute of the CSE': container('std.create.read-only', { rn: 'x', ct: '20200101T000000' }),
  'attribute of another type': container('std.create.wrong-type', { rn: 'x', lbl: 'x' }),
  'limit below zero': container('std.container.invalid-limit', { rn: 'x', mni: -1 }),
  'expiration passed': container('std.create.et-passed', { rn: 'x', et: '20010101T000000' }),
  'creator given': {
    among: holdsContainers,
    wrong: (parent, { model }) => ({
      step: {
        create: 'container',
        in: pathOf(parent, model),
        attributes: { rn: 'x', cr: originatorOf(parent.owner, model.names.label) },
      },
      expectations: answered('std.create.cr.given', 4000),
    }),
  },
  'below what cannot hold it': {
    among: ({ kind }) => kind === 'ae',
    wrong: (parent, { model }) => ({
      step: { create: 'content instance', in: pathOf(parent, model), attributes: { rn: 'x', con: 'a' } },
      expectations: answered('std.create.wrong-child', 4108),
    }),
  },
  'below what is not there': {
    among: holdsContainers,
    wrong: (parent, { model }) => ({
      step: { create: 'container', in: `${pathOf(parent, model)}/nowhere`, attributes: { rn: 'x' } },
      expectations: answered('std.create.not-found', 4004),
    }),
  },
  'another root': {
    among: holdsContainers,
    wrong: (parent, { model }) => ({
      step: { create: 'container', root: 'm2m:grp', in: pathOf(parent, model), attributes: { rn: 'x' } },
      expectations: answered('std.create.wrong-root', 4000),
    }),
  },
  'rcn that it has not': {
    among: holdsContainers,
    wrong: (parent, { model }) => ({
      step: { create: 'container', in: pathOf(parent, model), attributes: { rn: 'x' }, query: { rcn: 4 } },
      expectations: answered('std.create.rcn.refused', 4000),
    }),
  },
  'larger than the container': {
    among: ({ kind, shown }) => kind === 'container' && (shown.mbs ?? largest) < largest,
    wrong: (parent, { model }) => ({
      step: {
        create: 'content instance',
        in: pathOf(parent, model),
        attributes: { rn: 'x', con: 'x'.repeat((parent.shown.mbs ?? 0) + 1) },
      },
      expectations: answered('std.retention.mbs.too-large', 5207),
    }),
  },
  'virtual name': {
    among: isContainer,
    wrong: (parent, { model }) => ({
      step: { create: 'container', in: pathOf(parent, model), attributes: { rn: 'la' } },
      expectations: [
        oneOfCodes('std.latest.reserved', {
          4005: 'TS-0004 R1-R2, 7.4.6.2.1: the operation is not allowed',
          4105: 'TS-0004 R3-R4, 7.3.3.5: the name is that of the virtual child',
          4000: 'TS-0004 7.3.3.3: the value of resourceName is not acceptable',
        }),
      ],
    }),
  },
  'below a content instance': {
    among: ({ kind }) => kind === 'content instance',
    wrong: (parent, { model }) => ({
      step: { create: 'content instance', in: pathOf(parent, model), attributes: { rn: 'x', con: 'a' } },
      expectations: answered('std.content-instance.no-children', 4108, {}),
    }),
  },
  'two roots': body('std.content.two-roots', '{"m2m:cnt":{"rn":"x"},"m2m:grp":{}}'),
  'no content': body('std.content.empty', ''),
} satisfies Mistakes;
