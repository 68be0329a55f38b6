/** The three tables of `cselab mutants` as published formats, from which the `*.schema.json` here are made. */

import { join } from 'node:path';
import { drawnShape, generatedShape, killShape } from '../../scenarios/words.ts';
import { renderPage } from '../document/html.tsx';
import type { Document } from '../document/model.ts';
import { renderText } from '../document/terminal.ts';
import { defineFormat, visibleJson } from '../formats/json-reporter.ts';
import { contextOf, type ReportingFlags } from '../formats/reporting.ts';
import { type Output, outputsOf, sayWritten, writeWhole } from '../writing/output-file.ts';
import { drawnDocument } from './drawn-document.ts';
import { generatedDocument } from './generated-document.ts';
import { killDocument } from './kill-document.ts';

/** A table for machines and for people. */
interface TableReport {
  readonly json: object;
  readonly document: Document;
}

const toReport =
  <Table extends object>({ format }: { readonly format: object }, documentOf: (table: Table) => Document) =>
  (table: Table): TableReport => ({ json: { ...format, ...table }, document: documentOf(table) });

const kill = defineFormat('urn:cselab:mutants:1', 1, killShape, {
  title: 'Kill table of cselab',
  description: 'What the harness makes of each deviation of the simulator.',
});
export const killReport = { ...kill, toReport: toReport(kill, killDocument), stem: 'mutants' };

const generated = defineFormat('urn:cselab:mutants-generated:1', 1, generatedShape, {
  title: 'What the generators of cselab find alone',
  description:
    'Whether generated sequences find each deviation of the simulator, in how many requests, and how short they become.',
});
const fromGenerated = toReport(generated, generatedDocument);
export const generatedReport = { ...generated, toReport: fromGenerated, stem: 'mutants-generated' };

const drawn = defineFormat('urn:cselab:mutants-drawn:1', 1, drawnShape, {
  title: 'What cselab sees of what a seed draws',
  description:
    'Deviations that a seed drew, each with a witness, and whether scenarios and generated sequences see them.',
});
export const drawnReport = { ...drawn, toReport: toReport(drawn, drawnDocument), stem: 'mutants-drawn' };

type Render = (report: TableReport, flags: ReportingFlags) => string;

const renders = new Map<string, Render>([
  ['terminal', ({ document }, flags) => renderText(document, contextOf(flags))],
  ['json', ({ json }) => `${visibleJson(json, 2)}\n`],
  ['html', ({ document }) => renderPage(document)],
]);

interface TableFlags {
  report?: readonly string[];
  json?: true;
  out: string;
}

/** `stem`: the name of files without a path. */
export function reportsOf({ report, json, out }: TableFlags, stem = 'mutants'): Output<Render>[] {
  const specs = [...(report ?? (json ? [] : ['terminal'])), ...(json ? ['json=-'] : [])];
  return outputsOf(specs, renders, (name) => (name === 'terminal' ? '-' : join(out, `${stem}.${name}`)));
}

export async function writeAll(
  outputs: readonly Output<Render>[],
  report: TableReport,
  flags: ReportingFlags,
): Promise<void> {
  for (const { format: render, path } of outputs) await writeWhole(path, render(report, flags));
  sayWritten(outputs.map(({ path }) => path));
}
