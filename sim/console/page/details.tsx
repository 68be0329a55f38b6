/** One resource, with its content as people read it, or one message. */
import { Badge, Verbatim } from '../../web/parts.tsx';
import type { Message, MessageSummary } from '../traffic.ts';
import { ActionButtons, ActionForm } from './action-form.tsx';
import { bodyText, decoded, numberIn } from './content.ts';
import { dateAndTime, routeText, timeOfDay, toneOf, tookText, typeName } from './labels.ts';
import { Attributes } from './parts.tsx';
import { attempt, select, state } from './state.ts';

/** Instances that are listed. */
const listed = 20;

export function ResourcePanel() {
  const { details } = state;
  if (details === undefined) return <p class="empty">Choose a resource to see what it holds and to change it.</p>;
  const { item, path, cse, attributes, instances, gone, parent } = details;
  return (
    <>
      <p>
        <span class={`kind kind-${item.type}`}>{item.type}</span> {typeName(item.type)} of {cse}
      </p>
      <h3 class="path">/{path}</h3>
      {gone ? <p class="note open">It is gone. These are its last values.</p> : <ActionButtons of={details} />}
      <ActionForm />
      {item.type === 'cin' && <ContentView con={attributes.con} cnf={attributes.cnf} />}
      <Plot instances={instances} />
      <Latest instances={instances} />
      <h4>Attributes</h4>
      <Attributes of={Object.entries(attributes).map(([name, value]) => [name, attributeText(value)])} />
      {parent !== undefined && <ToParent cse={cse} id={parent} />}
    </>
  );
}

function ToParent({ cse, id }: { cse: string; id: string }) {
  return (
    <button type="button" class="plain" onClick={() => attempt(() => select(cse, id))}>
      Go to its parent
    </button>
  );
}

interface Content {
  readonly con: unknown;
  readonly cnf: unknown;
}

type Instances = ReadonlyArray<Content & { readonly at: number }>;

function ContentView({ con, cnf }: Content) {
  const { how, text } = decoded(con, cnf);
  return (
    <Verbatim name="Content" aside={<Badge tone="seen">{how}</Badge>} tabIndex={0}>
      {text}
    </Verbatim>
  );
}

function Latest({ instances }: { instances: Instances }) {
  if (instances.length === 0) return null;
  return (
    <>
      <h4>Latest instances</h4>
      <ol class="instances">
        {instances
          .slice(-listed)
          .reverse()
          .map(({ at, con, cnf }) => (
            <li key={at}>
              <time>{timeOfDay(at)}</time>
              <code>{cut(decoded(con, cnf).text.replace(/\s+/g, ' '), 120)}</code>
            </li>
          ))}
      </ol>
    </>
  );
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)} …` : text);

const attributeText = (value: unknown): string =>
  cut(typeof value === 'string' ? value : JSON.stringify(value, null, 1).replace(/\n\s*/g, ' '), 2_000);

const [width, height, edge] = [320, 96, 6];

/** A small picture of the latest numbers in a container; nothing where there are fewer than two. */
function Plot({ instances }: { instances: Instances }) {
  const numbers = instances.flatMap(({ at, con, cnf }) => {
    const found = numberIn(con, cnf);
    return found === undefined ? [] : [{ at, ...found }];
  });
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined || numbers.length < 2) return null;
  const [low, high] = [Math.min, Math.max].map((of) => of(...numbers.map(({ value }) => value))) as [number, number];
  const x = (at: number) => edge + ((at - first.at) / (last.at - first.at || 1)) * (width - 2 * edge);
  const y = (value: number) => height - edge - ((value - low) / (high - low || 1)) * (height - 2 * edge);
  const points = numbers.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  const label = `${numbers.length} numbers from ${low} to ${high}, the latest ${last.value}`;
  const time = (at: number) => timeOfDay(at).slice(0, 8);
  return (
    <figure class="plot">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} preserveAspectRatio="none">
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption>
        <strong>
          {last.value} {last.name}
        </strong>{' '}
        latest of {numbers.length}, {low} to {high}, {time(first.at)} to {time(last.at)}
      </figcaption>
    </figure>
  );
}

export function MessagePanel() {
  const { message } = state;
  if (message === undefined) return <p class="empty">Choose a message in the traffic to see all of it.</p>;
  const { summary, request, answer } = message;
  return (
    <>
      <p>
        {dateAndTime(summary.at)} UTC, <span class="whole">{routeText(summary)}</span>
      </p>
      <h3 class="path">
        {summary.method} {summary.target}
      </h3>
      <p>
        <Badge tone={toneOf(summary)}>{outcome(summary)}</Badge> {summary.trace && <code>trace {summary.trace}</code>}
      </p>
      <MessageText name="Request" of={request} />
      {answer === undefined ? (
        <p class="muted">{summary.problem ?? 'Waiting for the answer.'}</p>
      ) : (
        <MessageText name="Answer" of={answer} />
      )}
    </>
  );
}

function outcome({ status, rsc, took, problem }: MessageSummary): string {
  if (problem !== undefined) return 'no answer';
  if (status === undefined) return 'waiting';
  return `${status}${rsc === undefined ? '' : `, response status code ${rsc}`}, ${tookText(took ?? 0)}`;
}

/** As sent, but for the JSON, which has indents here. */
function MessageText({ name, of: { headers, body } }: { name: string; of: Message['request'] }) {
  const lines = Object.entries(headers).map((header) => header.join(': '));
  return (
    <Verbatim name={name} tabIndex={0}>
      {[...lines, '', bodyText(body)].join('\n').trim()}
    </Verbatim>
  );
}
