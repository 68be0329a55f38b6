/** The CSE of an installation: core and dialect, with the way out of this process and what stands before them. */

import { absoluteOriginator } from '../core/originator.ts';
import type { Resource } from '../core/resource.ts';
import { type AssembledCse, assembleCse } from '../cse/assemble-cse.ts';
import { authentication } from '../dialects/authentication.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import type { Scheduler } from '../environment/clock.ts';
import type { NodeSettings } from './node.ts';
import { retargeting } from './retargeting.ts';

interface Surroundings {
  /** What really sends. */
  readonly sender: Sender;
  /** At which the CSE listens; undefined when it does not. */
  readonly url?: string | undefined;
  readonly clock: Scheduler;
  readonly onError?: (error: unknown) => void;
  /** Hears of what has expired. */
  readonly log?: (line: string) => void;
}

export function assemble(settings: NodeSettings, surroundings: Surroundings): AssembledCse {
  const { cse, overwriteOriginator } = settings;
  const { url, clock, onError = cse.onError ?? console.error, log = () => {}, sender } = surroundings;
  const options = {
    ...(overwriteOriginator !== undefined && { ownOriginator: overwriteOriginator }),
    ...{ ...cse, clock, onError },
    pointOfAccess: cse.pointOfAccess ?? (url === undefined ? [] : [url]),
  };
  return assembleCse(options, { sender }, (core, out) => {
    const { configuration } = core;
    const domain = `//${configuration.spId}`;
    core.tree.onExpired = (resource) => tellExpired(resource, log);
    return {
      admit: authentication({
        requireCertificate: settings.http?.requireCert === true,
        isRegisteredCse: (id) =>
          id.startsWith(`${domain}/`) && core.tree.byAlias(id.slice(domain.length)) !== undefined,
        ...(configuration.dialect.name === 'onem2m' && {
          compared: (originator) => absoluteOriginator(originator, configuration),
          // TS-0004 7.3.2.1.
          refusal: 'ORIGINATOR_NOT_AUTHENTICATED',
        }),
      }),
      ...(settings.disableForwarding !== true && {
        retarget: retargeting({ cse: core, sender: out, settings }),
      }),
    };
  });
}

/** Content instances come and go. */
function tellExpired({ path, descendants, type }: Resource, log: (line: string) => void): void {
  if (type.isInstance) return;
  const below = `${descendants} ${descendants === 1 ? 'resource' : 'resources'} below it`;
  log(`${path} has expired${descendants === 0 ? '' : `, with ${below}`}`);
}
