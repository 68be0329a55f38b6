import type { z } from 'zod';
import { defined } from '../basics/defined.ts';
import { didYouMean, type Problem, ScenarioFilesError } from '../basics/diagnostics.ts';
import { type Level, RequirementFile } from '../grammar/grammar.ts';
import { testPurposes } from '../grammar/test-purposes.ts';
import { filesBelow, requirementsFolder } from './folders.ts';
import { validate } from './issues.ts';
import { cached } from './load-cache.ts';
import { type DataPath, readSource, type SourceFile } from './source-file.ts';

/** One statement of the specification or of the standard. */
export interface Requirement {
  readonly id: string;
  readonly level: Level;
  /** Title of the document that states it. */
  readonly specification: string;
  readonly section: string;
  readonly source: string;
  readonly says: string;
  /** The first release of the standard that states it. */
  readonly since?: string;
  /** Test purposes of the conformance suite. */
  readonly answers?: readonly string[];
  readonly untestable?: string;
}

export interface Catalogue {
  /** By id, in the order of the files. */
  readonly requirements: ReadonlyMap<string, Requirement>;
}

/** Reads the requirement files below a directory; throws ScenarioFilesError with every problem of every file. */
export function loadRequirements(directory: string = requirementsFolder): Catalogue {
  const { catalogue, problems } = readCatalogue(directory);
  if (problems.length > 0) throw new ScenarioFilesError(problems);
  return catalogue;
}

interface ReadCatalogue {
  readonly catalogue: Catalogue;
  readonly problems: readonly Problem[];
}

/**
 * `own`: files of a team, which add requirements to those of the directory, and rules for them. `base` is the catalogue of the
 * directory without them.
 */
export function readCatalogue(directory: string, own: readonly string[] = []): ReadCatalogue & { base: Catalogue } {
  const files = filesBelow(directory);
  const read = () => readFiles(files, RequirementFile);
  const base = directory === requirementsFolder ? cached({ files }, read) : read();
  const all = own.length === 0 ? base : readFiles(own, RequirementFile.loose(), base);
  return { ...all, base: base.catalogue };
}

function readFiles(
  files: readonly string[],
  grammar: z.ZodType<RequirementFile>,
  before: ReadCatalogue = { catalogue: { requirements: new Map() }, problems: [] },
): ReadCatalogue {
  const requirements = new Map(before.catalogue.requirements);
  const problems = [...before.problems];
  for (const path of files) {
    const read = readSource(path);
    problems.push(...read.problems);
    if (read.source === undefined) continue;
    const { value, problems: found } = validate(grammar, read.source);
    problems.push(...found);
    if (value === undefined) continue;
    problems.push(...addAll(value, read.source, requirements));
  }
  return { catalogue: { requirements }, problems };
}

function addAll(file: RequirementFile, source: SourceFile, known: Map<string, Requirement>): Problem[] {
  const problems: Problem[] = [];
  for (const { path, ...requirement } of requirementsIn(file)) {
    const { id, answers = [] } = requirement;
    if (known.has(id)) problems.push(source.problem(path, `the requirement "${id}" exists already`, { key: true }));
    problems.push(...unknownPurposes(answers, [...path, 'answers'], source));
    known.set(id, requirement);
  }
  return problems;
}

/** Each with its path in the file. */
function requirementsIn({ specification, level, sections }: RequirementFile): Array<Requirement & { path: DataPath }> {
  return sections.flatMap((section, index) =>
    (['requirements', 'gaps'] as const).flatMap((part) =>
      Object.entries(section[part] ?? {}).flatMap(([source, entries]) =>
        Object.entries(entries).map(([id, entry]) => {
          const { says, since, answers, untestable } = typeof entry === 'string' ? { says: entry } : entry;
          return {
            ...{ id, specification, section: section.section, source, says },
            ...defined({ since, answers, untestable }),
            level: part === 'gaps' ? 'gap' : level,
            path: ['sections', index, part, source, id],
          };
        }),
      ),
    ),
  );
}

function unknownPurposes(answers: readonly string[], path: DataPath, source: SourceFile): Problem[] {
  return answers.flatMap((purpose, index) => {
    if (testPurposes.has(purpose)) return [];
    const message = `there is no test purpose "${purpose}"${didYouMean(purpose, testPurposes.keys())}`;
    return [source.problem([...path, index], message)];
  });
}
