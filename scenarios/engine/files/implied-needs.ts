import type { Actor, Inbox, Need } from '../grammar/grammar.ts';
import type { Step } from '../grammar/grammar-step.ts';
import { checkTexts, inboxNames, namesIn, originatorName, requestTexts, texts } from '../grammar/names.ts';

interface Cast {
  readonly actors: Readonly<Record<string, Actor>>;
  readonly inboxes: Readonly<Record<string, Inbox>>;
}

/** The actor that every file has without saying so. */
export const administrator = 'admin';

/** What steps take for granted without its being written among the needs. */
export function impliedNeeds(steps: readonly Step[], { actors, inboxes }: Cast): Need[] {
  const names = namesOf(steps, actors);
  const written = Object.keys(inboxes).flatMap(inboxNames);
  const notified = steps.some((step) => 'notified' in step) || written.some((one) => names.has(one));
  const administered = names.has(administrator) || steps.some((step) => 'as' in step && step.as === administrator);
  const waits = steps.some((step) => 'advance' in step);
  return [
    ...(notified ? (['notifications'] as const) : []),
    ...(waits ? (['clock'] as const) : []),
    ...(administered ? (['admin'] as const) : []),
  ];
}

/** The names in the steps, and in what is said of the actors that they speak of. */
function namesOf(steps: readonly Step[], actors: Cast['actors']): Set<string> {
  const names = new Set(
    steps.flatMap((step) => {
      const judged = [('check' in step && step.check) || {}, ('control' in step && step.control) || {}];
      const ofChecks = judged.flatMap((one) => Object.values(one).flatMap(checkTexts));
      return [...requestTexts(step), ...ofChecks].flatMap(({ text }) => namesIn(text));
    }),
  );
  const acting = new Set(steps.flatMap((step) => ('as' in step && step.as !== undefined ? [step.as] : [])));
  for (const [name, { originator, attributes }] of Object.entries(actors)) {
    if (!acting.has(name) && !names.has(name) && !names.has(originatorName(name))) continue;
    for (const { text } of texts([originator, attributes])) for (const one of namesIn(text)) names.add(one);
  }
  return names;
}
