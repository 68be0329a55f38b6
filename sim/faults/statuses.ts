import type { HttpResponse } from '../dialects/http-message.ts';
import type { Fault } from './fault.ts';
import { type Asked, foundIn, type Kind } from './vocabulary/asked.ts';
import { statusInstead } from './vocabulary/blocks.ts';

interface Row {
  readonly id: string;
  readonly violates?: string;
  /** Completes "… answers <status>." */
  readonly says: string;
  readonly status: number;
  readonly where: (about: Asked, answer: HttpResponse, kind: Kind | undefined) => boolean;
}

const creating = (kind: Kind) => (about: Asked, _: HttpResponse, shown: Kind | undefined) =>
  about.method === 'POST' && about.ordinary && shown === kind;
const reading = (kind: Kind) => (about: Asked, _: HttpResponse, shown: Kind | undefined) =>
  about.method === 'GET' && about.ordinary && !about.virtual && shown === kind;
const spReading = (kind: Kind) => (about: Asked, _: HttpResponse, shown: Kind | undefined) =>
  about.method === 'GET' && about.spRelative && !about.virtual && shown === kind;
const finding = (found: boolean, byTime?: boolean) => (about: Asked, answer: HttpResponse) =>
  about.discovery &&
  (foundIn(answer.body) ?? []).length > 0 === found &&
  (byTime === undefined || about.query.has('cra') === byTime);

const rows: readonly Row[] = [
  {
    id: 'ae.create',
    says: 'Creating an application entity by an ordinary path',
    status: 200,
    where: creating('m2m:ae'),
  },
  { id: 'container.create', says: 'Creating a container by an ordinary path', status: 200, where: creating('m2m:cnt') },
  {
    id: 'content-instance.create',
    says: 'Creating a content instance by an ordinary path',
    status: 202,
    where: creating('m2m:cin'),
  },
  {
    id: 'ae.retrieve',
    says: 'Reading an application entity by an ordinary path',
    status: 203,
    where: reading('m2m:ae'),
  },
  { id: 'container.retrieve', says: 'Reading a container by an ordinary path', status: 203, where: reading('m2m:cnt') },
  {
    id: 'content-instance.retrieve',
    says: 'Reading a content instance by an ordinary path',
    status: 206,
    where: reading('m2m:cin'),
  },
  {
    id: 'latest',
    says: 'Reading latest by an ordinary path',
    status: 203,
    where: ({ method, path, ordinary }) => method === 'GET' && ordinary && path.endsWith('/latest'),
  },
  {
    id: 'ae.delete',
    says: 'Removing an application entity',
    status: 202,
    where: ({ method }, _, kind) => method === 'DELETE' && kind === 'm2m:ae',
  },
  {
    id: 'sp-relative.retrieve.ae',
    violates: 'sp-relative.retrieve.status',
    says: 'Reading an application entity by a path that names the CSE',
    status: 203,
    where: spReading('m2m:ae'),
  },
  {
    id: 'sp-relative.retrieve.container',
    violates: 'sp-relative.retrieve.status',
    says: 'Reading a container by a path that names the CSE',
    status: 203,
    where: spReading('m2m:cnt'),
  },
  {
    id: 'sp-relative.retrieve.content-instance',
    violates: 'sp-relative.retrieve.status',
    says: 'Reading a content instance by a path that names the CSE',
    status: 203,
    where: spReading('m2m:cin'),
  },
  {
    id: 'sp-relative.create',
    says: 'Creating a content instance by a path that names the CSE',
    status: 200,
    where: ({ method, spRelative }, _, kind) => method === 'POST' && spRelative && kind === 'm2m:cin',
  },
  {
    id: 'discovery.by-label',
    says: 'A discovery by label alone that finds something',
    status: 203,
    where: finding(true, false),
  },
  {
    id: 'discovery.created-after',
    says: 'A discovery by creation time that finds something',
    status: 206,
    where: finding(true, true),
  },
  { id: 'discovery.empty', says: 'A discovery that finds nothing', status: 203, where: finding(false) },
];

/** Another status of success than the documented one, with everything else as it should be. */
export const statuses: readonly Fault[] = rows.map(({ id, violates, says, status, where }) => ({
  id: `${id}.status.${status}`,
  violates: violates ?? `${id}.status`,
  says: `${says} answers ${status}.`,
  wrap: statusInstead(status, where),
}));
