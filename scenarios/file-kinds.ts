/** The files that people write for cselab: how each is recognised, and its schema for editors. */

interface FileFacts {
  /** Keys at the beginning of a line, one of which identifies it. */
  readonly keys: readonly string[];
  /** Files of other programs have such keys, too: one of these must be there as well. */
  readonly besides?: readonly string[];
  /** Path in the project, without `.schema.json`. */
  readonly schema?: string;
  /** For the schema catalogue: file names in `cselab init` and the guides, and a description. */
  readonly listed?: readonly [names: string, says: string];
}

export const fileKinds = {
  scenario: {
    keys: ['feature', 'scenarios'],
    besides: ['feature', 'about', 'dialects', 'inboxes', 'actors', 'rows', 'usual', 'given'],
    schema: 'scenarios/scenario',
    listed: ['*scenario*', 'a oneM2M scenario: requests, and what the responses should be'],
  },
  baseline: {
    keys: ['deviations'],
    schema: 'scenarios/baseline',
    listed: ['baseline*', 'known deviations of a CSE'],
  },
  rules: {
    keys: ['rules'],
    besides: ['types', 'specification', 'sections', 'level'],
    schema: 'scenarios/own-rules',
    listed: ['*rules*', 'requirements of a team, and rules that judge them'],
  },
  duties: { keys: ['applications'], schema: 'scenarios/rules/application' },
  requirement: { keys: ['specification', 'sections'] },
  target: {
    keys: ['product', 'extends'],
    besides: ['url', 'dialect', 'implements', 'base', 'cse id', 'originators', 'limits', 'version', 'tls'],
    schema: 'scenarios/target',
    listed: ['target*', 'how a CSE is reached, and what it claims to have'],
  },
  // Its keys are those of other files: its schema comment or its lock identifies it.
  plan: { keys: [], schema: 'reports/plan/plan', listed: ['plan*', 'what a run judges, and how strictly'] },
} as const satisfies Readonly<Record<string, FileFacts>>;

export type FileKind = keyof typeof fileKinds;

const all = Object.entries(fileKinds) as ReadonlyArray<readonly [FileKind, FileFacts]>;
const ofPlans = /^#.*plan\.schema\.json$|^lock:\s+cselab:/m;

export const tellingKeys: readonly string[] = all.flatMap(([, { keys }]) => keys);

/** The kind of a file; undefined if it is not for cselab. Works by keys at line starts, so that invalid YAML is recognised, too. */
export function kindIn(text: string): FileKind | undefined {
  if (ofPlans.test(text)) return 'plan';
  const there = new Set(text.match(/^[a-z][a-z ]*(?=:(\s|$))/gm));
  const has = (some: readonly string[]) => some.some((key) => there.has(key));
  return all.find(([, { keys, besides }]) => has(keys) && (besides === undefined || has(besides)))?.[0];
}

export const schemaPaths: readonly string[] = all.flatMap(([, { schema }]) =>
  schema ? [`${schema}.schema.json`] : [],
);

export const listedKinds = all.flatMap(([kind, { schema, listed }]) => (listed ? [{ kind, schema, listed }] : []));

/** The name of the schema for a text; undefined if there is none. */
export function schemaFor(text: string): string | undefined {
  const kind = kindIn(text);
  const found = all.find(([one]) => one === kind)?.[1].schema;
  return found && `${found.replace(/.*\//, '')}.schema.json`;
}
