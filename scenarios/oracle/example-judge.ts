/** Examples of a team's rule: they test the rule, and explain it. */
import type { Problem } from '../engine/basics/diagnostics.ts';
import { validate } from '../engine/files/issues.ts';
import { readSource, type SourceFile } from '../engine/files/source-file.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { defaultOriginator, headerList, numberedSpeech, usualHeaders } from '../engine/messages/usual-headers.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import { defaultNames } from '../engine/targets/url-choice.ts';
import { Judge } from './judge.ts';
import { typeOfRoot } from './observation/resource-types.ts';
import { type Example, OwnRuleFile } from './rule.ts';
import { type LoadedRule, readOwnRules } from './rules.ts';

/** Valid examples that fail their rule, and invalid ones that pass. Nothing for a file that cannot be read. */
export function exampleProblems(path: string): Problem[] {
  const { source, file } = ownFileAt(path);
  if (file === undefined || source === undefined) return [];
  const dialect = dialectIn(file);
  const all = readOwnRules(path);
  return file.rules.flatMap(({ examples = {} }, index) => {
    const rules = all.filter(isAt(source, index));
    return (['valid', 'invalid'] as const).flatMap((kind) =>
      (examples[kind] ?? []).flatMap((example, at) => {
        const message = exampleChecks[kind]([example].flat(), { rules, dialect });
        return message === undefined ? [] : source.problem(['rules', index, 'examples', kind, at], message);
      }),
    );
  });
}

/** The exchanges of an example, as in a run. */
export type ExampleExchanges = readonly Exchange[];

/** The examples of a requirement in a team's file. */
export function examplesOf(
  path: string,
  requirement: string,
): Readonly<Record<'valid' | 'invalid', ExampleExchanges[]>> {
  const { source, file } = ownFileAt(path);
  if (file === undefined || source === undefined) return { valid: [], invalid: [] };
  const all = readOwnRules(path).filter((rule) => rule.requirement === requirement);
  const own = file.rules.filter((_, index) => all.some(isAt(source, index)));
  const exchanges = (kind: 'valid' | 'invalid') =>
    own.flatMap(({ examples = {} }) => (examples[kind] ?? []).map((one) => exchangesOf([one].flat(), dialectIn(file))));
  return { valid: exchanges('valid'), invalid: exchanges('invalid') };
}

function ownFileAt(path: string) {
  const { source } = readSource(path);
  return { source, file: source && validate(OwnRuleFile, source).value };
}

const dialectIn = ({ level }: { readonly level: string }): Dialect => (level === 'standard' ? 'onem2m' : 'documented');

/** An entry with `each` or `${type}` stands for several rules. */
function isAt(source: SourceFile, index: number): (rule: LoadedRule) => boolean {
  const { line, column } = source.place(['rules', index, 'rule']);
  return ({ place }) => place.line === line && place.column === column;
}

interface Judging {
  readonly rules: readonly LoadedRule[];
  readonly dialect: Dialect;
}

type ExampleCheck = (exchanges: readonly Example[], judging: Judging) => string | undefined;

const exampleChecks: Readonly<Record<'valid' | 'invalid', ExampleCheck>> = {
  valid(exchanges, judging) {
    const [failed] = judgeExample(exchanges, judging).failed;
    return failed && `the rule fails this valid example: ${failed.actual}, not ${failed.expected.join(' or ')}`;
  },
  invalid(exchanges, judging) {
    const { failed, applied } = judgeExample(exchanges, judging);
    if (failed.length > 0) return undefined;
    const why = applied > 0 ? 'its conditions are met' : 'it does not apply, or a value that it needs is unknown';
    return `the rule passes this invalid example: ${why}`;
  },
};

/** `applied`: how often a rule was checked against an exchange. */
function judgeExample(exchanges: readonly Example[], { rules, dialect }: Judging) {
  let applied = 0;
  const onRule = () => {
    applied += 1;
  };
  const judge = new Judge({ rules, dialect, names: defaultNames(dialect), levelOf: () => 'documented', onRule });
  const failed = exchangesOf(exchanges, dialect).flatMap((one) => judge.judge(one));
  return { failed, applied };
}

const exchangesOf = (examples: readonly Example[], dialect: Dialect): Exchange[] =>
  examples.map((one, at) => exchangeOf(one, at, dialect));

function exchangeOf({ request, response }: Example, at: number, dialect: Dialect): Exchange {
  const { method, path, headers = {}, body } = request;
  const [root] = Object.keys(body ?? {});
  const ty = method === 'POST' ? typeOfRoot(root, dialect)?.number : undefined;
  const speech = numberedSpeech({ dialect, release: '3' }, 'r', at);
  const originator = dialect === 'onem2m' ? defaultOriginator : undefined;
  const usual = usualHeaders({ originator, speech }, body === undefined ? undefined : { ty });
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const others = headerList(usual).filter(([name]) => !own.has(name.toLowerCase()));
  return {
    request: { method, path, headers: [...others, ...Object.entries(headers)], ...textIn(body) },
    answer: {
      status: response.status,
      headers: Object.entries(response.headers ?? {}),
      body: '',
      ...textIn(response.body),
    },
    ...{ at, took: 1, curl: '' },
  };
}

function textIn(body: unknown): { readonly body?: string } {
  return body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
}
