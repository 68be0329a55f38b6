/** The conformance statement of a target file, with the evidence for each line. */
import type { Statement } from '../statement/statement.ts';
import { isCore, isFeatureFinding } from './feature-findings.ts';
import type { FeatureFinding, Finding } from './finding.ts';
import { comment, indented, line } from './target-file-lines.ts';

/** What was claimed before anything was asked. */
export interface Beforehand {
  readonly statement: Statement | undefined;
  /** Who claims it, as a clause. */
  readonly source: string;
}

export function implemented(findings: readonly Finding[], before: Beforehand): string[] {
  const lines = findings.filter(isFeatureFinding).flatMap((finding) => claimLines(finding, before));
  return ['', 'implements:', ...indented(lines)];
}

/** What was observed, else what was claimed before. A denial carries its reason, for reports. */
function claimLines({ id, name, found, evidence }: FeatureFinding, { statement, source }: Beforehand): string[] {
  if (found === 'yes') return line(id, found, `${name}: ${evidence}`);
  if (found === 'no') return line(id, { no: evidence }, name);
  const claim = statement?.claims[id] ?? 'unknown';
  const reason = statement?.reasons?.[id];
  if (claim === 'no') return line(id, reason === undefined ? claim : { no: reason }, `${name}: ${evidence}; ${source}`);
  if (claim === 'yes') return line(id, claim, `${name}: ${evidence}; ${source}`);
  return isCore(id) ? comment(`not found: ${id}, ${name}: ${evidence}`) : line(id, claim, `${name}: ${evidence}`);
}
