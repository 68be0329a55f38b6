import type { Fault } from './fault.ts';
import { areaOf, type Kind, kinds, nameOf } from './vocabulary/asked.ts';
import { changingResources } from './vocabulary/blocks.ts';

const documented: Readonly<Record<Kind, readonly string[]>> = {
  'm2m:ae': ['ri', 'rn', 'ty', 'pi', 'ct', 'lt', 'et', 'aei', 'api', 'rr', 'nl', 'ch'],
  'm2m:cnt': ['ri', 'rn', 'ty', 'pi', 'ct', 'lt', 'et', 'cr', 'cni', 'cbs', 'st'],
  'm2m:cin': ['ri', 'rn', 'ty', 'pi', 'ct', 'lt', 'et', 'con', 'cnf', 'cs', 'st'],
};

/** One fault for each attribute that the interface documents for a kind: it is never answered. */
export const missingAttributes: readonly Fault[] = kinds.flatMap((kind) =>
  documented[kind].map((name) => ({
    id: `${areaOf[kind]}.${name}.missing`,
    violates: `${areaOf[kind]}.${name}`,
    says: `Answers that show ${nameOf[kind]} lack ${name}.`,
    wrap: changingResources(kind, (attributes) => {
      delete attributes[name];
    }),
  })),
);
