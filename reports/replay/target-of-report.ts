/** How a target is reached again, as far as its report tells. */
import { defined, type InstallationDescription, type RunResult, type ScenarioResult } from '../../scenarios/index.ts';
import type { TargetFlags } from '../commands/target-flags.ts';

/**
 * The flags with which the target of the report is judged once more; what is given wins. Secrets, certificates and headers are not
 * in a report and have to be given again. A target file says all of it itself.
 */
export function flagsFor<Flags extends TargetFlags>(result: RunResult, scenario: ScenarioResult, given: Flags): Flags {
  const { dialect, target } = result;
  if (given.target !== undefined) return { dialect, ...given };
  if (given.inProcess || (given.url === undefined && target.kind !== 'url')) {
    return { dialect, ...(target.kind === 'in-process' && { inProcess: true }), ...given };
  }
  const { url, base, cseId, spId } = target;
  const own = target.kind === 'url' ? { url, base, cseId, spId } : {};
  return { dialect, ...own, ...installedAs(installationOf(result, scenario), given), ...given };
}

function installationOf({ installations }: RunResult, { installation }: ScenarioResult) {
  return installations.find(({ name }) => name === installation) ?? installations[0];
}

function installedAs(installation: InstallationDescription | undefined, given: TargetFlags): TargetFlags {
  if (installation === undefined || installation.gateway.kind !== 'url') return {};
  const { has, backend, originator, gateway } = installation;
  const asBefore = {
    // One report can hold several addresses of a target.
    ...(given.url === undefined && { url: gateway.url }),
    ...(has.includes('certificate required') && { requireCert: true }),
    ...(has.includes('access control') && { accessControl: true }),
    ...defined({ originator }),
  };
  if (backend === undefined || given.backendUrl !== undefined || given.asBackend !== undefined) return asBefore;
  const names = { backendBase: backend.base, backendCseId: backend.cseId };
  if (backend.kind !== 'played') return { ...asBefore, ...names, backendUrl: backend.url };
  return { ...asBefore, ...names, asBackend: Number(new URL(backend.url).port) };
}
