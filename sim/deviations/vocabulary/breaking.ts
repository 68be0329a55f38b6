import type { Deviation, Wrap } from '../deviation.ts';

/** A deviation whose id is that of the requirement, and how it is broken. */
export function breaking(
  violates: string,
  how: string,
  says: string,
  by: Wrap | Pick<Deviation, 'wrap' | 'wrapSender'>,
): Deviation {
  return { id: `${violates}.${how}`, violates, says, ...(typeof by === 'function' ? { wrap: by } : by) };
}
