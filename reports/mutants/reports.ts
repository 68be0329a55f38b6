/** What the tables of `cselab mutants` are written as, and where. */
import { join } from 'node:path';
import type { DrawnTable } from '../../scenarios/index.ts';
import { renderPage } from '../document/html.tsx';
import type { Document } from '../document/model.ts';
import { renderText } from '../document/terminal.ts';
import { visibleJson } from '../json/json-reporter.ts';
import { mustDiffer, type Output, outputsOf, writeWhole } from '../output-file.ts';
import { contextOf, type ReportingFlags } from '../reporting.ts';
import { drawnDocument } from './drawn-document.ts';
import { drawnReport } from './schema.ts';

interface Told {
  readonly json: object;
  readonly document: Document;
}

export type Render = (told: Told, flags: ReportingFlags) => string;

export const renders = new Map<string, Render>([
  ['terminal', ({ document }, flags) => renderText(document, contextOf(flags))],
  ['json', ({ json }) => `${visibleJson(json, 2)}\n`],
  ['html', ({ document }) => renderPage(document)],
]);

interface WrittenFlags {
  report?: readonly string[];
  json?: true;
  out: string;
}

/** `stem`: how files are called that have no path. */
export function reportsOf({ report, json, out }: WrittenFlags, stem = 'mutants'): Output<Render>[] {
  const specs = [...(report ?? (json ? [] : ['terminal'])), ...(json ? ['json=-'] : [])];
  const outputs = outputsOf(specs, renders, (name) => (name === 'terminal' ? '-' : join(out, `${stem}.${name}`)));
  mustDiffer(outputs);
  return outputs;
}

export async function writeAll(outputs: readonly Output<Render>[], told: Told, flags: ReportingFlags): Promise<void> {
  for (const { kind: render, path } of outputs) await writeWhole(path, render(told, flags));
}

export function writeDrawn(
  outputs: readonly Output<Render>[],
  table: DrawnTable,
  flags: ReportingFlags,
): Promise<void> {
  return writeAll(outputs, { json: { ...drawnReport.format, ...table }, document: drawnDocument(table) }, flags);
}
