/** Demands on a container whose limits are certain. */
import type { Check, Matcher } from '../../engine/grammar/grammar-check.ts';
import type { Subject } from '../observation/facts.ts';
import { instancesOf, isThere } from '../observation/known-resource.ts';
import { isReserved } from '../observation/parsed-request.ts';
import type { SeenExchange } from '../observation/seen-exchange.ts';
import type { Judgement } from './judgements.ts';

interface Fit {
  readonly mni: number;
  readonly mbs: number;
  readonly size: number;
}

/** For the creation of an instance with an unused name. */
const fitting =
  (say: (fit: Fit) => Check | undefined): Judgement =>
  (seen, subject) => {
    const fit = fitOf(seen, subject);
    return fit === undefined ? undefined : say(fit);
  };

function fitOf({ resource, before, isUnclear, exchange }: SeenExchange, { requested }: Subject): Fit | undefined {
  const content = requested.get('con');
  const isNew = before === undefined && !isUnclear && !isReserved(requested.get('rn'));
  if (resource?.type !== 'container' || typeof content !== 'string' || !isNew || !isThere(resource, exchange.at))
    return undefined;
  const limits = ['mni', 'mbs'].map((name) => (resource.requested.has(name) ? resource.requested.get(name) : noLimit));
  const [mni, mbs] = limits;
  if (typeof mni !== 'number' || typeof mbs !== 'number' || (mni === noLimit && mbs === noLimit)) return undefined;
  return { mni, mbs, size: Buffer.byteLength(content) };
}

const noLimit = Number.POSITIVE_INFINITY;
export const success: Matcher = { between: [200, 299] };
export const refused: Check = { status: { not: success } };

/** A lowered limit may take effect with the next instance only. */
const withinLimit: Judgement = (_, { resource }) => {
  const mni = resource?.requested.get('mni');
  if (typeof mni !== 'number' || resource?.updated.has('mni')) return undefined;
  return { attributes: { cni: { 'when present': { between: [0, mni] } } } };
};

/** For a container that is full, as far as known. */
const oneMore: Judgement = ({ resource }) => {
  const mni = resource?.returned.get('mni') ?? resource?.requested.get('mni');
  const isFull = resource !== undefined && typeof mni === 'number' && instancesOf(resource).length >= mni;
  return isFull ? { rsc: 2001 } : undefined;
};

export const ofLimits: Readonly<Record<string, Judgement>> = {
  'a container with mni 0 accepts no instance': fitting(({ mni }) => (mni === 0 ? refused : undefined)),
  'an instance larger than mbs is refused': fitting(({ mni, mbs, size }) =>
    mni > 0 && size > mbs ? { status: 406 } : undefined,
  ),
  'a container with limits accepts a new instance': fitting(({ mni, mbs, size }) =>
    mni > 0 && size <= mbs ? { status: 201 } : undefined,
  ),
  'there are at most mni instances': withinLimit,
  'an instance beyond the limit is accepted': oneMore,
};
