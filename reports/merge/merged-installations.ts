import type { InstallationDescription, RunResult } from '../../scenarios/index.ts';

/**
 * The installations of several runs, each once, and the runs with the names that are used then. What the harness opened itself is
 * the same by its name, wherever it listened; two addresses of somebody's CSE under one name are told apart by the address.
 */
export function mergedInstallations(results: readonly RunResult[]): {
  readonly installations: readonly InstallationDescription[];
  readonly results: readonly RunResult[];
} {
  const found = new Map<string, InstallationDescription>();
  const named = results.map((result) => {
    const names = new Map<string, string>();
    for (const installation of result.installations) {
      const name = nameFor(installation, found);
      names.set(installation.name, name);
      if (!found.has(name)) found.set(name, { ...installation, name });
    }
    return renamed(result, names);
  });
  const order = named.reduce<string[]>((names, { installations }) => inserted(names, installations.map(nameOf)), []);
  return { installations: order.flatMap((name) => found.get(name) ?? []), results: named };
}

function nameFor(
  { name, gateway }: InstallationDescription,
  found: ReadonlyMap<string, InstallationDescription>,
): string {
  const other = found.get(name)?.gateway;
  return other === undefined || gateway.kind !== 'url' || other.url === gateway.url
    ? name
    : `${name} at ${gateway.url}`;
}

function nameOf({ name }: InstallationDescription): string {
  return name;
}

/** Each run lists those that it used in one order: what is new stands before what follows it there. */
function inserted(known: readonly string[], names: readonly string[]): string[] {
  const order = [...known];
  for (const [index, name] of names.entries()) {
    if (order.includes(name)) continue;
    const next = names.slice(index + 1).find((later) => order.includes(later));
    order.splice(next === undefined ? order.length : order.indexOf(next), 0, name);
  }
  return order;
}

function renamed(result: RunResult, names: ReadonlyMap<string, string>): RunResult {
  const scenarios = result.scenarios.map(({ installation, ...scenario }) =>
    installation === undefined ? scenario : { ...scenario, installation: names.get(installation) ?? installation },
  );
  const installations = result.installations.map((one) => ({ ...one, name: names.get(one.name) ?? one.name }));
  return { ...result, installations, scenarios };
}
