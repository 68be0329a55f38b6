/** The request of an action. */
import type { LabelledCse } from '../created/created.ts';
import type { AttemptStep, CreateAttributes } from '../moves/move.ts';
import { type Action, containerNames, contents, instanceNames, labelNames } from './action.ts';
import type { Request } from './history.ts';

export interface NamingContext extends Pick<LabelledCse, 'label' | 'base' | 'cseId'> {
  /** Attributes of what is created directly below the CSE base. */
  readonly atBase: Readonly<Record<string, unknown>>;
}

interface Place {
  readonly container: number | null;
  readonly instance?: number | null;
}

export function requestOf(action: Action, context: NamingContext): Request {
  const toStep = steps[action.does] as (action: Action, context: NamingContext) => AttemptStep;
  return { does: action.does, step: toStep(action, context) };
}

const steps: {
  readonly [Does in Action['does']]: (action: Extract<Action, { does: Does }>, context: NamingContext) => AttemptStep;
} = {
  'create application entity'(_action, { label, base, atBase }) {
    const attributes = { rn: `${label}-a`, api: 'org.example.a', rr: 'TRUE', ...atBase } as CreateAttributes;
    return { create: 'ae', in: `/${base}`, attributes };
  },
  'create container'({ labels, name, mni }, context) {
    const lbl = labelsOf(labels, context);
    const attributes = {
      ...(name !== null && { rn: containerAt(name) }),
      ...(lbl.length > 0 && { lbl }),
      ...(mni !== null && { mni }),
    };
    return { create: 'container', in: applicationIn(context), attributes };
  },
  'create content instance'(action, context) {
    const rn = action.name === null ? undefined : instanceNames[action.name];
    const attributes = { ...(rn !== undefined && { rn }), con: contents[action.content] ?? '', cnf: 'text/plain:0' };
    return { create: 'content instance', in: pathAt(action, context), attributes };
  },
  update(action, context) {
    const attributes = { lbl: labelsOf(action.labels, context) };
    return { update: pathAt(action, context), kind: 'container', attributes };
  },
  discover({ label }, context) {
    const [lbl = ''] = labelsOf([label], context);
    return discoverBy(lbl, context);
  },
  'retrieve newest': (action, context) => ({ retrieve: `${pathAt(action, context)}/latest` }),
  'retrieve oldest': (action, context) => ({ retrieve: `${pathAt(action, context)}/oldest` }),
  retrieve: ({ what }, context) => ({ retrieve: pathAt(what, context) }),
  delete: ({ what }, context) => ({ delete: pathAt(what, context) }),
};

export function discoverBy(lbl: string, { cseId, base }: NamingContext): AttemptStep {
  return { discover: `/~/${cseId}/${base}`, where: { lbl } };
}

/** Of what a request speaks of or creates. `told`: the name that the service made up; undefined where it has told none. */
export function pathOf(step: AttemptStep, told: unknown): string | undefined {
  if ('create' in step) {
    const name = step.attributes?.rn ?? told;
    return typeof name === 'string' && !/^$|\//.test(name) ? `${step.in}/${name}` : undefined;
  }
  if ('retrieve' in step) return step.retrieve.replace(/\/(latest|oldest)$/, '');
  if ('update' in step) return step.update;
  return 'delete' in step ? step.delete : undefined;
}

function applicationIn({ label, base }: NamingContext): string {
  return `/${base}/${label}-a`;
}

function pathAt({ container, instance = null }: Place, context: NamingContext): string {
  if (container === null) return applicationIn(context);
  const path = `${applicationIn(context)}/${containerAt(container)}`;
  return instance === null ? path : `${path}/${instanceNames[instance] ?? ''}`;
}

/** Labels that nobody else has. */
function labelsOf(labels: readonly number[], { label }: NamingContext): string[] {
  return labels.map((one) => `${label}-${labelNames[one]}`);
}

function containerAt(index: number): string {
  return containerNames[index] ?? containerNames[0];
}
