import type { CheckResult } from '../scenarios/index.ts';

/** What the sentences of a check speak of, such as `attribute rr is the text "TRUE"; header x-m2m-rsc is absent`. */
const subject = /(?:^|; )(?:(attribute|header) ([\w.:-]+)|(status|RSC|root)\b)/g;

/** Which lines of an answer, as `answerText` writes it, a failed check is about; counted from 0. */
export function differingLines(checks: readonly CheckResult[], text: string): ReadonlySet<number> {
  const failed = checks.filter(({ state, level }) => state === 'failed' && level !== 'gap');
  const patterns = failed.flatMap(({ actual, expected }) => [actual, ...expected]).flatMap(patternsOf);
  const lines = text.split(/\r?\n/);
  return new Set([...lines.keys()].filter((at) => patterns.some((pattern) => pattern(lines[at] ?? '', at))));
}

type Pattern = (line: string, at: number) => boolean;

function patternsOf(sentence: string): Pattern[] {
  return [...sentence.matchAll(subject)].map(([, kind, name = '', word]) => {
    if (kind === 'attribute') return (line) => line.trimStart().startsWith(`"${name}":`);
    if (kind === 'header') return headed(name);
    if (word === 'RSC') return headed('x-m2m-rsc');
    if (word === 'status') return (_, at) => at === 0;
    return (line) => /^\s*"m2m:\w+":/.test(line);
  });
}

function headed(name: string): Pattern {
  return (line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`);
}
