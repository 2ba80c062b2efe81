import { z } from 'zod';
import { batchRequestsMax } from '../../core/limits.ts';

/** Id of a request in a batch. A number is converted to text. */
const id = z.union([z.string().min(1).max(256), z.number().transform(String)]);

/** Methods of requests in a batch. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Body of a batch. */
export const batchRequestSchema = z.object({
  requests: z
    .array(
      z.object({
        id,
        method: z
          .string()
          .transform((method) => method.toUpperCase())
          .pipe(z.enum(methods)),
        url: z.string().min(1).max(16_384),
        headers: z.record(z.string(), z.string()).optional(),
        body: z.unknown().optional(),
        dependsOn: z.array(id).max(batchRequestsMax).optional(),
      }),
    )
    .min(1)
    .max(batchRequestsMax),
});
export type BatchRequest = z.output<typeof batchRequestSchema>['requests'][number];

/** Response to a batch. */
export const batchResponseSchema = z.strictObject({
  responses: z.array(
    z.strictObject({
      id: z.string(),
      status: z.int(),
      headers: z.record(z.string(), z.string()),
      /** JSON object, or the bytes of any other body in base64. */
      body: z.unknown().optional(),
    }),
  ),
});
export type BatchResponse = z.output<typeof batchResponseSchema>['responses'][number];
