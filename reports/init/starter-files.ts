import type { Dialect } from '../../scenarios/index.ts';

/** What a project is begun with. */
export interface StarterChoice {
  readonly url: string;
  readonly dialect: Dialect;
  /** Which build server runs it. */
  readonly ci: 'github' | 'gitlab' | 'none';
}

/** The text of each file by its path, relative to the project. */
export function starterFiles(choice: StarterChoice): ReadonlyMap<string, string> {
  const files: Array<readonly [string, string]> = [
    ['conformance/target.yaml', targetFile(choice)],
    ['conformance/first-scenario.yaml', firstScenario(choice)],
  ];
  if (choice.ci === 'github') files.push(['.github/workflows/conformance.yml', githubWorkflow]);
  if (choice.ci === 'gitlab') files.push(['.gitlab-ci.yml', gitlabPipeline]);
  return new Map(files);
}

/** By which editors complete and check the file. */
function schemaLine(of: 'scenario' | 'target'): string {
  return `# yaml-language-server: $schema=../node_modules/cselab/dist/scenarios/${of}.schema.json\n`;
}

function targetFile({ url, dialect }: StarterChoice): string {
  const standard = dialect === 'onem2m';
  return `${schemaLine('target')}# How your CSE is reached, and what it claims. \`cselab probe ${url}\` finds out more of it.
product: my-cse
version: "1.0"
url: ${JSON.stringify(url)}
dialect: ${dialect}
base: ${standard ? 'cse-in' : 'onem2m'}
${standard ? 'release: "3"\noriginators:\n  admin: CAdmin\n' : ''}# What it does without is "no" here, and then not judged:
# implements:
#   PICS_GRP: no
limits:
  rate: 50/s
  connections: 4
`;
}

function firstScenario({ dialect }: StarterChoice): string {
  const standard = dialect === 'onem2m';
  return `${schemaLine('scenario')}feature: Our own scenarios
${standard ? 'dialects: [onem2m]\n' : ''}actors:
  app: {}
scenarios:
  first-value:
    title: A value that was pushed is the latest
    steps:
      - create: container
        in: /\${base}/\${app}
        attributes: { rn: values }
        check:
          ${standard ? 'std.http.2001' : 'container.create.status'}: { status: 201 }
      - create: content instance
        in: /\${base}/\${app}/values
        attributes: { con: "21.5"${standard ? '' : ', cnf: "text/plain:0"'} }
      - retrieve: /\${base}/\${app}/values/${standard ? 'la' : 'latest'}
        check:
          ${standard ? 'std.http.2000: { status: 200 }' : 'latest.newest: { attributes: { con: "21.5" } }'}
`;
}

const githubWorkflow = `name: Conformance
on:
  push:
  pull_request:

permissions:
  contents: read

jobs:
  conformance:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
      # Start your CSE here, so that conformance/target.yaml finds it.
      - uses: cselab/cselab/.github/actions/check@main
        with:
          target: conformance/target.yaml
          # Deviations that are known: \`cselab baseline update conformance/baseline.yaml\` writes it.
          # baseline: conformance/baseline.yaml
      - uses: cselab/cselab/.github/actions/check@main
        if: always()
        with:
          target: conformance/target.yaml
          ids: conformance/first-scenario.yaml
          reports: cselab-reports/own
          artifact: own-scenarios
`;

const gitlabPipeline = `conformance:
  image: node:20
  script:
    # Start your CSE here, so that conformance/target.yaml finds it.
    - npx cselab check --target conformance/target.yaml --report terminal --report junit --report html --out reports
    - npx cselab check --target conformance/target.yaml conformance/first-scenario.yaml
  artifacts:
    when: always
    paths: [reports]
    reports:
      junit: reports/junit.xml
`;
