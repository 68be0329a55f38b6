/** What `cselab lint` prints. */
import { type Linted, lint, renderProblem } from '../scenarios/index.ts';
import { LineProgress } from './progress/line-progress.ts';
import { visibleLines } from './visible-text.ts';
import { counted } from './wording.ts';

export function runLint(paths: readonly string[], json: boolean): void {
  const lines = new LineProgress(process.stderr);
  const found = json ? lint(paths) : lint(paths, (done, of) => lines.counting(done, of, 'scenario files'));
  if (!json) lines.end();
  process.stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : asText(found));
  if (found.problems.length > 0) process.exitCode = 2;
}

function asText({ files, problems }: Linted): string {
  const told = problems.flatMap((one) => [...visibleLines(renderProblem(one)), '']);
  const looked = `${counted(files.length, 'file')} looked at`;
  return `${[...told, `${looked}, ${counted(problems.length, 'problem')}`].join('\n')}\n`;
}
