import type { RequirementResult } from '../../scenarios/index.ts';
import { failureTold, type Run } from '../check/evidence-told.ts';
import { contentLines, screenOf } from '../document/terminal.ts';
import type { Evidence } from '../evidence.ts';
import { visibleText } from '../visible-text.ts';

/** GitLab refuses files over 30 MB; this leaves room for hundreds of failures. */
const limits = { most: Number.POSITIVE_INFINITY, bodyLimit: 16_000 };
const page = screenOf({ color: false, columns: 10_000, verbose: true });

/** All about a failure: some readers show the text of the element and nothing else. */
export function failureText(evidence: Evidence, requirement: RequirementResult, run: Run): string {
  const { says, section, source } = requirement;
  return [visibleText(says), visibleText(`(${section}, ${source})`), '', ...linesOf(evidence, run)].join('\n');
}

/** A fault of the harness: what it was about to check, and the exchange. */
export function errorText(evidence: Evidence, reason: string, run: Run): string {
  return [visibleText(reason), '', ...linesOf(evidence, run)].join('\n');
}

function linesOf(evidence: Evidence, run: Run): string[] {
  return contentLines(page, failureTold(evidence, run, limits));
}
