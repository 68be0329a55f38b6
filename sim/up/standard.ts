/** What `cselab up --dialect onem2m` starts where no file says otherwise. */
import type { NodeSettings } from '../topology/node.ts';
import type { UpOptions } from './options.ts';

const central = { base: 'cse-in', cseId: 'id-in', cseType: 'IN-CSE' } as const;
const field = { base: 'cse-mn', cseId: 'id-mn', cseType: 'MN-CSE' } as const;

/** A second CSE is there only where something is said of it. */
export function wantsBackend({ dialect, as, backend, backendPort, gateway, gateways }: UpOptions): boolean {
  if (backend === false) return false;
  const isAlone = dialect === 'onem2m' || as !== undefined;
  return !isAlone || gateway === false || gateways > 1 || (backend ?? backendPort) !== undefined;
}

/** The shipped settings with the names of the standard's world. */
export function standardGateway(shipped: NodeSettings, backend: NodeSettings | undefined): NodeSettings {
  const settings = renamed(shipped, backend === undefined ? central : field);
  const [remote] = shipped.registration?.remoteCses ?? [];
  if (backend === undefined || shipped.registration === undefined || remote === undefined) return settings;
  const { base = central.base, cseId = central.cseId } = backend.cse;
  return { ...settings, registration: { ...shipped.registration, remoteCses: [{ ...remote, base, cseId }] } };
}

export function standardBackend(shipped: NodeSettings): NodeSettings {
  return renamed(shipped, central);
}

function renamed(
  { registration: _none, ...shipped }: NodeSettings,
  names: typeof central | typeof field,
): NodeSettings {
  const { requireAuth: _documented, ...cse } = shipped.cse;
  return { ...shipped, cse: { ...cse, ...names } };
}
