/** A run as a document: the page about it. */
import type { RunResult, Verdict } from '../../scenarios/words.ts';
import { type Document, type Fact, prose, type Span, type View, type Words } from '../document/model.ts';
import { indexEvidence } from '../facts/evidence.ts';
import { type CauseFacts, causeFacts, newCauses, surveyWarnings } from '../facts/run-facts.ts';
import {
  checkedText,
  countsText,
  durationText,
  inOrder,
  installationsText,
  looks,
  targetText,
  timeText,
  verdictLine,
  verdictTone,
} from '../facts/wording.ts';
import { TimingPanel } from '../html/timing-panel.tsx';
import { claimBlocks, contextBlocks, reasonGroups, untestedFolds } from './context-blocks.ts';
import { behaviourBlocks, causeBlocks, deathBlocks, requirementBlocks, scenarioBlocks } from './run-blocks.ts';

export function runDocument(result: RunResult): Document {
  const { tool, requirements, scenarios, specification, summary, survey } = result;
  const verdict = verdictLine(result);
  const verdicts = inOrder(Object.keys(summary.verdicts) as Verdict[]);
  // The headline is the part before a colon; ids follow it.
  const [word = '', reason, ...rest] = verdict.split(': ');
  return {
    title: `${verdict} – ${targetText(result)}`,
    kind: `${tool.name} ${tool.version}, conformance report`,
    alarms: surveyWarnings(survey),
    headline: reason ? `${word}: ${reason}` : word,
    intro: [rest.length > 0 && prose(linked(rest.join(': '), result)), scenarios.length === 0 && 'Nothing ran.'],
    tone: verdictTone(result),
    lead: [specification],
    facts: factsOf(result),
    counts: {
      title: `Requirements: ${countsText(summary.verdicts)}`,
      of: requirements.length,
      each: verdicts.map((name) => ({ name, ...looks[name], says: name, count: summary.verdicts[name] })),
      isBar: true,
    },
    search: { label: 'Search requirements, scenarios and paths', hint: 'Search ids, sentences, paths' },
    levels: requirements.map(({ level }) => level),
    views: viewsOf(result),
  };
}

/** Links ids to their requirements, and `and 5 more` to the list of all. */
function linked(text: string, { requirements }: RunResult): Words {
  const ids = new Set(requirements.map(({ id }) => id));
  return text.split(/(and \d+ more|[\w.:-]*[\w-])/).map((part): string | Span => {
    if (ids.has(part)) return { text: part, to: part };
    return part.startsWith('and ') && part.endsWith(' more') ? { text: part, to: 'view-violated' } : part;
  });
}

function factsOf(result: RunResult): Fact[] {
  const { target, took, summary, run, exit, startedAt } = result;
  const { product, version, cseId, spId, base } = target;
  const installations = installationsText(result);
  const all: Array<Fact | false> = [
    ['Target', targetText(result)],
    product !== undefined && ['Product', [product, version].filter(Boolean).join(' ')],
    ['CSE', `${cseId} of ${spId}, base ${base}`],
    ['Started', timeText(startedAt)],
    ['Took', `${durationText(took)}, ${summary.requests.toLocaleString('en')} requests`],
    ['Run', run],
    ['Exit code', String(exit.code)],
    ['Checked', checkedText(result)],
    installations !== '' && ['Installations', ...installations.split(', ')],
  ];
  return all.filter((one) => one !== false);
}

function viewsOf(result: RunResult): View[] {
  const { requirements, scenarios } = result;
  const causes = causeFacts(result);
  const failing = (key: string, title: string, own: readonly CauseFacts[]): View => {
    return { key, title, count: own.length, content: causeBlocks(own, result) };
  };
  const known = causes.filter(({ cause }) => cause.known === true && cause.verdict !== 'advisory');
  const advisory = causes.filter(({ cause }) => cause.verdict === 'advisory');
  const open = requirements.filter(({ gaps }) => gaps.length > 0).length;
  const groups = reasonGroups(result);
  const deaths = deathBlocks(result);
  const claims = claimBlocks(result);
  const [bySection, byScenario] = [requirementBlocks(requirements, indexEvidence(result)), scenarioBlocks(result)];
  return [
    { key: 'deaths', title: 'Died', count: deaths.length, content: deaths },
    failing('violated', 'Violated', newCauses(causes, 'violated')),
    failing('intermittent', 'Intermittent', newCauses(causes, 'intermittent')),
    failing('known', 'Known', known),
    { key: 'sections', title: 'By section', count: requirements.length, content: bySection },
    { key: 'scenarios', title: 'By scenario', count: scenarios.length, isPacked: true, content: byScenario },
    failing('advisory', 'Advisory', advisory),
    { key: 'claims', title: 'Claims', count: claims.length, isPlain: true, content: claims },
    { key: 'gaps', title: 'Implementation-defined', count: open, content: behaviourBlocks(result) },
    { key: 'unjudged', title: 'Not tested', count: groups.length, content: untestedFolds(groups) },
    {
      ...{ key: 'timing', title: 'Timing', count: scenarios.length, isPlain: true },
      content: { kind: 'picture', node: TimingPanel({ result }) },
    },
    { key: 'run', title: 'This run', count: 1, isPlain: true, content: contextBlocks(result) },
  ];
}
