/** Default names and types of CSEs. */
import { checkChoice } from './choice.ts';

export const defaultNames = {
  documented: {
    gateway: { base: 'onem2m', cseId: 'mn-cse-1', cseType: 'MN-CSE' },
    backend: { base: 'onem2m', cseId: 'in-cse-1', cseType: 'IN-CSE' },
  },
  onem2m: {
    gateway: { base: 'cse-mn', cseId: 'id-mn', cseType: 'MN-CSE' },
    backend: { base: 'cse-in', cseId: 'id-in', cseType: 'IN-CSE' },
  },
} as const;

/** Of a dialect, `documented` unless given. Throws a RangeError for an unknown one. */
export function defaultNamesIn(dialect: keyof typeof defaultNames = 'documented') {
  checkChoice('dialect', dialect, Object.keys(defaultNames));
  return defaultNames[dialect];
}

/** The identifier of a further gateway, numbered after that of the first. */
export function numberedId(first: string, index: number): string {
  return index === 0 ? first : `${first.replace(/-?\d+$/, '')}-${index + 1}`;
}
