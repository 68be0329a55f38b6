/** The HTTP front of an installed CSE: authentication, and retargeting to other CSEs. */
import { absoluteOriginator } from '../core/originator.ts';
import type { Resource } from '../core/resource.ts';
import type { HttpOptionsFor } from '../cse/assemble-cse.ts';
import { authentication } from '../dialects/authentication.ts';
import type { NodeSettings } from './node-settings.ts';
import { retargeting } from './retargeting.ts';

/** `log` is called for expired resources. */
export function installationOf(
  settings: Omit<NodeSettings, 'cse'> = {},
  log: (line: string) => void = () => {},
): HttpOptionsFor {
  return (cse, sender) => {
    const { configuration, tree } = cse;
    const domain = `//${configuration.spId}`;
    tree.onExpired = (resource) => logExpired(resource, log);
    return {
      admit: authentication({
        requireCertificate: settings.http?.requireCert === true,
        isRegisteredCse: (id) => id.startsWith(`${domain}/`) && tree.byAlias(id.slice(domain.length)) !== undefined,
        ...(configuration.dialect.name === 'onem2m' && {
          normalize: (originator) => absoluteOriginator(originator, configuration),
          // TS-0004 7.3.2.1.
          refusal: 'ORIGINATOR_NOT_AUTHENTICATED',
        }),
      }),
      ...(settings.disableForwarding !== true && { retarget: retargeting({ cse, sender, settings }) }),
    };
  };
}

/** Not for content instances, which come and go. */
function logExpired({ path, descendants, type }: Resource, log: (line: string) => void): void {
  if (type.isInstance) return;
  const below = `${descendants} ${descendants === 1 ? 'resource' : 'resources'} below it`;
  log(`${path} has expired${descendants === 0 ? '' : `, with ${below}`}`);
}
