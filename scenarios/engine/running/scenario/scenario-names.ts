import { randomBytes } from 'node:crypto';
import type { LoadedScenario } from '../../files/load.ts';
import type { Dialect } from '../../grammar/dialects.ts';
import { lettersNamed, namesIn, requestTexts, texts, timeFromNow } from '../../grammar/names.ts';
import { expirationIn } from '../../judging/timestamp.ts';
import type { NamedValue, Names } from '../../messages/interpolate.ts';
import type { ScenarioResult, TargetDescription } from '../../results/result.ts';
import type { Installation } from '../../targets/installation.ts';

/** A name that is unique to a scenario of a run. */
export function labelOf(run: string, number: number): string {
  return `cl-${run}-${number}`;
}

/** The built-in names and the actors of a scenario. `number` makes its names unique in the run. */
export function namesOf(
  scenario: LoadedScenario,
  number: number,
  run: string,
  installation: Installation,
): Map<string, NamedValue> {
  const { gateway, backend, simulated, release, admin } = installation;
  const { base, cseId: cse, spId: sp, url, serialization = 'json' } = gateway.description;
  const { host, protocol } = new URL(url);
  const name = labelOf(run, number);
  const actors = Object.fromEntries(Object.keys(scenario.actors).map((actor) => [actor, `${name}-${actor}`]));
  const values = { run, name, base, cse, sp, host, scheme: protocol.slice(0, -1), release, serialization, ...actors };
  return new Map([
    ...Object.entries(values).map(([key, value]): [string, NamedValue] => [key, { value }]),
    ['admin', known(admin, 'no administrator of this target is known')],
    ['registration-label', known(simulated?.label, 'no label of its registration is known')],
    ...backendNames((backend ?? simulated)?.description),
    ...generatedValues(scenario, installation.dialect),
  ]);
}

/** The values of the names in its checks: with the messages, enough to judge them again. */
export function namesInChecks({ steps }: LoadedScenario, names: Names): Pick<ScenarioResult, 'names'> {
  const checked = steps.flatMap(({ checks }) => checks.flatMap(({ check }) => texts(check)));
  const mentioned = new Set(checked.flatMap(({ text }) => namesIn(text)));
  const values = [...mentioned].flatMap((name) => {
    const named = names.get(name);
    return named !== undefined && 'value' in named ? [[name, named.value] as const] : [];
  });
  return values.length === 0 ? {} : { names: values };
}

/** The times from now and the long texts that a scenario mentions; times in the format of the dialect. */
function generatedValues({ actors, given, steps }: LoadedScenario, dialect: Dialect): Array<[string, NamedValue]> {
  const written = [...given, ...steps].flatMap(({ step }) => requestTexts(step));
  const names = [...written, ...texts(actors)].flatMap(({ text }) => namesIn(text));
  return [...new Set(names)].flatMap((name): Array<[string, NamedValue]> => {
    const letters = lettersNamed(name);
    if (letters !== undefined) return [[name, { value: letters }]];
    const time = timeFromNow(name);
    return time === undefined ? [] : [[name, { value: expirationIn(time, dialect) }]];
  });
}

function backendNames(backend: TargetDescription | undefined): Array<[string, NamedValue]> {
  const values = { 'backend-base': backend?.base, 'backend-cse': backend?.cseId, 'backend-sp': backend?.spId };
  return Object.entries(values).map(([name, value]) => [name, known(value, 'this target was given without a backend')]);
}

function known(value: string | undefined, missing: string): NamedValue {
  return value === undefined ? { missing } : { value };
}

/** Short, and safe in names, labels and paths. */
export function runId(): string {
  return randomBytes(4).readUInt32BE().toString(36).padStart(7, '0');
}
