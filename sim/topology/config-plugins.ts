/** The `plugins` section: which of the two plugins run, and their `config`. */
import { didYouMean, flag, isOf, type Member, memberOf, type Placed, quoted, text } from './config-form.ts';
import type { JsonNode } from './config-json.ts';
import type { Findings, Range } from './config-problem.ts';
import {
  entryForm,
  type Http,
  httpForm,
  namelessForm,
  type Registration,
  registrationForm,
} from './config-sections.ts';

/** Only who says so listens beyond this machine. */
export const loopback = '127.0.0.1';

const known = ['HTTPTransportPlugin', 'RegistrationHandler'] as const;

interface Entry {
  readonly node: JsonNode;
  /** As it is called, and where that stands. */
  readonly name: Placed<string>;
  /** By which it stands in an object. */
  readonly key: Range | undefined;
}

/**
 * Takes every form that the words "the entry named HTTPTransportPlugin" fit: a list of entries, as our own fixtures have it
 * because each entry carries its name already; an object of entries by name; and named lists of entries, as the deployed
 * files have them. `package` names a module of the product and has no effect here. A plugin that is missing, disabled, or has nothing
 * that could be read is undefined.
 */
export function readPlugins(
  plugins: Member | undefined,
  findings: Findings,
): { readonly http?: Http | undefined; readonly registration?: Registration | undefined } {
  if (plugins === undefined) return {};
  const entries = entriesOf(plugins.node, findings);
  const configs = new Map<string, Member>();
  for (const { node, name, key } of entries) {
    const running = isKnown(name.value) ? configOf(node, name, key, findings) : noteOther(node, name, findings);
    if (running === undefined) continue;
    if (configs.has(name.value)) findings.error(name, `${name.value} is enabled twice`);
    else configs.set(name.value, running);
  }
  if (!entries.some(({ name }) => name.value === 'HTTPTransportPlugin')) {
    findings.note(plugins.key, 'there is no HTTPTransportPlugin, so this CSE does not listen');
  }
  const [http, registration] = known.map((name) => configs.get(name));
  const read = http && httpForm(http.node, findings, http.key);
  if (http && read && read.interface === undefined) {
    findings.note(http.key, `"interface" is missing, so the CSE listens on ${loopback} only`);
  }
  return { http: read, registration: registration && registrationForm(registration.node, findings, registration.key) };
}

function entriesOf(node: JsonNode, findings: Findings): Entry[] {
  if (node.kind === 'list') return node.items.flatMap((item) => entryOf(item, findings));
  if (!isOf('object', node, findings)) return [];
  return node.members.flatMap(({ key, value }) =>
    value.kind === 'list' ? entriesOf(value, findings) : entryOf(value, findings, key),
  );
}

function entryOf(node: JsonNode, findings: Findings, key?: Placed<string>): Entry[] {
  if (!isOf('object', node, findings)) return [];
  const named = memberOf(node, 'name')?.value;
  if (named === undefined && key !== undefined) return [{ node, name: key, key }];
  const name = named && text(named, findings);
  if (named === undefined) namelessForm(node, findings, key);
  if (named === undefined || name === undefined) return [];
  if (key !== undefined && name !== key.value && isKnown(key.value)) {
    findings.error(named, `this entry stands as ${key.value} and is named ${quoted(name)}`);
    return [];
  }
  return [{ node, name: { from: named.from, to: named.to, value: name }, key }];
}

const isKnown = (name: string) => known.some((one) => one === name);

/** The `config` of a plugin that runs. */
function configOf(node: JsonNode, name: Placed<string>, key: Range | undefined, findings: Findings) {
  const entry = entryForm(node, findings, key);
  if (!entry?.disabled?.value) return entry?.config?.value;
  if (name.value === 'HTTPTransportPlugin')
    findings.note(name, `${name.value} is disabled, so this CSE does not listen`);
  else findings.detail(name, `${name.value} is disabled`);
  return undefined;
}

function noteOther(node: JsonNode, name: Placed<string>, findings: Findings): undefined {
  const disabled = node.kind === 'object' ? memberOf(node, 'disabled')?.value : undefined;
  if (disabled && flag(disabled, findings)) {
    findings.detail(name, `the plugin ${quoted(name.value)} is disabled, and not used here anyway`);
  } else findings.note(name, `the plugin ${quoted(name.value)} is not used${didYouMean(name.value, known)}`);
}
