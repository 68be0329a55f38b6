/** The configuration of a run, without its secrets. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { defined } from '../engine/basics/defined.ts';
import { type UrlChoice, withoutCredentials } from '../engine/targets/url-choice.ts';
import { Redactor } from '../secrets/redactor.ts';
import { withSecretsLearnt } from '../secrets/secrets-of.ts';
import type { CheckOptions } from './check.ts';
import type { TargetChoice } from './open-target.ts';

/** A JSON value, with names of headers and certificate files, and the SHA-256 of files. */
export interface Configuration {
  readonly target: object;
  readonly judged: ScopeChoice;
  readonly running: object;
}

/** Options that decide which cases are checked, and how. */
export type ScopeChoice = Pick<
  CheckOptions,
  'ids' | 'tags' | 'excludeTags' | 'dialect' | 'level' | 'rules' | 'failOn' | 'minEvidence' | 'again' | 'maxFail'
> & { readonly release?: string; readonly shard?: object; readonly ownRules?: object; readonly baseline?: object };

export function configurationOf(options: CheckOptions): Configuration {
  const { target, safety = {}, baseline, ownRules = [], shard, jobs, timeout } = options;
  const { ids, tags, excludeTags, dialect = 'documented', level, rules, failOn, minEvidence, again, maxFail } = options;
  const redactor = new Redactor(options.secrets);
  withSecretsLearnt(target, redactor);
  const release = target.kind === 'url' ? target.release : undefined;
  const chosen = { ids, tags, excludeTags, dialect, release, level, rules, failOn, minEvidence, again, maxFail, shard };
  const files = {
    ownRules: ownRules.length > 0 ? ownRules.map(fileFacts) : undefined,
    baseline: baseline && fileFacts(baseline.file),
  };
  return redactor.value({
    target: targetFacts(target),
    judged: { ...defined(chosen), ...defined(files) },
    running: defined({ jobs, timeout, readOnly: safety.readOnly, survey: safety.survey }),
  });
}

function fileFacts(path: string): object {
  return { file: basename(path), sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
}

function targetFacts(target: TargetChoice): object {
  if (target.kind === 'url') return { kind: target.kind, ...urlFacts(target) };
  if (target.kind === 'fetch') return { kind: target.kind, url: withoutCredentials(target.url) };
  const { kind, deviations } = target;
  return { kind, ...defined({ deviations }) };
}

/** Lists each option explicitly, so that new ones stay out until they are known not to be secret. */
function urlFacts({ headers = [], tls, backend, asBackend, ...choice }: Omit<UrlChoice, 'dialect'>): object {
  const { base, cseId, spId, product, version, release, admin, originator, accessControl, ics } = choice;
  const { lifetime, waitBudget, handsOff, bodyLimit, inboxHost, reachesHarness, rate, connections, risky } = choice;
  return {
    url: withoutCredentials(choice.url),
    ...defined({ serialization: choice.serialization }),
    ...defined({ base, cseId, spId, product, version, release, admin, originator, accessControl, ics }),
    ...defined({ lifetime, waitBudget, handsOff, bodyLimit, inboxHost, reachesHarness, rate, connections, risky }),
    ...(headers.length > 0 && { headers: headers.map(([name]) => name) }),
    ...(tls && { tls: tlsFacts(tls) }),
    ...(backend && { backend: { ...backend, url: withoutCredentials(backend.url) } }),
    ...(asBackend && { asBackend: { port: asBackend.port, ...defined({ label: asBackend.label }) } }),
  };
}

function tlsFacts({ own, cacert, insecure, requireCert }: NonNullable<UrlChoice['tls']>): object {
  const nameOf = (path: string | undefined) => (path === undefined ? undefined : basename(path));
  return defined({ cert: nameOf(own?.cert), cacert: nameOf(cacert), insecure, requireCert });
}
