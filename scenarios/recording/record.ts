import { renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Document, type YAMLMap, type YAMLSeq } from 'yaml';
import { defined } from '../engine/basics/defined.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { pathFrom } from '../engine/basics/path-from.ts';
import { type Catalogue, loadRequirements } from '../engine/files/catalogue.ts';
import { levelsOf } from '../engine/files/levels.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { WireName } from '../engine/results/exchange.ts';
import type { CheckResult, TargetDescription } from '../engine/results/result.ts';
import { inboxHostOf } from '../engine/targets/live-needs.ts';
import { prepareUrl, type UrlChoice } from '../engine/targets/url-choice.ts';
import { bindingOf, orPackage } from '../engine/targets/wires/route.ts';
import { rulesOf } from '../oracle/rules.ts';
import { Redactor } from '../secrets/redactor.ts';
import { learnSecretsOf, withSecretsLearnt } from '../secrets/secrets-of.ts';
import { isForeign } from '../traffic/recorded.ts';
import { TrafficJudge } from '../traffic/traffic-judge.ts';
import { Actors, Listeners } from './adapt-requests.ts';
import { behindRequests } from './notifications.ts';
import { Literals } from './placeholders.ts';
import { type ProxyEntry, type ProxyOptions, startProxy } from './proxy.ts';
import { RecordedSteps } from './recorded-steps.ts';
import { openRelay, type ProxiedNotification } from './relay.ts';

export interface RecordOptions extends Pick<ProxyOptions, 'port' | 'address' | 'tls' | 'timeout' | 'onLost'> {
  readonly target: UrlChoice;
  /** The scenario file, rewritten with each request so that nothing is lost. */
  readonly out: string;
  /** Masks secrets in the file, and learns those in headers and parameters. */
  readonly redactor?: Redactor;
  /** Checks exchanges against every applicable rule. */
  readonly judge?: Pick<LiveJudgeOptions, 'isAlone' | 'onFound'>;
  /** Called after each request, with their number. */
  readonly onRecorded?: (count: number, passed: ProxyEntry) => void;
}

export interface Recorder {
  /** The URL for clients, instead of the target's. */
  readonly url: string;
  /** Whether notifications are recorded; not if the target probably cannot reach this machine, nor over CoAP. */
  readonly notifies: boolean;
  close(): Promise<void>;
}

/** Starts a proxy that records exchanges as a scenario file. Rejects with a UsageError for invalid options. */
export async function record(options: RecordOptions): Promise<Recorder> {
  const { redactor = new Redactor() } = options;
  const target = await prepareUrl(withSecretsLearnt(options.target, redactor));
  const { dialect = 'documented', admin } = options.target;
  const catalogue = loadRequirements();
  const { description } = target;
  const passed: ProxyEntry[] = [];
  const notified: ProxiedNotification[] = [];
  const schema = pathFrom(dirname(options.out), schemaPath);
  const recording = { schema, passed, notified, description, dialect, catalogue, redactor, ...defined({ admin }) };
  const write = () => writeWholeFile(options.out, scenarioText(recording));
  write();
  const writeOrSay = () => {
    try {
      write();
    } catch (error) {
      options.onLost(error instanceof Error ? error.message : String(error));
    }
  };
  const { onLost, timeout } = options;
  const wire = bindingOf(description.url)?.wire;
  const reachable = wire === undefined ? inboxHostOf(target.choice, description) : undefined;
  const onNotified = (one: ProxiedNotification) => {
    notified.push(one);
    writeOrSay();
  };
  const relay = reachable && (await openRelay({ ...reachable, timeout, onLost, onNotified }));
  const onBegun = options.judge && liveJudge({ ...options.judge, dialect, catalogue, names: description });
  const proxy = await (await starting(wire))({
    ...options,
    ...{ target, relay, onBegun, onNotified },
    onPassed(one) {
      learnSecretsOf(one, redactor);
      passed.push(one);
      writeOrSay();
      options.onRecorded?.(passed.length, one);
    },
  }).catch(async (error: unknown) => {
    await relay?.close();
    throw error;
  });
  const close = async () => {
    await proxy.close();
    await relay?.close();
  };
  return { url: proxy.url, notifies: relay !== undefined || wire === 'MQTT' || wire === 'WebSocket', close };
}

/** Over MQTT it listens instead of forwarding. */
async function starting(wire: WireName | undefined): Promise<typeof startProxy> {
  if (wire === undefined) return startProxy;
  if (wire === 'CoAP') return (await import('./coap-proxy.ts').catch(orPackage('CoAP', 'coap-packet'))).startCoapProxy;
  if (wire === 'MQTT') return (await import('./hear-mqtt.ts').catch(orPackage('MQTT', 'mqtt'))).hearMqtt;
  return (await import('./ws-proxy.ts').catch(orPackage('WebSocket', 'ws'))).startWsProxy;
}

/** Readers never see half a file. */
function writeWholeFile(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const schemaPath = fileURLToPath(new URL('../scenario.schema.json', import.meta.url));

interface Recording {
  /** Path from the scenario file, for editors. */
  readonly schema: string;
  readonly passed: readonly ProxyEntry[];
  readonly notified: readonly ProxiedNotification[];
  readonly description: Pick<TargetDescription, 'base' | 'cseId' | 'spId' | 'url'>;
  readonly dialect: Dialect;
  readonly admin?: string;
  readonly catalogue: Catalogue;
  /** Masks secrets in the file. */
  readonly redactor: Redactor;
}

/** A scenario file that replays the requests: values that differ in each run are captured. */
function scenarioText(recording: Recording): string {
  const { schema, passed, notified, description, dialect, admin, catalogue, redactor } = recording;
  const literals = new Literals();
  const actors = new Actors(passed, dialect, admin);
  const listeners = new Listeners(passed, notified);
  const isOverHttp = bindingOf(description.url) === undefined;
  const steps = new RecordedSteps({ listeners, literals, actors, description, dialect, catalogue, isOverHttp });
  const behind = behindRequests(notified, passed);
  for (const [at, one] of passed.entries()) {
    steps.add(one);
    steps.addNotified(behind.get(at) ?? []);
  }
  const file = {
    feature: 'Recorded traffic',
    ...(dialect === 'onem2m' && { dialects: [dialect] }),
    ...(steps.areNotified && { needs: ['notifications'] }),
    ...(Object.keys(listeners.inboxes).length > 0 && { inboxes: listeners.inboxes }),
    ...(actors.any && { actors: actors.definitions() }),
    scenarios: { recorded: { title: `What ${passed.length} recorded requests did`, steps: steps.finished() } },
  };
  // Values first, so that masks are quoted where YAML needs it, and long secrets are not broken over lines.
  return redactor.text(commented(redactor.value(file), schema, steps.comments));
}

/** With comments before their steps. */
function commented(file: object, schema: string, comments: ReadonlyMap<number, string>): string {
  const document = new Document(file);
  document.commentBefore = ` yaml-language-server: $schema=${schema}\n Recorded by cselab record: give it a title, and add the checks that it is about.`;
  const { items } = document.getIn(['scenarios', 'recorded', 'steps'], true) as YAMLSeq<YAMLMap>;
  for (const [at, step] of items.entries()) {
    const comment = comments.get(at);
    if (comment !== undefined) step.commentBefore = ` ${comment}`;
  }
  return document.toString({ lineWidth: 120, flowCollectionPadding: true });
}

interface LiveJudgeOptions {
  readonly dialect: Dialect;
  readonly names: TargetDescription;
  readonly catalogue: Catalogue;
  /** Whether nobody else changes anything at the target, so that earlier exchanges count. */
  readonly isAlone: boolean;
  /** Called with each violation, once all concurrent requests are answered. */
  readonly onFound: (found: CheckResult, request: { readonly method: string; readonly path: string }) => void;
}

/** Checks exchanges while they pass a proxy. */
function liveJudge({ catalogue, onFound, ...options }: LiveJudgeOptions): NonNullable<ProxyOptions['onBegun']> {
  const { dialect } = options;
  const levelOf = levelsOf(catalogue, { dialect, level: 'documented' });
  const judge = new TrafficJudge({
    ...{ ...options, rules: rulesOf(dialect), levelOf },
    onChecked({ exchange }, checks) {
      for (const one of checks) if (one.state === 'failed') onFound(one, exchange.request);
    },
  });
  const underWay = new Set<number>();
  return () => {
    const from = performance.now();
    underWay.add(from);
    return (passed) => {
      underWay.delete(from);
      if (passed === undefined) judge.loseTrack();
      else judge.take({ exchange: passed, place, from, to: performance.now(), isWhole: !isForeign(passed) });
      judge.settle(Math.min(performance.now(), ...underWay));
    };
  };
}

const place = { file: 'recorded', line: 1, column: 1 };
