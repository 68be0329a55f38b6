import { Document, isMap, type Scalar, visit } from 'yaml';
import type { Catalogue } from '../engine/files/catalogue.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { TargetDescription } from '../engine/result.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { Actors } from './actors.ts';
import { Listeners } from './adapted.ts';
import { Literals } from './literals.ts';
import { behindRequests } from './notifications.ts';
import type { Passed } from './passed.ts';
import { RecordedSteps } from './recorded-steps.ts';
import type { Notified } from './relay.ts';

export interface Recording {
  readonly passed: readonly Passed[];
  readonly notified: readonly Notified[];
  readonly description: Pick<TargetDescription, 'base' | 'cseId' | 'spId'>;
  readonly dialect: Dialect;
  /** Originator that may do everything, where it is known. */
  readonly admin?: string;
  readonly catalogue: Catalogue;
  /** Masks what is not to stand in the file. */
  readonly redactor: Redactor;
}

/** A scenario file that sends the same requests again: what differs from run to run is captured, not repeated. */
export function scenarioText(recording: Recording): string {
  const { passed, notified, description, dialect, admin, catalogue, redactor } = recording;
  const literals = new Literals();
  const actors = new Actors(passed, dialect, admin);
  const listeners = new Listeners();
  const steps = new RecordedSteps({ listeners, literals, actors, description, dialect, catalogue });
  const behind = behindRequests(notified, passed);
  for (const [at, one] of passed.entries()) {
    steps.add(one);
    steps.addNotified(behind.get(at) ?? []);
  }
  const file = {
    feature: 'Recorded traffic',
    ...(dialect === 'onem2m' && { dialects: [dialect] }),
    ...(behind.size > 0 && { needs: ['notifications'] }),
    ...(Object.keys(listeners.inboxes).length > 0 && { inboxes: listeners.inboxes }),
    ...(actors.any && { actors: actors.described(literals) }),
    scenarios: { recorded: { title: `What ${passed.length} recorded requests did`, steps: steps.finished() } },
  };
  // Values first, so that what stands for a secret is quoted where YAML needs it, and a long one is not broken over lines.
  return redactor.text(commented(redactor.value(file), steps.comments));
}

/** A comment of a step stands before it. */
function commented(file: object, comments: ReadonlyMap<number, string>): string {
  const document = new Document(file);
  document.commentBefore =
    ' yaml-language-server: $schema=../scenario.schema.json\n Recorded by cselab record: give it a title, and add the checks that it is about.';
  let number = 0;
  visit(document.getIn(['scenarios', 'recorded', 'steps'], true) as Scalar, {
    Map(_, node, path) {
      if (path.length !== 1) return undefined;
      const comment = comments.get(number);
      if (comment !== undefined && isMap(node)) node.commentBefore = ` ${comment}`;
      number += 1;
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 120, flowCollectionPadding: true });
}
