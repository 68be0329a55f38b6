/** Entry point for work without a run: rules and causes, reports, target files and baselines. */

export { answerIn, answersText, keptName, type Upload, uploaded, uploadOf } from './answers/answers-file.ts';
export { readBaseline } from './baseline/read.ts';
export { renderHar } from './captures/har.ts';
export { renderPcapng } from './captures/pcapng.ts';
export { ownRuleFiles, rulesCalled } from './engine/files/extends.ts';
export { cannotTell, largestUpload } from './engine/grammar/vocabulary.ts';
export { rejudge } from './engine/judging/rejudge.ts';
export {
  type AnswerOfPerson,
  type Ask,
  objectionTo,
  type QuestionToPerson,
} from './engine/running/scenario/scenario-context.ts';
export {
  outcomesText,
  type RobustnessCase,
  type RobustnessSection,
  riskOf,
} from './generators/wire/listed/robustness-case.ts';
export { casesOf, robustnessSections } from './generators/wire/listed/robustness-cases.ts';
export { Cause, causesOf } from './oracle/causes/causes.ts';
export { Evidence } from './oracle/evidence.ts';
export { knownRisks } from './safety/known-risks.ts';
export { secretsNamed, withSecretsLearnt } from './secrets/secrets-of.ts';
export { type ReadTarget, readTargetFile, shippedFor, targetFilePath } from './target-files/read-target-file.ts';
