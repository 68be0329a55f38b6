/** `GET /metrics` of the health port: counters and gauges of each CSE, in the text format of Prometheus, version 0.0.4. */

import type { HttpResponse } from '../dialects/http-message.ts';
import type { RunningNode } from './output/event.ts';

/** A CSE with its counts. */
export type CountedNode = Pick<RunningNode, 'node' | 'role' | 'activity'>;

type Labels = Readonly<Record<string, string>>;

interface Metric {
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  /** A value for each set of labels; the CSE-ID and the role of the CSE are added. */
  readonly read: (counted: CountedNode) => ReadonlyArray<readonly [Labels, number]>;
}

type Figures = ReturnType<typeof figuresOf>;

const figuresOf = ({ activity }: CountedNode) => ({ ...activity.counts, ...activity.census() });

const metric = (type: Metric['type'], figure: keyof Figures, help: string): Metric => ({
  ...{ type, help },
  read: (counted) => [[{}, figuresOf(counted)[figure]]],
});

const metrics: ReadonlyMap<string, Metric> = new Map([
  ['cselab_requests_total', metric('counter', 'requests', 'Requests received by the CSE.')],
  [
    'cselab_requests_refused_total',
    metric('counter', 'refused', 'Of these, those answered by a status of 400 to 499.'),
  ],
  ['cselab_requests_failed_total', metric('counter', 'failed', 'Of these, those answered by a status from 500 on.')],
  ['cselab_notifications_total', metric('counter', 'notifications', 'Notifications sent, each attempt.')],
  ['cselab_undelivered_total', metric('counter', 'undelivered', 'Requests to others without an answer.')],
  ['cselab_resources', metric('gauge', 'resources', 'Resources of the CSE, its base among them.')],
  ['cselab_applications', metric('gauge', 'applications', 'Registered application entities.')],
  ['cselab_subscriptions', metric('gauge', 'subscriptions', 'Subscriptions.')],
  [
    'cselab_registered',
    {
      type: 'gauge',
      help: 'Whether the CSE is registered at the registrar: 1 if it is.',
      read: ({ node }) =>
        node.registrations.map(({ remote, registered }) => [{ registrar: remote }, registered ? 1 : 0]),
    },
  ],
]);

/** Values of labels can be any text. */
const escaped = (text: string) => text.replace(/[\\"\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`));

const sample = (name: string, labels: Labels, value: number) => {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}{${pairs.join(',')}} ${value}`;
};

export function metricsAnswer(nodes: readonly CountedNode[]): HttpResponse {
  const lines = [...metrics].flatMap(([name, { type, help, read }]) => {
    const samples = nodes.flatMap((counted) => {
      const own = { cse: counted.node.cse.core.configuration.cseId, role: counted.role };
      return read(counted).map(([labels, value]) => sample(name, { ...own, ...labels }, value));
    });
    return samples.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples];
  });
  const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };
  return { status: 200, headers, body: lines.map((line) => `${line}\n`).join('') };
}
