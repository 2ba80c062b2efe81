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

/** The key of every query below a sandbox: all of them are sent again when something happened there. */
export function sandboxKey(sandbox: string): readonly string[] {
  return ['sandbox', sandbox];
}

/** Operations that read something of a sandbox. */
type QueryId = {
  [Id in OperationId & keyof typeof api]: (typeof controlRoutes)[Id] extends `GET /sandboxes/{sandbox}${string}`
    ? Id
    : never;
}[OperationId & keyof typeof api];

/** The parameters and the query of such an operation. */
type QueryRequest<Id extends QueryId> = Omit<ControlRequest<Id>, 'sandbox' | 'body' | 'headers' | 'signal'> & {
  readonly sandbox: string;
};

const reads: { readonly [Id in QueryId]: (request: QueryRequest<Id>) => Promise<ControlReply<Id>> } = api;

/** A query about a sandbox. Takes the id of the operation, and what it is called with. */
export function question<Id extends QueryId>(id: Id, request: QueryRequest<Id>) {
  return queryOptions({
    queryKey: [...sandboxKey(request.sandbox), id, request],
    queryFn: () => reads[id](request),
  });
}

/** Sends a query about a sandbox, and sends it again whenever something happened there. */
export function useControlQuery<Id extends QueryId>(id: Id, request: QueryRequest<Id>) {
  return useQuery(question(id, request));
}

/** The sandboxes of the server. */
export function useSandboxes() {
  return useQuery({ queryKey: ['sandboxes'], queryFn: () => api.listSandboxes() });
}

/** What the server is. */
export function useServer() {
  return useQuery({ queryKey: ['server'], queryFn: () => api.getServer() });
}

/** Calls the control API to change a sandbox. */
export type ControlAction = () => Promise<unknown>;

/** Changes a sandbox by the action that `mutate` is given; afterwards all queries below the sandbox are sent again. */
export function useControlAction(sandbox: string): UseMutationResult<unknown, Error, ControlAction> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: ControlAction) => action(),
    onSuccess: () => refresh(queries, sandbox),
  });
}

/** Has all queries below a sandbox sent again. */
export function refresh(queries: QueryClient, sandbox: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: sandboxKey(sandbox) });
}
