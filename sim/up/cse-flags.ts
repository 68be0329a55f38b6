/** What options of `cselab up` say of a CSE itself. */
import { checkOrigins } from '../bindings/page-guard.ts';
import type { CseOptions } from '../create-cse.ts';
import { TargetRules } from '../topology/target-rules.ts';
import type { UpOptions } from './options.ts';
import { UpOptionsError } from './options-error.ts';

/** What flags say of every CSE that is started. */
export function cseFlags(options: UpOptions, { limits }: CseOptions): CseOptions {
  const { dialect, spId, admin, registrars, release, accessControl, lifetime, longestLifetime } = options;
  const { cors, notifyDeny } = options;
  checkText('--cors', () => checkOrigins(cors ?? []));
  checkText('--notify-deny', () => new TargetRules({ deny: notifyDeny ?? [] }));
  const times = {
    ...(lifetime !== undefined && { lifetime }),
    ...(longestLifetime !== undefined && { longestLifetime }),
  };
  return {
    ...(dialect && { dialect }),
    ...(spId && { spId }),
    ...(admin && { admin }),
    ...(registrars && { registrars: listed(registrars, '--registrars') }),
    ...(release && { releases: listed(release, '--release') }),
    ...(accessControl !== undefined && { requireAuth: accessControl }),
    ...(options.keepExpired && { keepExpired: true }),
    ...(cors && { cors }),
    ...(notifyDeny && { notifyDeny }),
    ...(Object.keys(times).length > 0 && { limits: { ...limits, ...times } }),
  };
}

function checkText(flag: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw error instanceof TypeError ? new UpOptionsError(`${flag}: ${error.message}`) : error;
  }
}

function listed(text: string, flag: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new UpOptionsError(`${flag} takes a list such as a,b`);
  return items;
}
