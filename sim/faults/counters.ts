import type { Fault, Wrap } from './fault.ts';
import { type Asked, type Attributes, resourceAtPath } from './vocabulary/asked.ts';
import { changingResources } from './vocabulary/blocks.ts';

const onReading = ({ method }: Asked) => method === 'GET';

/** Changes a counter of containers that hold something. */
function miscounting(name: 'cni' | 'cbs', count: (was: number) => number): Wrap {
  return changingResources(
    'm2m:cnt',
    (attributes: Attributes) => {
      if (Number(attributes[name]) > 0) attributes[name] = count(Number(attributes[name]));
    },
    onReading,
  );
}

/** The counters of a container that holds content instances. */
export const counters: readonly Fault[] = [
  {
    id: 'container.cni.one-behind',
    violates: 'container.cni.counts',
    says: 'cni of a container that holds content instances is one too low on reading.',
    wrap: miscounting('cni', (was) => was - 1),
  },
  {
    id: 'container.cni.stays-zero',
    violates: 'container.cni.counts',
    says: 'cni is 0 on reading, whatever the container holds.',
    wrap: miscounting('cni', () => 0),
  },
  {
    id: 'container.cni.at-most-one',
    violates: 'container.cni.counts',
    says: 'cni on reading counts no further than 1.',
    wrap: miscounting('cni', () => 1),
  },
  {
    id: 'container.cbs.stays-zero',
    violates: 'container.cbs.counts',
    says: 'cbs is 0 on reading, whatever the container holds.',
    wrap: miscounting('cbs', () => 0),
  },
  {
    id: 'container.cbs.of-newest',
    violates: 'container.cbs.counts',
    says: 'cbs on reading is the size of the newest content instance alone.',
    wrap: changingResources(
      'm2m:cnt',
      (attributes, { path }, core) => {
        const newest = resourceAtPath(path, core)?.instances?.last;
        if (newest !== undefined) attributes.cbs = newest.values.cs;
      },
      onReading,
    ),
  },
  {
    id: 'container.cbs.two-bytes-each',
    violates: 'container.cbs.counts',
    says: 'cbs on reading counts two bytes for each byte of content.',
    wrap: miscounting('cbs', (was) => 2 * was),
  },
  {
    id: 'content-instance.cs.one-more',
    violates: 'content-instance.cs.counts-characters',
    says: 'cs of a content instance is one more than its content is long.',
    wrap: changingResources('m2m:cin', (attributes) => {
      attributes.cs = Number(attributes.cs) + 1;
    }),
  },
  {
    id: 'content-instance.cs.two-bytes-each',
    violates: 'content-instance.cs.counts-characters',
    says: 'cs of a content instance counts two bytes for each byte of content.',
    wrap: changingResources('m2m:cin', (attributes) => {
      attributes.cs = 2 * Number(attributes.cs);
    }),
  },
];
