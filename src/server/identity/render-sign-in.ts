import { verdictHeadline } from '../../../machines/verdict-sentences.ts';
import type { SignalsJson } from '../../authenticators/webauthn-json.ts';
import { LruMap } from '../../core/lru-map.ts';
import { isPasskeyPrompt } from '../../sandbox/own-prompt-view.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import { getBasePath, getPhonePath, getSecurityInfoPath, getSignInPath } from './addresses.ts';
import { type Reader, toPageTenant } from './brand.ts';
import type { FormFault } from './form-fault.ts';
import type { AppSetup } from './pages/sign-in-page.ts';
import type { CeremonyOptions } from './passkeys/ceremony-options.ts';
import { type CeremonyMoment, optionsAt } from './passkeys/ceremony-service.ts';
import { renderScreen } from './screen-pages.ts';
import type { SessionProof } from './session.ts';

/** Passkey data for authenticators on the last page of a sign-in. */
export interface SignInEnd {
  readonly signals: SignalsJson;
  /** Options for an automatically created passkey. `null` if none is offered. */
  readonly upgrade: CeremonyOptions | null;
}

/** Input for rendering the page of a sign-in. */
export interface SignInRendering {
  readonly sandbox: Sandbox;
  readonly view: SignInView;
  /** Passkey ceremony of this page. `null` if there is none. */
  readonly moment: CeremonyMoment | null;
  /** Passkey data for the last page. `null` before the end of the sign-in. */
  readonly end: SignInEnd | null;
  readonly proof: SessionProof;
  readonly reader: Reader;
  readonly fault: FormFault | null;
  /** Query that is appended to the URLs of this sign-in. */
  readonly query: string;
  /** Sequence number of this page among the served pages. `null` if the sign-in has finished. */
  readonly shown: number | null;
}

/** Renders the page of a sign-in at its current screen. Returns the HTML document. */
export async function renderSignIn(rendering: SignInRendering): Promise<string> {
  const { sandbox, view, moment, end, proof, fault, query, shown, reader } = rendering;
  const user = sandbox.directory.user(view.userId);
  const ceremony = moment === null ? null : optionsAt(moment);
  const needsApp = view.screen === 'setup' && !isPasskeyPrompt(view);
  return renderScreen({
    view,
    tenant: toPageTenant(sandbox, reader),
    address: `${getSignInPath(sandbox.id, view.id)}${query}`,
    formToken: proof.formToken,
    userPrincipalName: user.userPrincipalName,
    beginning: getBasePath(sandbox.id),
    securityInfo: getSecurityInfoPath(sandbox.id),
    phone: getPhonePath(sandbox.id, user.userPrincipalName),
    fault,
    shown,
    ceremony,
    signals: end?.signals ?? null,
    upgrade: end?.upgrade ?? null,
    hasTestPasskey:
      ceremony !== null && sandbox.directory.passkeys(view.userId).some(({ testKey }) => testKey !== null),
    verdictNote: createVerdictNote(sandbox, view),
    appSetup: needsApp ? await createAppSetup(rendering) : null,
  });
}

/** Explains the verdict of a finished sign-in, if the tenant shows it. Returns `null` otherwise. */
function createVerdictNote(sandbox: Sandbox, { id, finished }: SignInView): string | null {
  const { directory, signIns } = sandbox;
  if (!finished || directory.settings().showVerdict !== true) return null;
  const verdict = signIns.verdict(id);
  if (verdict === null) return null;
  const decisive = verdict.rules.find(({ outcome }) => outcome === 'stopped');
  const rule = decisive === undefined ? '' : ` (${decisive.id}, ${verdict.reason})`;
  return `${verdictHeadline(verdict, undefined, sandbox.words())}${rule}`;
}

async function createAppSetup({ sandbox, view }: SignInRendering): Promise<AppSetup> {
  const { secret, setupAddress } = await sandbox.codes.timedCode(view.userId);
  const qrCode = qrCodes.get(setupAddress) ?? (await import('uqr')).renderSVG(setupAddress, { border: 2 });
  qrCodes.set(setupAddress, qrCode);
  return { qrCode, secret };
}

/** Recent QR codes by their content. Drawing one takes longer than the rest of the page, and sandboxes often have the same users. */
const qrCodes = new LruMap<string, string>({ max: 50 });
