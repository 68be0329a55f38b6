import { attribute, expected, succeeds } from '../model/expected.ts';
import { kindFacts } from '../model/resource.ts';
import { openBecause, type Plan } from './create-gaps.ts';
import { ask, type Ground, type Part, textIn } from './move.ts';
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
  const raw = { method: 'POST', path, headers, body };
  const came = yield ask({ raw }, 'create by base64 text', [creates(plan, ground), ...gaps], { kind, form });
  const { outcome, view } = came;
  if (outcome === 'refused') return;
  if (outcome !== 'success' || view.root !== root || textIn(view, 'rn') === undefined)
    return lose(parent, undefined, ground);
  // How the text becomes content and labels is left open, so that none of them is held.
  take({ ...plan, name: undefined, held: {}, owner: 'nobody', spRelative: false }, came, ground);
}

function creates(plan: Plan, ground: Ground) {
  if (plan.form === 'SP-relative') return expected('content-instance.base64-body.sp-relative', { status: 201 });
  const gap = openBecause({ ...plan, name: undefined, held: {} }, ground);
  return gap ?? expected('content-instance.base64-body.creates', { status: succeeds });
}

const { root } = kindFacts['content instance'];
const gaps = [
  expected('content-instance.base64-body.status', { status: 201 }),
  expected('content-instance.base64-body.answer', { root }),
  attribute('content-instance.base64-body.con', 'con', body),
  attribute('content-instance.base64-body.cnf', 'cnf', 'application/json:1'),
];
