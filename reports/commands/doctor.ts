/** `cselab doctor`: finds what is wrong with a set-up before a run, and the line that fixes it. */

import { diagnose } from '../../scenarios/checking/doctor.ts';
import type { Diagnosis, SetupRemark } from '../../scenarios/doctor/remark.ts';
import { changeText } from '../../scenarios/doctor/remark.ts';
import { withSecretsLearnt } from '../../scenarios/results.ts';
import { defined, UsageError } from '../../scenarios/words.ts';
import { command, toggle } from '../../sim/command-line/flag.ts';
import { blank, type Content, muted, prose } from '../document/model.ts';
import { counted, durationText } from '../facts/wording.ts';
import { json, timeout } from '../flags/common-flags.ts';
import { maskedTarget, maskOutput } from '../flags/masked-streams.ts';
import { ledger, ledgersOf, politenessFlags } from '../flags/safety-flags.ts';
import { targetFlags } from '../flags/target-flags.ts';
import { printContent } from '../formats/reporting.ts';
import { printJson } from '../writing/output-file.ts';
import { interruptible } from '../writing/progress.ts';

const { 'The target:': ofTarget, 'Certificates and headers, named as by curl:': certificates } = targetFlags;
const { url: _url, inProcess: _inProcess, waitForTarget: _wait, waitBudget: _budget, ...names } = ofTarget;

const flags = {
  '': {
    write: toggle('also subscribe to something of its own, to see whether notifications come; it is removed again'),
    json,
    ledger: ledger('where runs wrote down what they created'),
  },
  ...politenessFlags({ timeout: timeout.withHelp('for one request, and for each step on the way (default: 5s)') }),
  'The target:': names,
  'Certificates and headers, named as by curl:': certificates,
};

const examples = `
It looks at host name, port, TLS and certificates, then asks about 20 times at most, by reads: for CSE base, dialect, names,
release, originators, clock, limits and leftovers. It says nothing about conformance. Give it what you give to cselab check.
Exit codes: 0 nothing is wrong, 2 usage, 5 something is to be changed, 130 interrupted.

Examples:
  cselab doctor http://127.0.0.1:8000
  cselab doctor --target gw.yaml            each finding with the line of gw.yaml that it is about
  cselab doctor --target gw.yaml --write    and whether notifications come`;

export const define = command({
  help: 'find out what is wrong with a set-up before a run',
  args: [['[url]', 'the CSE, such as http://127.0.0.1:8000; that of --target when absent']],
  flags,
  examples,
  async run(url, flags) {
    const redactor = maskOutput([]);
    const { target, dialect, timeout } = maskedTarget({ ...flags, ...defined({ url }) }, redactor);
    if (target.kind !== 'url') throw new UsageError('a URL is needed, such as http://127.0.0.1:8000, or --target');
    const options = { ledger: ledgersOf(flags.ledger), ...defined({ timeout, write: flags.write }) };
    const choice = { ...withSecretsLearnt(target, redactor), dialect };
    const diagnosis = await interruptible(
      (signal) => diagnose(choice, { ...options, signal }),
      () => {},
    );
    if (flags.json) printJson(diagnosis);
    else printContent(diagnosisBlocks(diagnosis, choice.file), { color: false }, 120);
    return exitCodes[diagnosis.outcome];
  },
});

const exitCodes: Readonly<Record<Diagnosis['outcome'], number>> = { right: 0, wrong: 5, interrupted: 130 };

/** `?` marks what is unknown. */
const marks: Readonly<Record<SetupRemark['state'], string>> = { right: '✓', wrong: '✗', unknown: '?' };

function diagnosisBlocks({ url, remarks, requests, took }: Diagnosis, file: string | undefined): Content {
  const wrong = remarks.filter(({ state }) => state === 'wrong').length;
  return [
    url,
    remarks.map(({ about, state, says, change }) => [
      prose(`${about}: ${says}`, `  ${marks[state]} `),
      change && muted(changeText(change, file), '      → '),
    ]),
    blank,
    `${wrong === 0 ? 'Nothing is wrong' : `${counted(wrong, 'thing')} to change`}: ${counted(requests, 'request')} in ${durationText(took)}.`,
  ];
}
