import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';
import { askedScopes, missingScopes } from './consent.ts';
import { getFormTarget } from './form-target.ts';

/** What an application asks the pages for: a sign-in, a consent, or the choice of an account. */
export type InteractionPrompt = 'login' | 'consent' | 'select_account';

/** An authorization request that waits for the pages. */
export interface InteractionView {
  readonly uid: string;
  readonly prompt: InteractionPrompt;
  readonly clientId: string;
  readonly clientName: string;
  /** The username that the application suggests; `null` when it suggests none. */
  readonly userNameHint: string | null;
  /** `ui_locales` of the request; `null` without it. */
  readonly uiLocales: string | null;
  /** All scopes that were asked for, permissions of the policy API among them. */
  readonly scopes: readonly string[];
  /** What a consent page lists: those that the user has not agreed to yet, or all when the application asks again. */
  readonly scopesToGrant: readonly string[];
  /** The user of the session that this browser has; `null` without one. A session may be too old for the request. */
  readonly sessionUserId: string | null;
  /** The oldest sign-in that the application accepts, in seconds; `null` when it does not say. */
  readonly maxAgeSeconds: number | null;
  /**
   * Where a form of a page may lead in the end, as a source of `form-action`: browsers hold the redirect that follows a form to
   * that directive too. Pages of an interaction add it to `'self'`.
   */
  readonly formTarget: string;
}

/** An interaction as the pages see it. */
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
    userNameHint: textOf(params['login_hint']),
    uiLocales: textOf(params['ui_locales']),
    scopes: askedScopes(interaction),
    scopesToGrant: missing.length === 0 ? askedScopes(interaction) : missing,
    sessionUserId: session?.accountId ?? null,
    maxAgeSeconds: Number.isNaN(maxAge) ? null : maxAge,
    formTarget: getFormTarget(String(params['redirect_uri'])),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
