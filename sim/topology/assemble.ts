/** The CSE of an installation: core and dialect, with the way out of this process and what stands before them. */

import { assembleCse, mannerOf } from '../assemble-cse.ts';
import type { Scheduler } from '../clock.ts';
import type { Messenger } from '../core/configuration.ts';
import type { Cse } from '../core/cse.ts';
import { absoluteOriginator } from '../core/originator-elsewhere.ts';
import type { Resource } from '../core/resource.ts';
import { ORIGINATOR_NOT_AUTHENTICATED } from '../core/status.ts';
import type { CseOptions } from '../create-cse.ts';
import { chosenIn, withSendingDeviations } from '../deviations/applying.ts';
import { authentication } from '../dialects/authentication.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { httpMessenger } from './messenger.ts';
import type { NodeSettings } from './node.ts';
import type { Assembled } from './replaceable-cse.ts';
import { retargeting } from './retargeting.ts';

interface Surroundings {
  /** What really sends. */
  readonly client: Sender;
  /** At which the CSE listens; undefined when it does not. */
  readonly url: string | undefined;
  readonly clock: Scheduler;
  readonly onError: (error: unknown) => void;
  /** Hears of what has expired. */
  readonly log?: (line: string) => void;
  /** Put around the messenger. */
  readonly gate: (messenger: Messenger) => Messenger;
}

export function assemble(settings: NodeSettings, surroundings: Surroundings): Assembled {
  const { client, clock, onError, log = () => {} } = surroundings;
  let sender: Sender = client;
  const options = optionsOf(settings, surroundings, { send: (...message) => sender.send(...message) });
  const cse = assembleCse({ ...options, clock, onError }, (core) => {
    sender = withSendingDeviations(client, core, chosenIn(settings.cse));
    const { configuration } = core;
    core.tree.onExpired = (resource) => tellExpired(resource, log);
    return {
      admit: authentication({
        requireCertificate: settings.http?.requireCert === true,
        isRegisteredCse: (identifier) => isRegistered(identifier, core),
        ...(configuration.dialect.name === 'onem2m' && {
          compared: (originator) => absoluteOriginator(originator, configuration),
          // TS-0004 7.3.2.1.
          refusal: ORIGINATOR_NOT_AUTHENTICATED,
        }),
      }),
      ...(settings.disableForwarding !== true && {
        retarget: retargeting({
          cse: core,
          sender,
          ownOriginator: settings.overwriteOriginator ?? `//${configuration.spId}/${configuration.cseId}`,
          overwritesForwarded: settings.overwriteForwarded === true,
          presentsCertificate: settings.tls !== undefined,
        }),
      }),
    };
  });
  return { cse, sender };
}

/** What the CSE says by itself goes the way of everything else that leaves this installation. */
function optionsOf(
  { cse, overwriteOriginator }: NodeSettings,
  { url, clock, gate }: Surroundings,
  sender: Sender,
): CseOptions & Required<Pick<CseOptions, 'messenger'>> {
  return {
    ...(overwriteOriginator !== undefined && { ownOriginator: overwriteOriginator }),
    ...cse,
    messenger: gate(cse.messenger ?? httpMessenger(sender, mannerOf(cse, clock))),
    pointOfAccess: cse.pointOfAccess ?? (url === undefined ? [] : [url]),
  };
}

/** Content instances come and go. */
function tellExpired({ path, descendants, type }: Resource, log: (line: string) => void): void {
  if (type.isInstance) return;
  const below = `${descendants} ${descendants === 1 ? 'resource' : 'resources'} below it`;
  log(`${path} has expired${descendants === 0 ? '' : `, with ${below}`}`);
}

function isRegistered(identifier: string, { configuration, tree }: Cse): boolean {
  const domain = `//${configuration.spId}`;
  return identifier.startsWith(`${domain}/`) && tree.byAlias(identifier.slice(domain.length)) !== undefined;
}
