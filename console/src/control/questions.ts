import {
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { SandboxList, ServerInfo } from './answers.ts';
import { ask, type Json } from './control-client.ts';

/** The key of everything that is known of one sandbox: it is asked anew when something happened there. */
export function sandboxKey(sandbox: string): readonly string[] {
  return ['sandbox', sandbox];
}

/** A question about a sandbox. Takes the path below it, such as `/campaign`. */
export function question<T>(sandbox: string, path: string) {
  return queryOptions({
    queryKey: [...sandboxKey(sandbox), path],
    queryFn: () => ask<T>(`GET ${pathOf(sandbox, path)}`),
  });
}

/** Asks about a sandbox, and asks again whenever something happened there. */
export function useAnswer<T>(sandbox: string, path: string) {
  return useQuery(question<T>(sandbox, path));
}

/** The sandboxes of the server. */
export function useSandboxes() {
  return useQuery({ queryKey: ['sandboxes'], queryFn: () => ask<SandboxList>('GET /sandboxes') });
}

/** What the server is. */
export function useServer() {
  return useQuery({ queryKey: ['server'], queryFn: () => ask<ServerInfo>('GET /server') });
}

/** One thing to do to a sandbox: a line such as `PUT /clock`, and what to send with it. */
export interface Deed {
  readonly line: string;
  readonly body?: Json | undefined;
}

/** Does something to a sandbox; what is known of it is asked anew afterwards. */
export function useDeed(sandbox: string): UseMutationResult<unknown, Error, Deed> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ line, body }: Deed) => {
      const [method = '', path = ''] = line.split(' ');
      return ask<unknown>(`${method} ${pathOf(sandbox, path)}`, body);
    },
    onSuccess: () => refresh(queries, sandbox),
  });
}

/** Has all that is known of a sandbox asked anew. */
export function refresh(queries: QueryClient, sandbox: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: sandboxKey(sandbox) });
}

function pathOf(sandbox: string, path: string): string {
  return `/sandboxes/${encodeURIComponent(sandbox)}${path}`;
}
