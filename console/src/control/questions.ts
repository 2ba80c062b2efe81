import {
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ControlReply, ControlRequest, OperationId } from '../../../src/client/control-client.ts';
import type { controlRoutes } from '../../../src/client/control-routes.ts';
import { api } from './control-client.ts';

/** Returns the prefix of all query keys of a sandbox. Queries with this prefix are refetched after each event. */
export function sandboxKey(sandbox: string): readonly string[] {
  return ['sandbox', sandbox];
}

/** Ids of the operations that read from a sandbox. */
type QueryId = {
  [Id in OperationId & keyof typeof api]: (typeof controlRoutes)[Id] extends `GET /sandboxes/{sandbox}${string}`
    ? Id
    : never;
}[OperationId & keyof typeof api];

/** Path and query parameters of such an operation. */
type QueryRequest<Id extends QueryId> = Omit<ControlRequest<Id>, 'sandbox' | 'body' | 'headers' | 'signal'> & {
  readonly sandbox: string;
};

const reads: { readonly [Id in QueryId]: (request: QueryRequest<Id>) => Promise<ControlReply<Id>> } = api;

/** Returns the query options for an operation on a sandbox. */
export function question<Id extends QueryId>(id: Id, request: QueryRequest<Id>) {
  return queryOptions({
    queryKey: [...sandboxKey(request.sandbox), id, request],
    queryFn: () => reads[id](request),
  });
}

/** Runs a sandbox query and refetches it after each event of the sandbox. */
export function useControlQuery<Id extends QueryId>(id: Id, request: QueryRequest<Id>) {
  return useQuery(question(id, request));
}

/** Loads the sandboxes of the server. */
export function useSandboxes() {
  return useQuery({ queryKey: ['sandboxes'], queryFn: () => api.listSandboxes() });
}

/** Loads the description of the server. */
export function useServer() {
  return useQuery({ queryKey: ['server'], queryFn: () => api.getServer() });
}

/** Loads the rulesets of the server: the built-in ones, those of its files, and those that it has received. */
export function useRulesets() {
  return useQuery({ queryKey: ['rulesets'], queryFn: () => api.listRulesets() });
}

/** Control API call that changes a sandbox. */
export type ControlAction = () => Promise<unknown>;

/** Returns a mutation that runs a control action and then refetches all queries of the sandbox. */
export function useControlAction(sandbox: string): UseMutationResult<unknown, Error, ControlAction> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: ControlAction) => action(),
    onSuccess: () => refresh(queries, sandbox),
  });
}

/** Refetches all queries of a sandbox. */
export function refresh(queries: QueryClient, sandbox: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: sandboxKey(sandbox) });
}
