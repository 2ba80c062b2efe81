import { passedPage, type SignInPage, signInPage } from './sign-in-page.ts';

/**
 * Renders the page shown if a conditional access policy blocks registering security information (R13.3). A ruleset that
 * blocks the sign-in itself leaves no way on (OC23).
 */
export function blockedPage(page: SignInPage): string {
  if (page.view.outcome === 'blocked')
    return signInPage(page, { heading: page.tenant.texts.text('own.blocked'), body: '' });
  return passedPage(page, 'blocked.heading', 'blocked.lead');
}

/** Renders the simulated page of a conditional access custom control (R13.5). */
export function customControlsPage(page: SignInPage): string {
  return passedPage(page, 'custom-controls.heading', 'custom-controls.lead');
}

/** Renders the simulated second factor of an external provider (R3) or of a guest's home tenant (A21). */
export function externalMfaPage(page: SignInPage): string {
  return passedPage(page, 'external-mfa.heading', 'external-mfa.lead');
}

/** Renders the page on which the user registers another method in this sign-in (R13.2). */
export function securityInfoPage(page: SignInPage): string {
  return passedPage(page, 'security-info.heading', 'security-info.lead');
}

/** Renders terms of use, which are shown instead of the prompt (R13.4). */
export function termsOfUsePage(page: SignInPage): string {
  return passedPage(page, 'terms.heading', 'terms.lead', 'action.accept');
}
