/** The `plugins` section: which of the two plugins run, and their `config`. */
import type { Node } from 'jsonc-parser';
import { didYouMean, flag, isOf, type Located, text } from './form.ts';
import { introductionOf, keyOf, memberOf, membersOf } from './json-places.ts';
import { type Findings, quoted } from './problem.ts';
import {
  entryForm,
  type Http,
  httpForm,
  namelessForm,
  type RegistrationSection,
  registrationForm,
} from './sections.ts';

/** A CSE listens beyond this machine only if its file says so. */
export const loopback = '127.0.0.1';

const known = ['HTTPTransportPlugin', 'RegistrationHandler'] as const;

export interface Plugins {
  readonly http?: Http | undefined;
  readonly registration?: RegistrationSection | undefined;
}

interface Entry {
  readonly node: Node;
  /** Its name, and the position of the name. */
  readonly name: Located<string>;
}

/**
 * Accepts every form that the words "the entry named HTTPTransportPlugin" fit: a list of entries, as in our own fixtures, where each
 * entry has its name; an object of entries by name; and named lists of entries, as in the deployed files. `package` names a module of
 * the product and has no effect here. A plugin that is missing, disabled or unreadable is undefined.
 */
export function readPlugins(plugins: Node | undefined, findings: Findings): Plugins {
  if (plugins === undefined) return {};
  const entries = entriesOf(plugins, findings);
  const configs = new Map<string, Node>();
  for (const { node, name } of entries) {
    const running = isKnown(name.value) ? configOf(node, name, findings) : noteOther(node, name, findings);
    if (running === undefined) continue;
    if (configs.has(name.value)) findings.error(name, `${name.value} is enabled twice`);
    else configs.set(name.value, running);
  }
  if (!entries.some(({ name }) => name.value === 'HTTPTransportPlugin')) {
    findings.note(introductionOf(plugins), 'there is no HTTPTransportPlugin, so this CSE does not listen');
  }
  const [http, registration] = known.map((name) => configs.get(name));
  const read = http && httpForm(http, findings);
  if (http && read && read.interface === undefined) {
    findings.note(introductionOf(http), `"interface" is missing, so the CSE listens on ${loopback} only`);
  }
  return { http: read, registration: registration && registrationForm(registration, findings) };
}

function entriesOf(node: Node, findings: Findings): Entry[] {
  if (node.type === 'array') return (node.children ?? []).flatMap((item) => entryOf(item, findings));
  if (!isOf('object', node, findings)) return [];
  return membersOf(node).flatMap(({ value }) =>
    value.type === 'array' ? entriesOf(value, findings) : entryOf(value, findings),
  );
}

function entryOf(node: Node, findings: Findings): Entry[] {
  if (!isOf('object', node, findings)) return [];
  const named = memberOf(node, 'name');
  const key = keyOf(node);
  if (named === undefined && key !== undefined) return [{ node, name: key }];
  if (named === undefined) namelessForm(node, findings);
  const name = named && text(named, findings);
  if (named === undefined || name === undefined) return [];
  if (key !== undefined && name !== key.value && isKnown(key.value)) {
    findings.error(named, `this entry stands as ${key.value} and is named ${quoted(name)}`);
    return [];
  }
  return [{ node, name: { offset: named.offset, length: named.length, value: name } }];
}

const isKnown = (name: string) => known.some((one) => one === name);

/** The `config` of a plugin that runs. */
function configOf(node: Node, name: Located<string>, findings: Findings) {
  const entry = entryForm(node, findings);
  if (!entry?.disabled?.value) return entry?.config?.value;
  if (name.value === 'HTTPTransportPlugin')
    findings.note(name, `${name.value} is disabled, so this CSE does not listen`);
  else findings.detail(name, `${name.value} is disabled`);
  return undefined;
}

function noteOther(node: Node, name: Located<string>, findings: Findings): undefined {
  const disabled = memberOf(node, 'disabled');
  if (disabled && flag(disabled, findings)) {
    findings.detail(name, `the plugin ${quoted(name.value)} is disabled, and not used here anyway`);
  } else findings.note(name, `the plugin ${quoted(name.value)} is not used${didYouMean(name.value, known)}`);
}
