/** Which product a target imitates by its own account, as `cselab as acme`; undefined for all others. `cselab up --as` answers so. */
export function standInOf(headers: ReadonlyArray<readonly [name: string, value: string]>): string | undefined {
  const server = headers.find(([name]) => name.toLowerCase() === 'server')?.[1] ?? '';
  return /^cselab as [a-z0-9-]+$/.test(server) ? server : undefined;
}
