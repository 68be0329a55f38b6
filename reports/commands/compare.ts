/** `cselab compare`: several targets side by side, or the changes between two runs of one. */

import { UsageError } from '../../scenarios/words.ts';
import { command, toggle, type ValuesOf, valued, wordsOf } from '../../sim/command-line/flag.ts';
import { compareDocument } from '../compare/compare-document.ts';
import { type ComparedRequirement, type Comparison, comparisonOf } from '../compare/comparison.ts';
import { renderPage } from '../document/html.tsx';
import { renderMarkdown } from '../document/markdown.ts';
import { renderText } from '../document/terminal.ts';
import type { CheckEvidence } from '../facts/evidence.ts';
import { color } from '../flags/common-flags.ts';
import { visibleJson } from '../formats/json-reporter.ts';
import { readReport } from '../formats/read-report.ts';
import { textOptions } from '../formats/reporting.ts';
import { say, sayWritten, writeWhole } from '../writing/output-file.ts';

/** The formats of a comparison, and what can fail a build. */
const compareFormats = ['text', 'markdown', 'html', 'json'] as const;
type CompareFormat = (typeof compareFormats)[number];

/** Changes for the worse between two runs; `lost`: satisfied before, not checked now. */
const regressions = ['broken', 'new', 'gone', 'lost'] as const;
type Regression = (typeof regressions)[number];

const endings: ReadonlyMap<string, CompareFormat> = new Map(
  Object.entries({ md: 'markdown', html: 'html', htm: 'html', json: 'json' }),
);

const flags = {
  '': {
    format: valued('<name>', 'how it is written (default: by the ending of --out, or text)').of(compareFormats),
    out: valued('<file>', 'where it goes; stdout when absent'),
    all: toggle('rows in which nothing differs as well'),
    runs: toggle('these are two runs of one target'),
    matrix: toggle('these are different targets'),
    failOn: valued('<list>', `exit with 1 for what is ${regressions.join(', ')}`).reading(wordsOf(regressions)),
    color,
  },
};

type CompareFlags = ValuesOf<typeof flags>;

const examples = `
Two reports of one target (address and product are the same) are compared as runs, the earlier one first: what is broken, new,
still failing, fixed and gone. Other reports become a matrix of requirements by targets. --runs and --matrix insist on one of them.
Exit codes: 0 compared, 1 with --fail-on where something of that kind was found, 2 usage or a report that cannot be read.

Examples:
  cselab compare yesterday.json today.json --fail-on broken,new
  cselab compare openmtc.json acme.json tinyiot.json mobius.json --out matrix.html
  cselab compare main.json branch.json --format markdown >> "$GITHUB_STEP_SUMMARY"`;

export const define = command({
  help: 'compare the reports of several targets, or of two runs of one target',
  args: [['<reports...>', 'JSON reports']],
  flags,
  examples,
  async run(paths, flags) {
    const { all = false, runs, matrix, failOn = [], out } = flags;
    if (runs && matrix) throw new UsageError('--runs and --matrix exclude each other');
    const comparison = comparisonOf(paths.map(readReport), { all, runs: matrix ? false : runs });
    const { changes } = comparison;
    if (failOn.length > 0 && changes === undefined) {
      throw new UsageError('--fail-on is about two runs of one target; these are different targets (see --runs)');
    }
    await writeWhole(out ?? '-', renderAs(comparison, flags));
    sayWritten([out ?? '-']);
    if (changes === undefined || failOn.length === 0) return 0;
    const { lost, noVerdict } = changes;
    const countOf = (what: Regression) =>
      what === 'lost' ? lost.length : changes.changes.filter(({ kind }) => kind === what).length;
    const reasons = [
      ...(noVerdict === undefined ? [] : [`the second run came to no verdict: ${noVerdict}`]),
      ...failOn.filter((one) => countOf(one) > 0).map((one) => `${countOf(one)} ${one}`),
    ];
    if (reasons.length === 0) return 0;
    say(reasons.join(', '));
    return 1;
  },
});

function renderAs(comparison: Comparison, { format, out, color }: CompareFlags): string {
  const document = compareDocument(comparison);
  const text = out === undefined ? textOptions({ color }) : { color: false, columns: 80, verbose: false };
  const ending = /\.([a-z]+)$/i.exec(out ?? '')?.[1]?.toLowerCase() ?? '';
  const renderers = {
    html: () => renderPage(document),
    markdown: () => renderMarkdown(document),
    json: () => renderComparisonJson(comparison),
    text: () => renderText(document, text),
  };
  return renderers[format ?? endings.get(ending) ?? 'text']();
}

/** The comparison as JSON, safe to print in a terminal. */
export function renderComparisonJson({ columns, displayed, changes }: Comparison): string {
  const targets = columns.map(({ letter, label, result }) => {
    const { run, startedAt, dialect, target, exit, summary, deaths } = result;
    return { letter, label, ...{ run, startedAt, dialect, target, deaths, exit }, verdicts: summary.verdicts };
  });
  const requirements = displayed.map(({ requirement, cells, differs }) => {
    const { id, says, section, source, level } = requirement;
    return { id, says, section, source, level, differs, targets: cells.map((cell) => (cell ? cellJson(cell) : null)) };
  });
  const changed = changes?.changes.map(({ kind, requirement, before, after, otherwise, reason }) => {
    const change = { kind, requirement: requirement.id, otherwise, reason };
    return { ...change, before: before.map(evidenceJson), after: after.map(evidenceJson) };
  });
  const value = { targets, requirements, changes: changed, lost: changes?.lost.map(({ id }) => id) };
  return `${visibleJson(value, 2)}\n`;
}

function cellJson({ requirement, variants, actuals }: ComparedRequirement) {
  const { verdict, known = false, reason } = requirement;
  const [does, evidence] = [[...actuals.keys()], [...actuals.values()].map(evidenceJson)];
  return { verdict, known, variants, does, reason, evidence };
}

function evidenceJson({ scenario, stepNumber, check }: CheckEvidence) {
  const { expected, actual, variant } = check;
  return { scenario: scenario.id, step: stepNumber, expected, actual, variant };
}
