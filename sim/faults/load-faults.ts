/** Has the list of faults loaded where some of it are chosen, before what applying.ts offers is called with their ids. */
export async function loadFaults(ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await import('./index.ts');
}
