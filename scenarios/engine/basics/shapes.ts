/** Building blocks of the result schemas. Results are immutable. */
import { z } from 'zod';

export const frozen = <const Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.object(shape).readonly();

/** With its name, and perhaps a description, in the published schema. */
export const named = <const Shape extends z.core.$ZodLooseShape>(
  [id, description]: readonly [id: string, description?: string],
  shape: Shape,
) => frozen(shape).meta({ id, ...(description !== undefined && { description }) });

export const listOf = <Element extends z.ZodType>(element: Element) => z.array(element).readonly();

export const optional = <Type extends z.ZodType>(type: Type, description: string) =>
  type.describe(description).exactOptional();

export const text = (description: string) => optional(z.string(), description);
export const flag = (description: string) => optional(z.boolean(), description);
