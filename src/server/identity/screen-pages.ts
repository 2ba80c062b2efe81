import type { Screen } from '../../../machines/sign-in.machine.ts';
import type { OwnPromptView } from '../../sandbox/own-prompt-view.ts';
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
import { ownBlockedPage, ownErrorPage, ownPromptPage } from './pages/own-prompt.page.ts';
import { ownSetupPage } from './pages/own-setup.page.ts';
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
  blocked: (page) => (isOwnBlock(page) ? ownBlockedPage(page, page.view.own) : blockedPage(page)),
  prompt: (page) => (hasOwnPrompt(page) ? ownPromptPage(page, page.view.own) : promptPage(page)),
  required: (page) => (hasOwnPrompt(page) ? ownPromptPage(page, page.view.own) : requiredPage(page)),
  setup: (page) => {
    if (hasOwnPrompt(page)) return ownSetupPage(page, page.view.own);
    return page.view.method === 'fido2' ? setupPasskeyPage(page) : setupAppPage(page);
  },
  setupTest: setupTestPage,
  setupName: setupNamePage,
  errorScreen: (page) => (hasOwnPrompt(page) ? ownErrorPage(page, page.view.own) : errorScreenPage(page)),
  expired: closedPage,
  resolved: resolvedPage,
  signedIn: signedInPage,
  notNudged: signedInPage,
};

/** Page of a sign-in with the prompt of an own campaign. */
type OwnSignInPage = SignInPage & { readonly view: { readonly own: OwnPromptView } };

function hasOwnPrompt(page: SignInPage): page is OwnSignInPage {
  return page.view.own !== undefined;
}

/** Returns true if an own campaign blocks the sign-in. The page for blocked registrations can precede a prompt. */
function isOwnBlock(page: SignInPage): page is OwnSignInPage {
  return hasOwnPrompt(page) && page.view.outcome === 'blocked';
}

/** Renders the current screen of a sign-in. */
export function renderScreen(page: SignInPage): string {
  return pages[page.view.screen as RunningScreen](page);
}
