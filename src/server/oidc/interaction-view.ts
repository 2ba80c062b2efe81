import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';
import { listRequestedScopes, missingScopes } from './consent.ts';
import { getFormTarget } from './form-target.ts';

/** Page that an application requires: sign-in, consent, or account selection. */
export type InteractionPrompt = 'login' | 'consent' | 'select_account';

/** Authorization request that waits for a page. */
export interface InteractionView {
  readonly uid: string;
  readonly prompt: InteractionPrompt;
  readonly clientId: string;
  readonly clientName: string;
  /** Username that the application suggests. `null` if it suggests none. */
  readonly userNameHint: string | null;
  /** `ui_locales` of the request. `null` if it has none. */
  readonly uiLocales: string | null;
  /** All requested scopes, including permissions of the policy API. */
  readonly scopes: readonly string[];
  /** Scopes on the consent page: those not granted yet, or all if the application requests consent again. */
  readonly scopesToGrant: readonly string[];
  /** User of the browser's session, which may be too old for the request. `null` if there is no session. */
  readonly sessionUserId: string | null;
  /** Maximum age of the sign-in that the application accepts, in seconds. `null` if it sets none. */
  readonly maxAgeSeconds: number | null;
  /**
   * Final redirect target of a form, as a source of `form-action`. Browsers also apply this directive to the redirect
   * that follows a form, so pages of an interaction add it to `'self'`. Empty if the interaction is for a device.
   */
  readonly formTarget: string;
}

/** Converts an interaction to the format for pages. */
export async function createInteractionView(provider: Provider, interaction: Interaction): Promise<InteractionView> {
  const { params, session, uid, prompt } = interaction;
  const clientId = String(params['client_id']);
  const client = await provider.Client.find(clientId);
  const missing = missingScopes(interaction);
  const maxAge = Number(params['max_age'] ?? Number.NaN);
  return {
    uid,
    prompt: prompt.name as InteractionPrompt,
    clientId,
    clientName: client?.clientName ?? clientId,
    userNameHint: toTextOrNull(params['login_hint']),
    uiLocales: toTextOrNull(params['ui_locales']),
    scopes: listRequestedScopes(interaction),
    scopesToGrant: missing.length === 0 ? listRequestedScopes(interaction) : missing,
    sessionUserId: session?.accountId ?? null,
    maxAgeSeconds: Number.isNaN(maxAge) ? null : maxAge,
    formTarget: typeof params['redirect_uri'] === 'string' ? getFormTarget(params['redirect_uri']) : '',
  };
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
