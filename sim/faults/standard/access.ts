/** What the standard says of rights, discovery, announcement, other CSEs and management, broken one by one. */
import type { Fault } from '../fault.ts';
import { announced } from './announced.ts';
import { announcements } from './announcements.ts';
import { criteria } from './criteria.ts';
import { flexContainers } from './flex-containers.ts';
import { flexDefinitions } from './flex-definitions.ts';
import { laterAnswers } from './later-answers.ts';
import { management } from './management.ts';
import { retargeting } from './retargeting.ts';

export const standardAccess: readonly Fault[] = [
  ...criteria,
  ...retargeting,
  ...laterAnswers,
  ...management,
  ...flexContainers,
  ...flexDefinitions,
  ...announcements,
  ...announced,
];
