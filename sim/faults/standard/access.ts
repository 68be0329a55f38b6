/** What the standard says of rights, discovery, announcement, other CSEs and management, broken one by one. */
import type { Fault } from '../fault.ts';
import { announced } from './announced.ts';
import { announcements } from './announcements.ts';
import { contexts } from './contexts.ts';
import { criteria } from './criteria.ts';
import { flexContainers } from './flex-containers.ts';
import { flexDefinitions } from './flex-definitions.ts';
import { inheritance } from './inheritance.ts';
import { laterAnswers } from './later-answers.ts';
import { management } from './management.ts';
import { originators } from './originators.ts';
import { policies } from './policies.ts';
import { retargeting } from './retargeting.ts';
import { rules } from './rules.ts';

export const standardAccess: readonly Fault[] = [
  ...rules,
  ...originators,
  ...contexts,
  ...policies,
  ...inheritance,
  ...criteria,
  ...retargeting,
  ...laterAnswers,
  ...management,
  ...flexContainers,
  ...flexDefinitions,
  ...announcements,
  ...announced,
];
