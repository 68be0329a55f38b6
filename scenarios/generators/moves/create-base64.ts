import { attribute, type Expected, expected, succeeds } from '../model/expected.ts';
import { kindFacts } from '../model/resource.ts';
import { openBecause, type Plan } from './create-gaps.ts';
import { type Came, type Ground, type Part, textIn } from './move.ts';
import { limited } from './room.ts';
import { lose, take } from './take.ts';

/** A small JSON document. */
const body = 'eyJhIjoxfQ==';

/** How its bytes are counted is not shown, so that it is not sent where they are limited. */
export function takesBase64({ kind, parent, operation, form }: Plan): boolean {
  const { base64, by } = operation;
  const byPath = form === 'structured' || form === 'SP-relative';
  return base64 && kind === 'content instance' && by === 'nobody' && byPath && parent !== undefined && !limited(parent);
}

/** Base64 text of a whole JSON document as the body creates a content instance. Everything else about it is a gap. */
export function* createByBase64(plan: Plan, path: string, ground: Ground): Part<void> {
  const { kind, parent, form } = plan;
  const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
  const came = yield {
    step: { raw: { method: 'POST', path, headers, body } },
    by: 'nobody',
    expect: 'either',
    expectations: [...creates(plan, ground), ...gaps],
    about: { operation: 'create by base64 text', kind, form: form === 'SP-relative' ? form : 'structured' },
  };
  if (came.outcome === 'refused') return;
  if (!isShown(came)) return lose(parent, undefined, ground);
  // How the text becomes content and labels is left open, so that none of them is held.
  take({ ...plan, name: undefined, sent: {}, originator: 'nobody', spRelative: false }, came, ground);
}

function creates(plan: Plan, ground: Ground): Expected[] {
  const open = plan.form === 'SP-relative' ? 'content-instance.base64-body.sp-relative' : undefined;
  const nameless = { ...plan, name: undefined, sent: {} };
  const gap = open === undefined ? openBecause(nameless, ground) : expected(open, { status: 201 });
  return [gap ?? expected('content-instance.base64-body.creates', { status: succeeds })];
}

const gaps = [
  expected('content-instance.base64-body.status', { status: 201 }),
  expected('content-instance.base64-body.answer', { root: kindFacts['content instance'].root }),
  attribute('content-instance.base64-body.con', 'con', body),
  attribute('content-instance.base64-body.cnf', 'cnf', 'application/json:1'),
];

function isShown({ outcome, view }: Came): boolean {
  const { root } = kindFacts['content instance'];
  return outcome === 'success' && view.root === root && textIn(view, 'rn') !== undefined;
}
