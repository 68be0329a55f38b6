/** What the harness makes of each fault of the simulator. */
import {
  exitOf,
  type KillRow,
  type KillTable,
  type KillVerdict,
  killVerdicts,
  type Violation,
} from '../../scenarios/index.ts';
import {
  type Content,
  type Count,
  countsOf,
  type Document,
  type Fold,
  facts,
  hidden,
  type Look,
  muted,
  only,
} from '../document/model.ts';
import { groupedBy } from '../grouped.ts';
import { counted, durationText, levelWords, percent, timeText } from '../wording.ts';

const looks: Readonly<Record<KillVerdict, Look>> = {
  named: { mark: '✓', tone: 'good', says: 'named: killed by a check of the requirement that the fault breaks' },
  killed: { mark: '△', tone: 'open', says: 'killed by checks of other requirements only' },
  equivalent: { mark: '≡', tone: 'good', says: 'not killed, since nobody can see it: each says why' },
  'not killed': { mark: '✗', tone: 'bad', says: 'not killed' },
  'not judged': {
    ...{ mark: '!', tone: 'fault' },
    says: 'not judged: the worker died or hung, or the harness could not run everything',
  },
};
const noisy: Omit<Count, 'count'> = {
  ...{ name: 'noisy', mark: '≈', tone: 'open', narrows: false, always: true },
  says: 'noisy: requirements are reported as well that the fault has nothing to do with',
};

/** So many requirements without a fault are listed without --verbose. */
const listed = 8;

export function killDocument(table: KillTable): Document {
  const { rows, totals, levels, leftToGenerators, startedAt, took, workers } = table;
  const code = exitOf(table);
  const remarkable = rows.filter(isRemarkable);
  const counts = countsOf(killVerdicts, looks, totals.verdicts, (verdict) => verdict === 'not killed');
  return {
    title: `Kill table: ${headlineOf(table)}`,
    kind: 'cselab, kill table of the harness',
    headline: headlineOf(table),
    tone: code === 0 ? 'good' : code === 1 ? 'bad' : 'open',
    lead: [
      ...levels.map(levelText),
      ...generatorsText(table),
      breadthText(table),
      ...choiceText(table),
      `${durationText(took)} with ${counted(workers, 'worker')}.`,
    ],
    facts: [['Started', timeText(startedAt)]],
    counts: { title: 'Kill table', of: rows.length, each: [...counts, { ...noisy, count: totals.noisy }] },
    search: { label: 'Search faults, requirements and what was found', hint: 'Search faults, requirements, answers' },
    levels: rows.map(({ level }) => level),
    views: [
      {
        ...{ key: 'remarkable', title: 'To look at', on: 'brief', count: remarkable.length },
        content: [
          areas(remarkable, false),
          hidden(rows.length - remarkable.length, 'fault', 'named and without noise'),
        ],
      },
      { key: 'faults', title: 'All faults', on: 'verbose', count: rows.length, content: areas(rows, true) },
      {
        ...{ key: 'generators', title: 'Left to generators', on: 'verbose', count: leftToGenerators.length },
        content: leftToGenerators.length > 0 && {
          ...{ kind: 'group', title: 'Left to generators' },
          content: leftToGenerators.map(
            ({ id, violates, says }): Fold => ({ kind: 'fold', id, says, content: facts(['breaks', violates]) }),
          ),
        },
      },
      {
        ...{ key: 'unbroken', title: 'Without a fault', count: levels.flatMap(({ unbroken }) => unbroken).length },
        content: levels
          .filter(({ unbroken }) => unbroken.length > 0)
          .map(({ level, unbroken }) => ({
            ...{ kind: 'group', title: `${levelWords[level]}, without a fault that breaks it` },
            content: { kind: 'list', items: unbroken, most: listed, ids: level },
          })),
      },
    ],
    nothing: 'No fault was judged.',
  };
}

/** Worth a line of its own without --verbose. */
function isRemarkable({ verdict, noise, reason }: KillRow): boolean {
  return verdict !== 'named' || noise.length > 0 || reason !== undefined;
}

/** Faults by the area of what they break. `anchored`: links lead to these. */
function areas(rows: readonly KillRow[], anchored: boolean): Content {
  return [...groupedBy(rows, areaOf)].map(([title, own]) => ({
    ...{ kind: 'group', title },
    content: own.map((row) => faultFold(row, anchored)),
  }));
}

/** `std.group` of `std.group.fan-out.status`, `ae` of `ae.create.status`. */
function areaOf({ fault: { violates } }: KillRow): string {
  return violates.split('.', violates.startsWith('std.') ? 2 : 1).join('.');
}

function faultFold(row: KillRow, anchored: boolean): Fold {
  const { fault, verdict, level, noise, violations, reason, took, scenarios, possible, dialect } = row;
  const { id, says, violates, also = [], equivalent } = fault;
  const isNoisy = noise.length > 0;
  return {
    ...{ kind: 'fold', id, level, state: verdict, ...looks[verdict], anchor: anchored && id },
    ...{ says, note: isNoisy ? 'noisy' : undefined, aside: isNoisy ? '≈ noisy' : durationText(took) },
    texts: [
      violates,
      isNoisy ? 'noisy' : '',
      ...violations.flatMap((one) => [one.requirement, one.scenario, one.actual]),
    ],
    content: [
      facts(
        ['breaks', violates, ...(also.length > 0 ? [`and, as it cannot help, ${also.join(', ')}`] : [])],
        verdict === 'equivalent' && ['since', `nobody can see it: ${equivalent}`],
        reason !== undefined && ['but', reason],
      ),
      violationsTold(violations, noise, '≈ noise'),
      only('page', muted(`${scenarios} of ${counted(possible, 'scenario')} of the dialect ${dialect} were run.`)),
    ],
  };
}

/** So many are told in full; of a fault that breaks everything there are hundreds. */
const most = { text: 3, page: 20 };

/** What was found violated; some requirements are `marked` as something. */
export function violationsTold(violations: readonly Violation[], marked: readonly string[], as: string): Content {
  if (violations.length === 0) return only('page', 'No requirement was found violated.');
  return (['text', 'page'] as const).map((on) => [
    only(
      on,
      ...violations.slice(0, most[on]).map((one) => violationFacts(one, marked.includes(one.requirement) ? as : '')),
    ),
    only(on, violations.length > most[on] && `and ${counted(violations.length - most[on], 'more requirement')}`),
  ]);
}

function violationFacts({ requirement, scenario, expected, actual }: Violation, mark: string): Content {
  return facts(
    ['found', [{ text: requirement, as: 'code' }, mark === '' ? '' : ` (${mark})`]],
    ['expected', expected.join(' – or – ')],
    ['actual', { text: `${actual} (${scenario})`, tone: 'bad' }],
  );
}

/** The table in one line. Shares are of those that somebody can see. */
function headlineOf({ totals, rows, interrupted }: KillTable): string {
  const { named, equivalent } = totals.verdicts;
  const share = (part: number) => percent(part, rows.length - equivalent);
  const unseen = equivalent === 0 ? '' : `, ${equivalent.toLocaleString('en')} that nobody can see`;
  const told = `${share(totals.killed)} killed, ${share(named)} named, ${share(totals.noisy)} noisy${unseen}`;
  return `${interrupted ? 'Interrupted: ' : ''}${counted(rows.length, 'fault')}: ${told}`;
}

function levelText({ level, testable, unbroken }: KillTable['levels'][number]): string {
  const broken = testable - unbroken.length;
  return `${levelWords[level]}: ${broken} of ${counted(testable, 'testable requirement')} have a fault that breaks them (${percent(broken, testable)}).`;
}

/** What was run: nobody should take one kind of run for the other. */
function breadthText({ breadth, totals }: KillTable): string {
  const run = `${totals.scenarios.toLocaleString('en')} of ${totals.possible.toLocaleString('en')} runs of scenarios.`;
  if (breadth.kind === 'wide') return `Every scenario of its dialect was run against each fault: ${run}`;
  const { others = 0 } = breadth;
  const own = 'Against each fault the files were run that check what it breaks';
  if (others === 0)
    return `${own}, and no others: ${run} What it disturbs elsewhere was not looked for (--others, --wide).`;
  const files = `${counted(others, 'other file')} of its dialect, dealt by its id`;
  return `${own}, and ${files}: ${run} What it disturbs in the rest was not looked for (--wide).`;
}

/** Why there are fewer rows than faults. */
function choiceText({ rows, known, chosen }: KillTable): string[] {
  if (rows.length === known) return [];
  const all = `of ${counted(known, 'fault')} of the simulator`;
  return rows.length === chosen
    ? [`${chosen.toLocaleString('en')} ${all} were chosen.`]
    : [`${rows.length.toLocaleString('en')} of the ${chosen.toLocaleString('en')} chosen, ${all}, were judged.`];
}

/** How many faults are no rows, and why. */
function generatorsText({ leftToGenerators: { length: count } }: KillTable): string[] {
  if (count === 0) return [];
  const [are, show] = count === 1 ? ['is', 'It shows'] : ['are', 'They show'];
  return [
    `${counted(count, 'fault')} ${are} left to generators. ${show} only after certain requests in a certain order, or after many of them, which no scenario is written for (--generators).`,
  ];
}
