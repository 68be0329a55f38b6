/** What the standard says of containers and what they count, broken. */

import type { Resource } from '../../core/resource.ts';
import { CREATED, OK } from '../../core/status.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Attributes, isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { changingShown } from '../vocabulary/changed-answers.ts';
import { amending, codingAs, describingOtherwise, rooting, showingAs } from '../vocabulary/standard-changes.ts';
import { all, creates, deletes, Exchange, readsWhole, updates, type Which } from '../vocabulary/standard-wanted.ts';

const creating = creates('m2m:cnt');
const reading = readsWhole('m2m:cnt');
const nameless: Which = ({ sent }) => sent !== undefined && !('rn' in sent.attributes);

/** A container whose state tag is 1 by the first of its content instances. */
const withFirst: Which = ({ target }) => target?.stateTag === 1 && target.instances?.size === 1;

/** What a container that is read says, by what has happened to it. */
function counting(
  happens: (exchange: Exchange) => Resource | undefined,
  change: (attributes: Attributes, times: number) => void,
): Wrap {
  return (service, core) => {
    const times = new WeakMap<Resource, number>();
    return handling(async (request) => {
      const exchange = new Exchange(request, core);
      const concerned = happens(exchange);
      const { target } = exchange;
      if (reading(exchange) && target !== undefined && times.has(target)) {
        const show = amending(
          () => true,
          (attributes) => change(attributes, times.get(target) ?? 0),
        );
        return show(service, core).handle(request);
      }
      const answer = await service.handle(request);
      if (concerned !== undefined && isSuccess(answer)) times.set(concerned, (times.get(concerned) ?? 0) + 1);
      return answer;
    })(service, core);
  };
}

const losesInstance = (exchange: Exchange) => (deletes('m2m:cin')(exchange) ? exchange.target?.parent : undefined);
const isUpdated = (exchange: Exchange) => (updates('m2m:cnt')(exchange) ? exchange.target : undefined);
const hasUpdatedChild = (exchange: Exchange) => (updates('m2m:cnt')(exchange) ? exchange.target?.parent : undefined);

const isLimit = ['mni', 'mbs', 'mia'];

/** Without the limits that are below zero. */
function sensible(attributes: Attributes): Attributes {
  const kept = Object.entries(attributes).filter(([name, value]) => !isLimit.includes(name) || !(Number(value) < 0));
  return Object.fromEntries(kept);
}

export const containers: readonly Fault[] = [
  breaking(
    'std.container.create',
    'long-root',
    'The create of a container without a name is answered below the root m2m:container.',
    rooting(all(creating, nameless), 'm2m:container'),
  ),
  breaking(
    'std.container.create',
    'ok',
    'The create of a container without a name is answered with 2000.',
    codingAs(all(creating, nameless), CREATED, OK),
  ),
  breaking(
    'std.container.retrieve',
    'long-root',
    'A container with nothing below it is read below the root m2m:container.',
    rooting(
      all(reading, ({ target }) => (target?.children?.size ?? 0) === 0),
      'm2m:container',
    ),
  ),
  breaking(
    'std.container.optional',
    'ontology',
    'A container that is read lacks or.',
    showingAs(reading, 'or', () => undefined),
  ),
  breaking(
    'std.container.optional',
    'size',
    'A container that is read gives mbs as a text.',
    showingAs(reading, 'mbs', (mbs) => (mbs === undefined ? undefined : String(mbs))),
  ),
  breaking(
    'std.container.counters',
    'missing',
    'The create of a container is answered without cni and cbs.',
    amending(creating, (attributes) => {
      attributes.cni = undefined;
      attributes.cbs = undefined;
    }),
  ),
  breaking(
    'std.container.counters',
    'texts',
    'The create of a container is answered with cni as a text.',
    showingAs(creating, 'cni', String),
  ),
  breaking(
    'std.container.invalid-limit',
    'below-zero',
    'Limits of a new container below zero are no limits.',
    describingOtherwise(creating, sensible),
  ),
  breaking(
    'std.container.invalid-limit',
    'text',
    'mni of a new container that is no number is not looked at.',
    describingOtherwise(creating, ({ mni, ...rest }) => ({ ...rest, mni: typeof mni === 'string' ? undefined : mni })),
  ),
  breaking(
    'std.container.default-limits',
    'null',
    'The create of a container without mni is answered with null as mni.',
    showingAs(creating, 'mni', (mni = null) => mni),
  ),
  breaking(
    'std.container.cni.grows',
    'late',
    'cni of a container that is read is still 0 after the first content instance.',
    amending(all(reading, withFirst), (attributes) => {
      attributes.cni = 0;
    }),
  ),
  breaking(
    'std.container.cni.instances-only',
    'containers-too',
    'cni of a container that is read counts the containers below it, too.',
    amending(reading, (attributes, { target }) => {
      const containers = [...(target?.children?.values() ?? [])].filter(({ type }) => type.root === 'm2m:cnt');
      attributes.cni = Number(attributes.cni) + containers.length;
    }),
  ),
  breaking(
    'std.container.cni.shrinks',
    'ever',
    'cni of a container that is read counts the content instances that were deleted by request, too.',
    counting(losesInstance, (attributes, times) => {
      attributes.cni = Number(attributes.cni) + times;
    }),
  ),
  breaking(
    'std.container.cbs.grows',
    'late',
    'cbs of a container that is read is still 0 after the first content instance.',
    amending(all(reading, withFirst), (attributes) => {
      attributes.cbs = 0;
    }),
  ),
  breaking(
    'std.container.cbs.grows',
    'two-bytes',
    'cbs of a container that is read with its first content instance counts two bytes for each byte.',
    showingAs(all(reading, withFirst), 'cbs', (cbs) => 2 * Number(cbs)),
  ),
  breaking(
    'std.container.cbs.shrinks',
    'ever',
    'cbs of a container that is read is one more for each content instance that was deleted by request.',
    counting(losesInstance, (attributes, times) => {
      attributes.cbs = Number(attributes.cbs) + times;
    }),
  ),
  breaking(
    'std.container.st.zero',
    'text',
    'The create of a container is answered with its state tag as a text.',
    showingAs(creating, 'st', String),
  ),
  breaking(
    'std.container.st.counts-instances',
    'by-two',
    'Answers show each state tag twice as great as it is.',
    changingShown(undefined, (attributes) => {
      if (typeof attributes.st === 'number') attributes.st *= 2;
    }),
  ),
  breaking(
    'std.container.st.counts-updates',
    'not',
    'The state tag of a container that is read does not count its updates.',
    counting(isUpdated, (attributes, times) => {
      attributes.st = Number(attributes.st) - times;
    }),
  ),
  breaking(
    'std.container.st.child-updated',
    'jumps',
    'The state tag of a container that is read is ten greater for each update of a container below it.',
    counting(hasUpdatedChild, (attributes, times) => {
      attributes.st = Number(attributes.st) + 10 * times;
    }),
  ),
  breaking(
    'std.container.st.child-deleted',
    'begins-again',
    'The state tag of a container that is read is 0 after a content instance was deleted by request.',
    counting(losesInstance, (attributes) => {
      attributes.st = 0;
    }),
  ),
];
