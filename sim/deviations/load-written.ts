import type { Choices } from './applying.ts';

/** Has the list of written ones loaded where some of it are chosen, before what applying.ts offers is called with their ids. */
export async function loadWritten({ deviations = [], faults = [], variations = [] }: Choices): Promise<void> {
  if (faults.length + variations.length > 0 || deviations.some((one) => typeof one === 'string'))
    await import('./index.ts');
}
