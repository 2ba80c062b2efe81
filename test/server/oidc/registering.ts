import { application } from './relying-party.ts';

export const permission = 'Policy.ReadWrite.AuthenticationMethod';

/** Dynamically registered client. */
export interface Registered {
  readonly client_id: string;
  readonly client_secret: string;
  readonly registration_client_uri: string;
  readonly registration_access_token: string;
}

/** Registration request with every field that a client can request. */
export const greedy = {
  redirect_uris: [application],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  scope: `openid profile offline_access Policy.Read.All ${permission}`,
};

/** Registers a client. */
export async function register(
  issuer: string,
  metadata: object = greedy,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`${issuer}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(metadata),
  });
  return {
    response,
    body: (await response.json()) as Registered & { readonly error?: string; readonly code?: string },
  };
}

/** Returns the token response for the client credentials of a client. */
export async function ownToken(issuer: string, client: Registered, scope?: string) {
  const response = await fetch(`${issuer}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }),
  });
  return { status: response.status, body: (await response.json()) as { access_token: string; error?: string } };
}
