import type { Screen } from '../../../machines/sign-in.machine.ts';
import { closedPage } from './pages/closed.page.ts';
import { errorScreenPage } from './pages/error-screen.page.ts';
import {
  blockedPage,
  customControlsPage,
  externalMfaPage,
  securityInfoPage,
  termsOfUsePage,
} from './pages/interstitial-pages.ts';
import { mfaPage } from './pages/mfa.page.ts';
import { mfaChoicePage } from './pages/mfa-choice.page.ts';
import { passwordPage } from './pages/password.page.ts';
import { promptPage } from './pages/prompt.page.ts';
import { requiredPage } from './pages/required.page.ts';
import { resolvedPage } from './pages/resolved.page.ts';
import { setupAppPage, setupTestPage } from './pages/setup-app.page.ts';
import { setupNamePage, setupPasskeyPage } from './pages/setup-passkey.page.ts';
import type { SignInPage } from './pages/sign-in-page.ts';
import { signedInPage } from './pages/signed-in.page.ts';

/** Screens of a started sign-in. The username screen precedes it. */
type RunningScreen = Exclude<Screen, 'name'>;

const pages: Readonly<Record<RunningScreen, (page: SignInPage) => string>> = {
  password: passwordPage,
  mfa: mfaPage,
  mfaChoice: mfaChoicePage,
  externalMfa: externalMfaPage,
  securityInfo: securityInfoPage,
  termsOfUse: termsOfUsePage,
  customControls: customControlsPage,
  blocked: blockedPage,
  prompt: promptPage,
  required: requiredPage,
  setup: (page) => (page.view.method === 'fido2' ? setupPasskeyPage(page) : setupAppPage(page)),
  setupTest: setupTestPage,
  setupName: setupNamePage,
  errorScreen: errorScreenPage,
  expired: closedPage,
  resolved: resolvedPage,
  signedIn: signedInPage,
  notNudged: signedInPage,
};

/** Renders the current screen of a sign-in. */
export function renderScreen(page: SignInPage): string {
  return pages[page.view.screen as RunningScreen](page);
}
