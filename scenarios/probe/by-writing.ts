/** Tests that create resources, in a subtree that is deleted again. */

import type { FeatureId } from '../ics/features.ts';
import type { Asker, ProbeAnswer } from './asker.ts';
import {
  type FeatureFinding,
  type Finding,
  featureFinding,
  mayFinding,
  type ProbeFindings,
  shownOriginator,
} from './finding.ts';
import {
  containerName,
  contentOf,
  inSubtree,
  labelOf,
  ownName,
  type ProbeContext,
  type Subtree,
  type TrialContext,
  trials,
  type WritingTrial,
} from './subtree.ts';

export interface WriteFindings extends ProbeFindings<'mayRegister' | 'accessControl' | 'lifetime'> {
  readonly leftBehind: readonly string[];
}

/** Creates, tests and deletes, even after an interruption; reports what could not be deleted. */
export async function findByWriting(probeContext: ProbeContext): Promise<WriteFindings> {
  const { result, left } = await inSubtree(probeContext, (subtree) => look(subtree, probeContext));
  return { ...result, leftBehind: left };
}

async function look(subtree: Subtree, probeContext: ProbeContext): Promise<Omit<WriteFindings, 'leftBehind'>> {
  const { asker, dialect, originators, free } = probeContext;
  const context = await subtree.open();
  const registered = registrationFindings(subtree, context);
  if (context === undefined) return { findings: registered };
  const types = await tryTypes(subtree, context, trials);
  const container = `${context.app}/${containerName}`;
  const hasContainer = types.some(({ id, found }) => id === 'PICS_CNT' && found === 'yes');
  const inside = hasContainer ? await lookInside(asker, context, container) : [];
  const encoded =
    hasContainer && dialect === 'documented' ? [await tryEncoded(subtree, container, context.originator)] : [];
  const stranger = free && hasContainer ? await readAsStranger(asker, container) : undefined;
  const by = subtree.registrations.at(-1)?.originator;
  const restricted = by !== undefined && by === probeContext.admin && originators.includes(ownName);
  return {
    findings: [...registered, ...types, ...inside, ...encoded, ...(stranger?.findings ?? [])],
    ...(subtree.refusesExpiration && { lifetime: 'none' as const }),
    ...(restricted && { mayRegister: [shownOriginator(by)] }),
    ...(stranger?.accessControl !== undefined && { accessControl: stranger.accessControl }),
  };
}

function registrationFindings(
  { registrations, refusesExpiration }: Subtree,
  context: TrialContext | undefined,
): Finding[] {
  const findings = registrations.map(({ originator = 'nobody', answer }) =>
    mayFinding(originator, 'registers', 'register', answer),
  );
  const last = registrations.at(-1)?.answer;
  if (last === undefined) return findings;
  if (refusesExpiration) findings.push(refusalOf(last));
  return [...findings, featureFinding('PICS_AE', context === undefined ? 'unknown' : 'yes', last.evidence)];
}

function refusalOf({ evidence: without }: ProbeAnswer): Finding {
  const name = 'accepts an expiration time (et) in a creation';
  const evidence = `the same registration was refused with one, by 400; without: ${without}`;
  return { topic: 'speech', id: 'expiration times', name, found: 'no', evidence };
}

/** One at a time; stops if the target stops answering. */
export async function tryTypes(
  subtree: Subtree,
  context: TrialContext,
  chosen: readonly WritingTrial[],
): Promise<FeatureFinding[]> {
  const findings = new Map<FeatureId, FeatureFinding>();
  let container = true;
  for (const trial of chosen) {
    if (!container && trial.needs !== undefined) {
      findings.set(trial.feature, featureFinding(trial.feature, 'unknown', 'not tested, since it needs a container'));
      continue;
    }
    const path = trial.in === undefined ? context.app : `${context.app}/${trial.in}`;
    const { rn } = trial.attributes;
    const answer = await subtree.create(path, { content: contentOf(trial, context) }, context.originator);
    const before = findings.get(trial.feature);
    if (before === undefined || before.found === 'yes') {
      const evidence = `${trial.create}, ${answer.evidence}`;
      findings.set(trial.feature, featureFinding(trial.feature, accepted(answer), evidence));
    }
    if (!answer.answered) break;
    if (rn === containerName) container = answer.success;
  }
  return [...findings.values()];
}

/** A resource type is missing if it is refused as such; other refusals show nothing of it. */
function accepted({ success, answered, view }: ProbeAnswer): 'yes' | 'no' | 'unknown' {
  if (success) return 'yes';
  const { rsc, status = 0 } = view;
  const asSuch = rsc === 5001 || rsc === 4108 || rsc === 4125 || rsc === 5203 || status === 405 || status === 501;
  return answered && asSuch ? 'no' : 'unknown';
}

/** Reads a container with `mni` 1 after two creations of instances. */
async function lookInside(asker: Asker, { app, originator }: TrialContext, container: string) {
  const by = { originator: originator ?? null };
  const kept = await asker.ask({ path: container, ...by });
  const count = Number(kept.view.attributes?.cni ?? Number.NaN);
  const isCounted = kept.success && !Number.isNaN(count);
  const found = await asker.ask({ path: app, query: { fu: 1, lbl: labelOf(app) }, ...by });
  const finds = found.view.found?.some((one) => String(one).endsWith(`/${containerName}`)) === true;
  const keeps = `${kept.evidence}; cni is ${isCounted ? count : 'absent'} after two instances, with mni 1`;
  const discovers = `${found.evidence}; the container with that label is ${finds ? '' : 'not '}found`;
  return [
    featureFinding('PICS_CNT_RETENTION', isCounted && count === 1 ? 'yes' : 'unknown', keeps),
    featureFinding('PICS_DISCOVERY', finds ? 'yes' : 'unknown', discovers),
  ];
}

/** Sends a body with the Base64 text of a JSON document. */
async function tryEncoded(subtree: Subtree, container: string, by: string | undefined): Promise<FeatureFinding> {
  const text = Buffer.from('{"temperature":21.5}').toString('base64');
  const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
  const answer = await subtree.create(container, { text, headers }, by);
  return featureFinding('PICS_BASE64_BODY', answer.success ? 'yes' : 'unknown', `base64 text, ${answer.evidence}`);
}

async function readAsStranger(asker: Asker, container: string): Promise<ProbeFindings<'accessControl'>> {
  const answer = await asker.ask({ path: container, originator: 'Ccselab-stranger' });
  const refused = answer.view.status === 403;
  const found = answer.success ? 'no' : refused ? 'yes' : 'unknown';
  const name = 'keeps strangers away from what others created';
  const finding: Finding = { topic: 'originators', id: 'access control', name, found, evidence: answer.evidence };
  return { findings: [finding], ...((answer.success || refused) && { accessControl: refused }) };
}
