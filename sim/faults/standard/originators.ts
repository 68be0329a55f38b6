/** Whom rules of policies mean. */

import type { Cse } from '../../core/cse.ts';
import type { Fault } from '../fault.ts';
import { type Attributes, resourceAt } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { asAdministrator, insteadOfRefusing, originatorOf, rejecting } from '../vocabulary/standard-exchanges.ts';
import { names, policiesOf, rulesFor } from '../vocabulary/standard-rights.ts';
import { takingOriginator } from '../vocabulary/standard-taken.ts';

const everything = 63;
const noPrivilege = 4103;

/** Whether a rule allows one originator, by its identifier alone, everything at all times. */
const allowsOneEverything = ({ acor, acop, acco, acod }: Attributes) =>
  acop === everything &&
  acco === undefined &&
  acod === undefined &&
  /^\w[\w-]*$/.test(String(acor)) &&
  `${acor}` !== 'all';
const isDomain = (entry: string) => /^(?:\/\/)?[\w-]+(?:\.[\w-]+)+$/.test(entry);
const isGroup = (entry: string, core: Cse) => resourceAt(entry, core)?.type.root === 'm2m:grp';

export const originators: readonly Fault[] = [
  breaking(
    'std.access.originator.all',
    'taken-literally',
    'The word all in a rule of pv means an originator of that name.',
    takingOriginator((entry) => (entry === 'all' ? [] : undefined)),
  ),
  breaking(
    'std.access.originator.cse-relative',
    'first-only',
    'Where a resource names one policy, of its rules that allow one identifier everything only the first is looked at.',
    rejecting({ status: 403, code: noPrivilege }, (arrival) => {
      const { addressed, core } = arrival;
      if (policiesOf(addressed).length !== 1) return false;
      const [, ...others] = rulesFor(addressed, core).filter(allowsOneEverything);
      return others.some((rule) => names(rule, originatorOf(arrival)));
    }),
  ),
  breaking(
    'std.access.originator.sp-relative',
    'nobody',
    'An identifier behind that of a CSE, in a rule of pv, means nobody, unless there is a star in it.',
    takingOriginator((entry) => (/^\/[^/*]+\/[^*]+$/.test(entry) ? [] : undefined)),
  ),
  breaking(
    'std.access.originator.absolute',
    'nobody',
    'An absolute identifier in a rule of pv means nobody, unless there is a star in it.',
    takingOriginator((entry) => (/^\/\/[^/*]+\/[^*]+$/.test(entry) ? [] : undefined)),
  ),
  breaking(
    'std.access.originator.domain',
    'own-nobody',
    'The domain of the service provider of the CSE, in a rule of pv, means nobody.',
    takingOriginator((entry, { configuration: { spId } }) => (entry.replace('//', '') === spId ? [] : undefined)),
  ),
  breaking(
    'std.access.originator.another-domain',
    'everybody',
    'The domain of another service provider, in a rule of pv, means everybody.',
    takingOriginator((entry, { configuration: { spId } }) =>
      isDomain(entry) && entry.replace('//', '') !== spId ? ['all'] : undefined,
    ),
  ),
  breaking(
    'std.access.originator.pattern',
    'one-character',
    'A star behind other characters, in a rule of pv, stands for at least one character.',
    takingOriginator((entry) => (/[^*/]\*$/.test(entry) ? [`${entry.slice(0, -1)}?*`] : undefined)),
  ),
  breaking(
    'std.access.originator.another-pattern',
    'first-letter',
    'Of an identifier with a star at its end, in a rule of pv, only the first letter counts.',
    takingOriginator((entry) => (/^[^/*]+\*$/.test(entry) ? [`${entry.charAt(0)}*`] : undefined)),
  ),
  breaking(
    'std.access.originator.pattern.level',
    'any-slash',
    'A star at the end of an identifier that begins with a slash, in a rule of pv, stands for slashes, too.',
    takingOriginator((entry) => (/^\/.*\*$/.test(entry) ? [entry, `${entry}/*`] : undefined)),
  ),
  breaking(
    'std.access.originator.group',
    'nobody',
    'The identifier of a group, in a rule of pv, means nobody.',
    takingOriginator((entry, core) => (isGroup(entry, core) ? [] : undefined)),
  ),
  breaking(
    'std.access.originator.another-group',
    'everybody',
    'The identifier of a group, in a rule of pv, means everybody.',
    takingOriginator((entry, core) => (isGroup(entry, core) ? ['all'] : undefined)),
  ),
  breaking(
    'std.access.role.claimed',
    'believed',
    'Who claims a role, and is refused for want of rights, is served as if he were the administrator.',
    insteadOfRefusing(noPrivilege, ({ about }) => about.query.has('rids'), asAdministrator),
  ),
];
