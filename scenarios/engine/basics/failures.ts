/** What of a run can make it red, beside what always does. */
export const failures = ['violations', 'intermittent', 'advice', 'untestable', 'left-behind'] as const;
export type Failure = (typeof failures)[number];
