/** Actions on a resource: create below it, update, delete, notify; and the answer. */

import { redraw } from '../../web/page/frames.ts';
import { Badge, Verbatim } from '../../web/parts.tsx';
import { bodyText } from './content.ts';
import { counted } from './labels.ts';
import { Field, Labelled } from './parts.tsx';
import { act, type ConsoleAnswer } from './requests.ts';
import { attempt, type Form, readDetails, state } from './state.ts';

type Details = NonNullable<typeof state.details>;

/** Usual children of a type, the most usual first. */
const usualTypes = new Map([
  ['cb', ['application', 'container', 'subscription']],
  ['ae', ['container', 'subscription']],
  ['cnt', ['instance', 'container', 'subscription']],
]);

/** Suggested contents of new resources. */
const templates = new Map<string, (dialect: string | undefined) => object>([
  ['instance', () => ({ 'm2m:cin': { con: '21.5', cnf: 'text/plain:0' } })],
  ['container', () => ({ 'm2m:cnt': { rn: 'measured', mni: 100 } })],
  [
    'application',
    (dialect) => {
      const how = dialect === 'onem2m' ? { rr: true, srv: ['3'] } : { rr: 'TRUE' };
      return { 'm2m:ae': { rn: 'myapp', api: 'N.example', ...how } };
    },
  ],
  ['subscription', () => ({ 'm2m:sub': { rn: 'watch', nu: ['http://127.0.0.1:9000/inbox'], enc: { net: [3] } } })],
]);

const overviewOf = (cse: string) => state.cses.find(({ cseId }) => cseId === cse);

const written = (content: object | undefined): string =>
  content === undefined ? '' : JSON.stringify(content, null, 2);

const suggested = (type: string, cse: string): string => written(templates.get(type)?.(overviewOf(cse)?.dialect));

/** Disabled while another resource has been chosen and is still being read. */
export function ActionButtons({ of }: { of: Details }) {
  const { type, id } = of.item;
  const { selected } = state;
  const button = (name: Form['name']) => (
    <button type="button" aria-expanded={state.form?.name === name} onClick={() => begin(name, of)}>
      {name}
    </button>
  );
  return (
    <fieldset disabled={selected?.id !== id || selected.cse !== of.cse}>
      <legend class="visually-hidden">Actions</legend>
      {type !== 'cin' && button('Create')}
      {type !== 'cin' && type !== 'cb' && button('Update')}
      {type !== 'cb' && button('Delete')}
      {type === 'ae' && button('Notify')}
    </fieldset>
  );
}

function begin(name: Form['name'], { item, path, cse, attributes }: Details): void {
  const types = usualTypes.get(item.type) ?? ['subscription'];
  const [type = 'container'] = types;
  const contents = {
    Create: () => suggested(type, cse),
    Update: () => written({ [`m2m:${item.type}`]: { lbl: attributes.lbl ?? ['changed'] } }),
    Notify: () =>
      written({ 'm2m:sgn': { nev: { rep: { 'm2m:cin': { con: '21.5' } }, net: 3 }, sur: `${path}/watch` } }),
    Delete: () => '',
  };
  const originator = overviewOf(cse)?.originator ?? '';
  const form = { name, cse, target: `/${path}`, types, type, originator, text: contents[name](), below: item.children };
  state.form = state.form?.name === name ? undefined : form;
  redraw();
}

/** Empty until an action is chosen. */
export function ActionForm() {
  const { form } = state;
  if (form === undefined) return null;
  const { name, answer, problem, target, originator, below } = form;
  const more = below === 0 ? '' : ` with ${counted(below, 'child', 'children')} and what is below`;
  return (
    <form
      class="form"
      aria-label={`${name} ${target}`}
      onSubmit={send}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      {name === 'Create' && <Types form={form} />}
      {name === 'Delete' ? <p>{`This deletes ${target}${more}.`}</p> : <ContentField text={form.text} />}
      <Field name="Originator" value={originator} placeholder="none" onText={(text) => change({ originator: text })} />
      <div class="buttons">
        <button type="submit" class="main" disabled={form.busy === true}>
          {name === 'Delete' ? 'Delete it' : name}
        </button>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      {problem && (
        <p class="note bad" role="alert">
          {problem}
        </p>
      )}
      {answer && <AnswerView answer={answer} />}
    </form>
  );
}

function change(changed: Partial<Form>): void {
  if (state.form !== undefined) state.form = { ...state.form, ...changed };
  redraw();
}

/** The focus returns to the button that opened it. */
function close(): void {
  document.querySelector<HTMLButtonElement>('button[aria-expanded="true"]')?.focus();
  state.form = undefined;
  redraw();
}

function Types({ form: { types, type, cse } }: { form: Form }) {
  const choose = (one: string) => change({ type: one, text: suggested(one, cse) });
  return (
    <fieldset>
      <legend>Type</legend>
      {types.map((one) => (
        <button key={one} type="button" aria-pressed={one === type} onClick={() => choose(one)}>
          {one}
        </button>
      ))}
    </fieldset>
  );
}

function ContentField({ text }: { text: string }) {
  const typed = (changed: string) => change({ text: changed });
  return (
    <Labelled name="JSON">
      <textarea rows={7} spellcheck={false} value={text} onInput={({ currentTarget }) => typed(currentTarget.value)} />
    </Labelled>
  );
}

function AnswerView({ answer: { status, headers, body } }: { answer: ConsoleAnswer }) {
  const rsc = headers['X-M2M-RSC'] ?? headers['x-m2m-rsc'];
  return (
    <div role="status">
      <p>
        <Badge tone={status < 400 ? 'good' : 'bad'}>
          {status}
          {rsc !== undefined && ` (${rsc})`}
        </Badge>
      </p>
      {body !== '' && (
        <Verbatim name="Body" tabIndex={0}>
          {bodyText(body)}
        </Verbatim>
      )}
    </div>
  );
}

async function send(event: Event): Promise<void> {
  event.preventDefault();
  if (state.form === undefined) return;
  const { answer: _answer, problem: _problem, ...rest } = state.form;
  const sent: Form = { ...rest, busy: true };
  state.form = sent;
  redraw();
  const done = await answerTo(sent);
  if (state.form === sent) state.form = { ...sent, busy: false, ...done };
  await attempt(readDetails);
}

const methods = { Create: 'POST', Update: 'PUT', Delete: 'DELETE', Notify: 'POST' };

async function answerTo({ name, text, cse, target, originator }: Form): Promise<Pick<Form, 'answer' | 'problem'>> {
  try {
    const content = text === '' ? {} : { content: JSON.parse(text) };
    return { answer: await act('request', { cse, method: methods[name], target, originator, ...content }) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: error instanceof SyntaxError ? `This is not JSON: ${message}` : message };
  }
}
