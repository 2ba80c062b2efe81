import { passedPage, type SignInPage } from './sign-in-page.ts';

/** Renders the block of the page that registers security information by conditional access (R13.3). */
export function blockedPage(page: SignInPage): string {
  return passedPage(page, 'blocked.heading', 'blocked.lead');
}

/** Renders the stand-in for a conditional access custom control of another service (R13.5). */
export function customControlsPage(page: SignInPage): string {
  return passedPage(page, 'custom-controls.heading', 'custom-controls.lead');
}

/** Renders the stand-in for the second factor of another provider: an external one (R3), or a guest's home tenant (A21). */
export function externalMfaPage(page: SignInPage): string {
  return passedPage(page, 'external-mfa.heading', 'external-mfa.lead');
}

/** Renders the page after which the user has registered another method in this sign-in (R13.2). */
export function securityInfoPage(page: SignInPage): string {
  return passedPage(page, 'security-info.heading', 'security-info.lead');
}

/** Renders terms of use, which appear in place of the prompt (R13.4). */
export function termsOfUsePage(page: SignInPage): string {
  return passedPage(page, 'terms.heading', 'terms.lead', 'action.accept');
}
