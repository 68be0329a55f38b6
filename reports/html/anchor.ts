import type { Evidence } from '../evidence.ts';
import { visibleText } from '../visible-text.ts';

/** Ids of the page that links lead to. A requirement's is its own id, so that people can write such links by hand. */
export function scenarioAnchor(scenario: string): string {
  return `scenario:${scenario}`;
}

/** `stepNumber` counts from 1. */
export function stepAnchor({ scenario, stepNumber }: Pick<Evidence, 'scenario' | 'stepNumber'>): string {
  return `${scenarioAnchor(scenario.id)}:${stepNumber}`;
}

/** The text by which an item is found, in small letters. */
export function searchText(parts: Iterable<string>): string {
  return visibleText([...new Set(parts)].join(' ')).toLowerCase();
}
