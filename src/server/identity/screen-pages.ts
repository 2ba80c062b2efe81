import type { Screen } from '../../../machines/sign-in.machine.ts';
import { blockedPage } from './pages/blocked.page.ts';
import { closedPage } from './pages/closed.page.ts';
import { errorScreenPage } from './pages/error-screen.page.ts';
import { externalMfaPage } from './pages/external-mfa.page.ts';
import { mfaPage } from './pages/mfa.page.ts';
import { namePage } from './pages/name.page.ts';
import { notNudgedPage } from './pages/not-nudged.page.ts';
import { passwordPage } from './pages/password.page.ts';
import { promptPage } from './pages/prompt.page.ts';
import { requiredPage } from './pages/required.page.ts';
import { resolvedPage } from './pages/resolved.page.ts';
import { setupAppPage } from './pages/setup-app.page.ts';
import { setupPasskeyPage } from './pages/setup-passkey.page.ts';
import type { SignInPage } from './pages/sign-in-page.ts';
import { signedInPage } from './pages/signed-in.page.ts';
import { termsOfUsePage } from './pages/terms-of-use.page.ts';

const pages: Readonly<Record<Screen, (page: SignInPage) => string>> = {
  name: ({ sandboxId, beginning }) => namePage({ sandboxId, beginning, unknownName: null }),
  password: passwordPage,
  mfa: mfaPage,
  externalMfa: externalMfaPage,
  termsOfUse: termsOfUsePage,
  blocked: blockedPage,
  prompt: promptPage,
  required: requiredPage,
  setup: (page) => (page.view.method === 'fido2' ? setupPasskeyPage(page) : setupAppPage(page)),
  errorScreen: errorScreenPage,
  expired: closedPage,
  resolved: resolvedPage,
  signedIn: signedInPage,
  notNudged: notNudgedPage,
};

/** Renders the screen that a sign-in is at. */
export function renderScreen(page: SignInPage): string {
  return pages[page.view.screen](page);
}
