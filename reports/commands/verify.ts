/** `cselab verify`: whether an evidence package is unchanged, and its verdicts follow from its messages. */
import { rulesCalled } from '../../scenarios/results.ts';
import { command, valued } from '../../sim/command-line/flag.ts';
import { blank, type Content, muted, prose } from '../document/model.ts';
import { counted, targetText, timeText, verdictLine } from '../facts/wording.ts';
import { json } from '../flags/common-flags.ts';
import { printContent } from '../formats/reporting.ts';
import { verifyingKey } from '../package/attestation.ts';
import { readPackage } from '../package/package-file.ts';
import { type PackageFinding, type Verification, verifyPackage } from '../package/verification.ts';
import { printJson } from '../writing/output-file.ts';

const flags = {
  '': {
    key: valued('<file>', 'public key of the signer, Ed25519 in PEM'),
    scenarios: valued('<file>', "a team's own scenarios of the run; repeatable").repeatable(),
    rules: valued('<file>', "a team's own requirements and rules of the run; repeatable").repeatable(),
    json,
  },
};

const examples = `
Nothing is sent. It says nothing of whether the target passed: its first lines tell that.
Exit codes: 0 nothing is wrong, 1 something is, 2 usage, 4 something could not be checked: a signature without --key, or verdicts
of another version of cselab.

Examples:
  cselab check --url http://gw:8000 --package run.cselab --sign-key lab.pem
  cselab verify run.cselab --key lab.pub.pem

A key of your own, and what others need of it:
  openssl genpkey -algorithm ed25519 -out lab.pem
  openssl pkey -in lab.pem -pubout -out lab.pub.pem`;

export const define = command({
  help: 'find out whether an evidence package was changed, and check it again from its messages alone',
  args: [['<package>', 'what cselab check --package wrote']],
  flags,
  examples,
  run(path, flags) {
    const { key, scenarios = [], rules = [] } = flags;
    const verification = verifyPackage(readPackage(path), {
      key: key === undefined ? undefined : verifyingKey(key),
      scenarios,
      ownRules: rulesCalled(rules),
    });
    const { findings } = verification;
    if (flags.json) printJson({ findings });
    else printContent(verificationBlocks(path, verification));
    if (findings.some(({ state }) => state === 'wrong')) return 1;
    return findings.some(({ state }) => state === 'unknown') ? 4 : 0;
  },
});

const marks: Readonly<Record<PackageFinding['state'], string>> = { right: '✓', wrong: '✗', unknown: '?' };

function verificationBlocks(path: string, { findings, result }: Verification): Content {
  const inState = (state: PackageFinding['state']) => findings.filter((one) => one.state === state).length;
  const [wrong, unknown] = [inState('wrong'), inState('unknown')];
  const sum = wrong > 0 ? `${counted(wrong, 'thing')} wrong` : 'Nothing is wrong';
  return [
    path,
    result && [`${targetText(result)}, ${timeText(result.startedAt)}, run ${result.run}`, verdictLine(result)],
    blank,
    findings.map(({ about, state, says, details = [] }) => [
      prose(`${about}: ${says}`, `  ${marks[state]} `),
      details.map((line) => muted(line, '      ')),
    ]),
    blank,
    unknown > 0 ? `${sum}; ${counted(unknown, 'thing')} not checked.` : `${sum}.`,
  ];
}
