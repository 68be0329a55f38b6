import type { DiscoverStep, NotifiedStep, ReceiveStep, Step } from '../grammar/grammar-step.ts';
import { interpolateToText, type Names } from '../messages/interpolate.ts';
import { predicate } from './sentences.ts';

/** Such as `create container in /onem2m/x`; names without a value stay as they are written. */
export function titleOf(step: Step, names: Names): string {
  const text = (template: string): string => {
    try {
      return interpolateToText(template, names);
    } catch {
      return template;
    }
  };
  if ('create' in step) return `create ${step.create} in ${text(step.in)}`;
  if ('update' in step) return `update ${step.kind} ${text(step.update)}`;
  if ('retrieve' in step) return `retrieve ${text(step.retrieve)}`;
  if ('delete' in step) return `delete ${text(step.delete)}`;
  if ('discover' in step) return `discover below ${text(step.discover)}${criteria(step)}`;
  if ('receive' in step) return `receive ${awaited(step.receive)}`;
  if ('notified' in step) return lookedFor(step);
  if ('advance' in step) return `let ${step.advance} pass`;
  return 'bytes' in step.raw ? 'send exact bytes' : `send ${step.raw.method} ${text(step.raw.path)}`;
}

function awaited({ method, path, root }: ReceiveStep['receive']): string {
  const words = [
    method === undefined ? 'a request' : `a ${method} request`,
    path === undefined ? '' : `whose path ${predicate(path)}`,
    root === undefined ? '' : `whose root ${predicate(root)}`,
  ];
  return words.filter(Boolean).join(' ');
}

function lookedFor({ notified, of = 'event', until = 1 }: NotifiedStep): string {
  const what = of === 'any' ? '' : `${of} `;
  if (until === 0) return `see which ${what}notifications have come to ${notified}`;
  return `await ${until} ${what}${until === 1 ? 'notification' : 'notifications'} at ${notified}`;
}

function criteria(step: DiscoverStep): string {
  const names = Object.keys(step.where ?? {});
  return names.length === 0 ? '' : ` by ${names.join(' and ')}`;
}
