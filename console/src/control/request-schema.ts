import { useQuery } from '@tanstack/react-query';
import { type ApiDescription, findRequestSchema } from '../form/request-schema.ts';
import { api } from './control-client.ts';

/** Loads the schema of a request body from the description of the control API, once for each page load. */
export function useRequestSchema(operationId: string) {
  return useQuery({
    queryKey: ['openapi'],
    queryFn: () => api.getOpenapi(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    select: (document) => findRequestSchema(document as unknown as ApiDescription, operationId),
  });
}
