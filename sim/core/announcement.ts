/** What is said at other CSEs of a resource that is announced there (TS-0001, clause 9.6.26). */

import type { CseConfiguration } from './configuration.ts';
import type { Resource } from './resource.ts';
import { type AttributeDefinition, announcedRoot } from './resource-type.ts';

/** Attributes that are identifiers, which another CSE reads as its own unless they say of which CSE they are. */
const identifiers: ReadonlySet<string> = new Set([
  ...['acpi', 'daci', 'aei', 'nl', 'li', 'hcl', 'hael', 'mid', 'macp', 'awi', 'ldv', 'lnh'],
]);

/** What announces the resource, with what is said beside its own attributes, below its root key. */
export function announcementOf(
  resource: Resource,
  configuration: CseConfiguration,
  more: Record<string, unknown> = {},
): Record<string, Record<string, unknown>> {
  const lnk = `/${configuration.cseId}/${resource.id}`;
  return { [announcedRoot(resource.type)]: { lnk, ...announcedAttributes(resource, configuration), ...more } };
}

/** The attributes of the resource that are announced, by their short names. */
export function announcedAttributes(resource: Resource, { dialect, cseId }: CseConfiguration): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const { name, definition } of resource.type.entries) {
    if (!isAnnounced(name, definition, resource)) continue;
    const written = dialect.write(definition.type, resource.valueOf(name));
    if (written === undefined) continue;
    shown[name] = identifiers.has(name) ? ofThisCse(written, cseId) : rulesOfThisCse(name, written, cseId);
  }
  return shown;
}

function isAnnounced(name: string, { announced }: AttributeDefinition, { values }: Resource): boolean {
  if (announced !== 'when asked') return announced === 'always';
  return ((values.aa as readonly string[] | undefined) ?? []).includes(name);
}

/** Identifiers SP-relative (TS-0001, clause 7.2). */
function ofThisCse(written: unknown, cseId: string): unknown {
  if (Array.isArray(written)) return written.map((one) => ofThisCse(one, cseId));
  return typeof written !== 'string' || written.startsWith('/') ? written : `/${cseId}/${written}`;
}

/** The originators that rules of `pv` and `pvs` name; patterns, domains and `all` stay as they are. */
function rulesOfThisCse(name: string, written: unknown, cseId: string): unknown {
  if (name !== 'pv' && name !== 'pvs') return written;
  const { acr = [] } = written as { acr?: readonly { acor?: readonly string[] }[] };
  const named = (id: string) => (id === 'all' || /[*?.]/.test(id) ? id : ofThisCse(id, cseId));
  return { acr: acr.map((rule) => ({ ...rule, acor: rule.acor?.map(named) })) };
}

/** `aa` names only what is announced because it does; of what always is, `lbl` may stand there too. */
export function keepAnnounceable(resource: Resource): void {
  const { aa, ...others } = resource.values;
  if (!Array.isArray(aa)) return;
  const { attributes } = resource.type;
  const kept = aa.filter((name: string) => name === 'lbl' || attributes[name]?.announced === 'when asked');
  if (kept.length < aa.length) resource.values = kept.length > 0 ? { ...others, aa: kept } : others;
}
