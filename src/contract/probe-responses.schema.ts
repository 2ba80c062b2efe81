import { z } from 'zod';

/** Response of a server that is running, with the number of its sandboxes. */
export const healthResponse = z.strictObject({ status: z.literal('ok'), sandboxes: z.number().int().min(0) });

/** Response of a server that is ready. A server that is not ready returns an error. */
export const readyResponse = z.strictObject({ status: z.literal('ready') });
