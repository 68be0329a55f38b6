/** The request of an action. */
import type { ModelNames } from '../model/model.ts';
import type { AttemptStep, Attributes } from '../moves/move.ts';
import { type Action, containerNames, contents, instanceNames, labelNames, type Place } from './action.ts';
import type { Asked } from './history.ts';

export interface Ground extends Pick<ModelNames, 'label' | 'base' | 'cseId'> {
  /** Attributes of what is created directly below the CSE base. */
  readonly atBase: Readonly<Record<string, unknown>>;
}

export interface Request {
  readonly asked: Asked;
  readonly step: AttemptStep;
}

type Create<D extends Action['does']> = Extract<Action, { readonly does: D }>;

export function requestOf(action: Action, ground: Ground): Request {
  switch (action.does) {
    case 'create application entity': {
      const { label, base, atBase } = ground;
      const attributes = { rn: `${label}-a`, api: 'org.example.a', rr: 'TRUE', ...atBase } as Attributes;
      return { asked: { ...action, path: '' }, step: { create: 'ae', in: `/${base}`, attributes } };
    }
    case 'create container':
      return containerOf(action, ground);
    case 'create content instance':
      return instanceOf(action, ground);
    case 'update': {
      const path = containerAt(action.container);
      const attributes = { lbl: labelsOf(action.labels, ground) };
      return { asked: { ...action, path }, step: { update: urlOf(path, ground), kind: 'container', attributes } };
    }
    case 'discover': {
      const [lbl = ''] = labelsOf([action.label], ground);
      const step = { discover: `/~/${ground.cseId}/${ground.base}`, where: { lbl } };
      return { asked: { ...action, path: undefined }, step };
    }
    case 'retrieve newest':
    case 'retrieve oldest': {
      const path = containerAt(action.container);
      const word = action.does === 'retrieve newest' ? 'latest' : 'oldest';
      return { asked: { ...action, path }, step: { retrieve: urlOf(`${path}/${word}`, ground) } };
    }
    default: {
      const path = pathOf(action.what);
      const url = urlOf(path, ground);
      return { asked: { ...action, path }, step: action.does === 'delete' ? { delete: url } : { retrieve: url } };
    }
  }
}

function containerOf(action: Create<'create container'>, ground: Ground): Request {
  const rn = action.name === null ? undefined : containerNames[action.name];
  const lbl = labelsOf(action.labels, ground);
  const attributes = {
    ...(rn !== undefined && { rn }),
    ...(lbl.length > 0 && { lbl }),
    ...(action.mni !== null && { mni: action.mni }),
  };
  const step = { create: 'container' as const, in: urlOf('', ground), attributes };
  return { asked: { ...action, path: rn, below: '' }, step };
}

function instanceOf(action: Create<'create content instance'>, ground: Ground): Request {
  const below = containerAt(action.container);
  const rn = action.name === null ? undefined : instanceNames[action.name];
  const attributes = { ...(rn !== undefined && { rn }), con: contents[action.content] ?? '', cnf: 'text/plain:0' };
  const path = rn === undefined ? undefined : `${below}/${rn}`;
  const step = { create: 'content instance' as const, in: urlOf(below, ground), attributes };
  return { asked: { ...action, path, below }, step };
}

/** A read of a resource by its path, for the look at everything. */
export function readOf(path: string, ground: Ground): Request {
  const asked = { does: 'retrieve' as const, what: { container: null, instance: null }, path };
  return { asked, step: { retrieve: urlOf(path, ground) } };
}

function urlOf(path: string, { label, base }: Ground): string {
  return [`/${base}`, `${label}-a`, ...(path === '' ? [] : [path])].join('/');
}

/** Labels that nobody else has. */
function labelsOf(labels: readonly number[], { label }: Ground): string[] {
  return labels.map((one) => `${label}-${labelNames[one]}`);
}

function containerAt(index: number): string {
  return containerNames[index] ?? containerNames[0];
}

function pathOf({ container, instance }: Place): string {
  if (container === null) return '';
  return [containerAt(container), ...(instance === null ? [] : [instanceNames[instance] ?? ''])].join('/');
}
