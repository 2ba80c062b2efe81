import { z } from 'zod';
import type { ErrorCode, ValidationProblem } from '../core/errors.ts';

/** Problem found by a check, with its location. */
const problemSchema = z.strictObject({
  location: z.string(),
  message: z.string(),
}) satisfies z.ZodType<ValidationProblem>;

/** Error as the control API describes it, in error responses and in the state of background work. */
export const errorSchema = z.strictObject({
  /** Stable error code from the error table. */
  code: z.string<ErrorCode>(),
  title: z.string(),
  message: z.string(),
  action: z.string(),
  problems: z.array(problemSchema),
  requestId: z.string(),
});
