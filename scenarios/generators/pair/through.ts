/** The same request, asked of the other CSE of the pair. */
import type { Expected } from '../model/expected.ts';
import type { ModelNames } from '../model/model.ts';
import type { AttemptStep } from '../moves/move.ts';
import type { Route, Through } from './route.ts';

/** A path of a CSE, in the form that names the CSE. */
export function pathThrough(path: string, form: Through, { base, cseId, spId }: ModelNames): string {
  const within = path.replace(/^\/(~|_\/[^/]+)\/[^/]+/, '') || '/';
  const before = form === 'absolute' ? `/_/${spId}/${cseId}` : `/~/${cseId}`;
  return before + (within === '/' ? `/${base}` : within);
}

/** Undefined for a step that is written by the letter. */
export function stepThrough(step: AttemptStep, form: Through, names: ModelNames): AttemptStep | undefined {
  const place = (['in', 'retrieve', 'update', 'delete', 'discover'] as const).find((one) => one in step);
  if (place === undefined) return undefined;
  const path = String((step as Readonly<Record<string, unknown>>)[place]);
  return { ...step, [place]: pathThrough(path, form, names) } as AttemptStep;
}

/** What the specification says of a direct request counts for the same one through the other CSE by these requirements alone. */
export function requirementOf(step: AttemptStep, { at }: Pick<Route, 'at'>): string {
  if ('discover' in step) return 'forwarding.discovery';
  if (!('retrieve' in step))
    return `forwarding.${'create' in step ? 'create' : 'update' in step ? 'update' : 'delete'}`;
  if (/\/(latest|la|oldest|ol)$/.test(step.retrieve)) return 'forwarding.latest';
  return at === 'gateway' ? 'forwarding.to-gateway' : 'forwarding.retrieve';
}

/** That requests for another CSE arrive at all is a gap; so is everything that their answers show. */
export function expectationsThrough(
  expectations: readonly Expected[],
  step: AttemptStep,
  route: Route,
  isDocumented: (requirement: string) => boolean,
): Expected[] {
  const own = requirementOf(step, route);
  return expectations.map((one) => {
    if (!isDocumented(one.requirement)) return one;
    const byForm = route.through === 'absolute' && 'status' in one.check;
    return { ...one, requirement: byForm ? 'forwarding.absolute-form' : own };
  });
}
