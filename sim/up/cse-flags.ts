/** Options of `cselab up` for a CSE itself. */

import { defaultHttpLimits, type HttpLimits } from '../bindings/limits.ts';
import { checkOrigins } from '../bindings/page-guard.ts';
import { TargetRules } from '../bindings/target-rules.ts';
import { defaultLimits, type Limits } from '../core/limits.ts';
import type { CseOptions } from '../cse/create-cse.ts';
import { defined } from '../environment/defined.ts';
import type { Product } from '../products/product.ts';
import { namingFlag, type UpOptions, UpOptionsError } from './options.ts';

/** The flags for every CSE that is started. */
export function cseFlags(options: UpOptions, { limits }: CseOptions): CseOptions {
  const { dialect, spId, admin, registrars, release, accessControl, lifetime, longestLifetime } = options;
  const { cors, keepExpired, notifyDeny } = options;
  namingFlag('--cors', [TypeError], () => checkOrigins(cors ?? []));
  namingFlag('--notify-deny', [TypeError], () => new TargetRules({ deny: notifyDeny ?? [] }));
  const flagged = limitsOf(options);
  const times = { ...flagged.cse, ...defined({ lifetime, longestLifetime }) };
  return {
    ...defined({ dialect, spId: spId || undefined, admin: admin || undefined }),
    ...(registrars && { registrars: listed(registrars, '--registrars') }),
    ...(release && { releases: listed(release, '--release') }),
    ...defined({ requireAuth: accessControl, keepExpired, cors, notifyDeny }),
    ...(Object.keys(times).length > 0 && { limits: { ...limits, ...times } }),
  };
}

/** The limits of `--limit`, by their owner. Throws an UpOptionsError for an unknown name, and where there is no number. */
export function limitsOf({ limit = [] }: UpOptions): { cse: Partial<Limits>; http: Partial<HttpLimits> } {
  const cse: Record<string, number> = {};
  const http: Record<string, number> = {};
  for (const text of limit) {
    const [, name = '', digits = ''] = /^(\w+)=(\d{1,15})$/.exec(text) ?? [];
    if (Object.hasOwn(defaultLimits, name)) cse[name] = Number(digits);
    else if (Object.hasOwn(defaultHttpLimits, name)) http[name] = Number(digits);
    else {
      const names = [...Object.keys(defaultLimits), ...Object.keys(defaultHttpLimits)].join(', ');
      throw new UpOptionsError(`--limit takes name=number, not ${JSON.stringify(text)}; the names are ${names}`);
    }
  }
  return { cse, http };
}

function listed(text: string, flag: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new UpOptionsError(`${flag} takes a list such as a,b`);
  return items;
}

/** The flags with those of the product. Throws an UpOptionsError for those that contradict it. */
export function optionsForProduct(options: UpOptions, product: Product | undefined): UpOptions {
  if (product === undefined) return options;
  if (options.gateway !== undefined) {
    throw new UpOptionsError('--as defines the gateway itself; it goes without --gateway and --no-gateway');
  }
  const { dialect = 'documented', spId } = product.settings;
  if (options.dialect !== undefined && options.dialect !== dialect) {
    throw new UpOptionsError(`--as ${product.name} speaks the ${dialect} dialect, in which its deviations are known`);
  }
  return {
    ...options,
    dialect,
    ...(options.spId === undefined && spId !== undefined && { spId }),
  };
}
