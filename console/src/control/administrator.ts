import { api, type Json, send } from './control-client.ts';

/** Request to the policy API or the directory API. */
export interface AdministratorRequest {
  /** Path below the sandbox. */
  readonly path: string;
  readonly permissions: readonly string[];
  readonly role: string;
  readonly method?: string;
  readonly body?: Json | undefined;
}

/** Sends one request with a new token of an administrator. The token is used only once, so the page never stores it. */
export async function asAdministrator<T>(
  sandbox: string,
  { path, permissions, role, method = 'GET', body }: AdministratorRequest,
): Promise<T> {
  const { access_token: token } = await api.issueToken({
    sandbox,
    body: { permissions: [...permissions], roles: [role], expiresInSeconds: 60 },
  });
  return send<T>(`/s/${sandbox}${path}`, { method, body, headers: { authorization: `Bearer ${token}` } });
}
