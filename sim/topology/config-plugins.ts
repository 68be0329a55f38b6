/** The `plugins` section: which of the two plugins run, and their `config`. */
import type { JsonNode } from './config-json.ts';
import type { Findings, Range } from './config-problem.ts';
import { didYouMean, isOf, quoted, Section } from './config-section.ts';

const known = ['HTTPTransportPlugin', 'RegistrationHandler'] as const;
type PluginName = (typeof known)[number];

/** Undefined: the plugin is missing, disabled, or has nothing that could be read. */
export type Plugins = Readonly<Partial<Record<PluginName, Section>>>;

interface Entry {
  readonly section: Section;
  readonly name: string;
  /** Where the name stands. */
  readonly at: Range;
}

/**
 * Takes every form that the words "the entry named HTTPTransportPlugin" fit: a list of entries, as our own fixtures have it
 * because each entry carries its name already; an object of entries by name; and named lists of entries, as the deployed
 * files have them. `package` names a module of the product and has no effect here.
 */
export function readPlugins(file: Section): Plugins {
  const { findings } = file;
  const plugins = file.member('plugins');
  if (plugins === undefined) return {};
  const entries = entriesOf(plugins.value, findings);
  const running: Partial<Record<PluginName, Section>> = {};
  for (const entry of entries) {
    const name = known.find((one) => one === entry.name);
    if (name === undefined) reportOther(entry, findings);
    else {
      const config = readEntry(entry, name);
      if (config === undefined) continue;
      if (running[name] !== undefined) findings.error(entry.at, `${name} is enabled twice`);
      running[name] ??= config;
    }
  }
  if (!entries.some(({ name }) => name === 'HTTPTransportPlugin')) {
    findings.note(plugins.key, 'there is no HTTPTransportPlugin, so this CSE does not listen');
  }
  return running;
}

function entriesOf(node: JsonNode, findings: Findings): Entry[] {
  if (node.kind === 'list') return node.items.flatMap((item) => entryOf(item, findings));
  if (!isOf('object', node, findings)) return [];
  return node.members.flatMap(({ key, value }) =>
    value.kind === 'list' ? entriesOf(value, findings) : entryOf(value, findings, key),
  );
}

function entryOf(node: JsonNode, findings: Findings, key?: Range & { readonly value: string }): Entry[] {
  const section = Section.read(node, findings, key);
  if (section === undefined) return [];
  const name = section.text('name') ?? (section.node('name') === undefined ? key : undefined);
  if (name === undefined) {
    section.require('name');
    section.ignore('package', 'disabled', 'config');
    section.done();
    return [];
  }
  if (key !== undefined && name.value !== key.value && isKnown(key.value)) {
    findings.error(name, `this entry stands as ${key.value} and is named ${quoted(name.value)}`);
    return [];
  }
  return [{ section, name: name.value, at: { from: name.from, to: name.to } }];
}

const isKnown = (name: string) => known.some((one) => one === name);

/** The `config` of a plugin that runs. */
function readEntry({ section, at }: Entry, name: PluginName): Section | undefined {
  section.text('package');
  const disabled = section.flag('disabled')?.value === true;
  const config = section.section('config');
  // Documented: "Must be false for the plugin to run". Whether a missing one lets it run would be a guess.
  section.require('disabled', ...(disabled ? [] : ['config']));
  section.done();
  if (!disabled) return config;
  if (name === 'HTTPTransportPlugin') section.findings.note(at, `${name} is disabled, so this CSE does not listen`);
  else section.findings.detail(at, `${name} is disabled`);
  return undefined;
}

function reportOther({ section, name, at }: Entry, findings: Findings): void {
  const disabled = section.flag('disabled')?.value === true;
  if (disabled) findings.detail(at, `the plugin ${quoted(name)} is disabled, and not used here anyway`);
  else findings.note(at, `the plugin ${quoted(name)} is not used${didYouMean(name, known)}`);
}
