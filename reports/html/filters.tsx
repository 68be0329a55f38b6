/** @jsxRuntime automatic @jsxImportSource preact */
import type { RunResult } from '../../scenarios/index.ts';
import { levelWords, marks, verdictOrder } from '../wording.ts';
import { toneOf } from './badge.tsx';

/** Search box and the buttons that narrow every view. No button pressed means everything. */
export function Filters({ result }: { result: RunResult }) {
  const { verdicts } = result.summary;
  const levels = [...new Set(result.requirements.map(({ level }) => level))];
  return (
    <search class="filters">
      <label class="search">
        <span class="visually-hidden">Search requirements, scenarios and paths</span>
        <input id="search" type="search" placeholder="Search ids, sentences, paths" autocomplete="off" />
      </label>
      <fieldset>
        <legend class="visually-hidden">Verdict</legend>
        {verdictOrder
          .filter((verdict) => verdicts[verdict] > 0)
          .map((verdict) => (
            <button
              key={verdict}
              type="button"
              class={toneOf(verdict)}
              data-filter-verdict={verdict}
              aria-pressed="false"
            >
              <span aria-hidden="true">{marks[verdict]}</span> {verdicts[verdict].toLocaleString('en')} {verdict}
            </button>
          ))}
      </fieldset>
      {levels.length > 1 && (
        <fieldset>
          <legend class="visually-hidden">Level</legend>
          {levels.map((level) => (
            <button key={level} type="button" class="quiet" data-filter-level={level} aria-pressed="false">
              {levelWords[level]}
            </button>
          ))}
        </fieldset>
      )}
    </search>
  );
}
