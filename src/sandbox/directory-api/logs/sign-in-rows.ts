import { betaSignInProperties, type SignInResource } from '../../../contract/directory-api/log-schemas.ts';
import { logWords as words } from '../../../contract/directory-api/log-words.ts';
import { toInstant } from '../../../core/clock.ts';
import { nameBasedUuid } from '../../../core/ids.ts';
import { readTenant } from '../directory-objects.ts';
import type { DirectoryView } from '../directory-view.ts';
import type { WireIds } from '../wire-ids.ts';
import type { LogRow } from './log-walk.ts';
import { isSecondFactorUsed, leads, listLeads, type SignInError } from './row-leads.ts';
import type { LoggedSignIn } from './sign-in-records.ts';

/** Result of a row. */
type RowCode = keyof typeof words.codes;

/** Row of the sign-in log. */
export interface SignInRow extends LogRow {
  readonly signIn: LoggedSignIn;
  /** Error that the row shows, or `null` for the last row of the sign-in. */
  readonly signInError: SignInError | null;
}

/** View of a row: the state for names and ids, and the access of the caller. */
export interface SignInRowView {
  readonly view: DirectoryView;
  /** `true` if the caller can see the applied conditional access policies. */
  readonly showsPolicies: boolean;
}

/** Times by which the shown rows of a sign-in precede it, in milliseconds (DIR71). */
export function listShownLeads(addsFirstSteps: boolean): readonly number[] {
  return addsFirstSteps ? [0, ...Object.values(leads)] : [0, leads.registers];
}

/**
 * Returns the rows of a sign-in in order of time (DIR71). A registration in the session has a row of its own; the other
 * errors are included on request.
 */
export function splitSignIn(signIn: LoggedSignIn, index: number, addsFirstSteps: boolean): readonly SignInRow[] {
  const { attempt, asksToStay } = signIn;
  const isShown = (signInError: SignInError | null) => {
    if (signInError === 'staySignedIn') return addsFirstSteps && signIn.getEnd().isSignedIn;
    return signInError !== 'secondFactor' || addsFirstSteps;
  };
  return listLeads(attempt, asksToStay)
    .filter(({ signInError }) => isShown(signInError))
    .map(({ signInError, leadMs }) => ({ atMs: attempt.nowMs - leadMs, index, signIn, signInError }));
}

/** Lists the ids in responses of all rows that a sign-in can have. */
export function listSignInIds(signIn: LoggedSignIn, wireIds: WireIds): readonly string[] {
  return listLeads(signIn.attempt, signIn.asksToStay).map(({ signInError }) => toRowId(signIn, signInError, wireIds));
}

type Readers = {
  readonly [Name in keyof SignInResource]: (row: SignInRow, context: SignInRowView) => SignInResource[Name];
};

const readers: Readers = {
  id: ({ signIn, signInError }, { view }) => toRowId(signIn, signInError, view.wireIds),
  appDisplayName: ({ signIn }) => (signIn.origin.client ?? words.pages).name,
  appId: ({ signIn }, { view }) => view.wireIds.toWire('client', (signIn.origin.client ?? words.pages).id),
  appliedConditionalAccessPolicies: (row, { showsPolicies }) => (showsPolicies ? listPolicies(row) : []),
  authenticationDetails: listSteps,
  authenticationProtocol: ({ signIn }) =>
    signIn.origin.device === true ? words.protocols.device : words.protocols.none,
  authenticationRequirement: ({ signIn }) =>
    isSecondFactorUsed(signIn.attempt) ? words.requirement.multi : words.requirement.single,
  clientAppUsed: ({ signIn }) => (signIn.attempt.surface === 'browser' ? words.surface.browser : words.surface.app),
  conditionalAccessStatus: (row) => (listPolicies(row).length === 0 ? 'notApplied' : 'success'),
  correlationId: ({ signIn }, { view }) => view.wireIds.compute('correlation', signIn.id),
  createdDateTime: ({ atMs }) => toInstant(atMs),
  crossTenantAccessType: ({ signIn }) => (isGuest(signIn) ? words.crossTenant.guest : words.crossTenant.own),
  deviceDetail: ({ signIn: { attempt, isCompliant } }) => ({
    browser: describeBrowser(attempt),
    deviceId: attempt.deviceId,
    displayName: attempt.deviceId,
    isCompliant,
    isManaged: isCompliant,
    operatingSystem: words.operatingSystems[attempt.os],
    trustType: isCompliant ? words.managedTrust : null,
  }),
  homeTenantId: ({ signIn }, { view }) =>
    isGuest(signIn) ? nameBasedUuid(`home-tenant:${getDomain(signIn.userPrincipalName)}`) : getTenantId(view),
  incomingTokenType: () => 'none',
  ipAddress: () => '127.0.0.1',
  isInteractive: ({ signIn }) => isInteractive(signIn),
  location: () => null,
  networkLocationDetails: ({ signIn: { origin } }) =>
    origin.network === undefined ? [] : [{ networkNames: [origin.network], networkType: words.networkType }],
  originalRequestId: ({ signIn }, { view }) => view.wireIds.compute('request', signIn.id),
  resourceDisplayName: (_row, { view }) => view.dialect.toWire(words.resource.name),
  resourceId: () => words.resource.id,
  resourceTenantId: (_row, { view }) => getTenantId(view),
  riskDetail: () => 'none',
  riskEventTypes: () => [],
  riskEventTypes_v2: () => [],
  riskLevelAggregated: () => 'none',
  riskLevelDuringSignIn: () => 'none',
  riskState: () => 'none',
  sessionId: ({ signIn }, { view }) => view.wireIds.compute('session', signIn.id),
  signInEventTypes: ({ signIn }) => [isInteractive(signIn) ? words.eventTypes.interactive : words.eventTypes.silent],
  status: (row) => {
    const code = getCode(row);
    return { additionalDetails: code === 'success' ? describeSuccess(row.signIn) : null, ...words.codes[code] };
  },
  tokenIssuerType: () => words.issuer,
  userDisplayName: ({ signIn }) => signIn.displayName,
  userId: ({ signIn }, { view }) => view.wireIds.toWire('user', signIn.user.id),
  userPrincipalName: ({ signIn }) => signIn.userPrincipalName,
  userType: ({ signIn }) => signIn.user.type,
};

/** Reads a property of a row. Returns `undefined` for a property that sign-ins do not have. */
export function readSignInRow(row: SignInRow, name: string, context: SignInRowView): unknown {
  return Object.hasOwn(readers, name) ? readers[name as keyof Readers](row, context) : undefined;
}

/** Lists the properties of sign-ins that a version of the API has. */
export function listSignInProperties(names: readonly string[], isFull: boolean): readonly string[] {
  return isFull ? names : names.filter((name) => !betaSignInProperties.some((beta) => beta === name));
}

/** Returns `true` for a sign-in with a page. */
export function isInteractive({ origin }: LoggedSignIn): boolean {
  return origin.silent !== true;
}

/** Returns the id of a row. Interrupted rows add their number to the id of the sign-in. */
function toRowId(signIn: LoggedSignIn, signInError: SignInError | null, wireIds: WireIds): string {
  if (signInError === null) return wireIds.compute('sign-in', signIn.id);
  const { errorCode } = words.codes[signInError];
  return wireIds.compute('sign-in', signIn.getEarlierRowId?.(errorCode) ?? `${signIn.id}-${errorCode}`);
}

/** Returns the result of a row. That of the last one depends on the verdict, which is not always evaluated before. */
function getCode({ signIn, signInError }: SignInRow): RowCode {
  if (signInError !== null) return signInError;
  const { isSignedIn, outcome } = signIn.getEnd();
  if (isSignedIn) return 'success';
  return outcome === 'required' ? 'promptRequired' : 'promptSkippable';
}

/** Returns the facts of a row for its annotation, without the time (DIR76). */
export function annotateSignIn({ signIn: { attempt, user, tenant } }: SignInRow): object {
  const { nowMs: _inTheRow, ...facts } = attempt;
  return { ...facts, user, tenant };
}

function isGuest({ user }: LoggedSignIn): boolean {
  return user.type === 'guest';
}

function getDomain(name: string): string {
  return name.slice(name.lastIndexOf('@') + 1).toLowerCase();
}

function getTenantId(view: DirectoryView): string {
  return String(readTenant(view, 'id'));
}

function describeBrowser({ surface, browser, os }: LoggedSignIn['attempt']): string {
  if (browser === null || (surface !== 'browser' && surface !== 'embedded-app')) return '';
  return browser === 'safari' && os === 'ios' ? words.mobileSafari : words.browsers[browser];
}

function describeSuccess(signIn: LoggedSignIn): string | null {
  if (signIn.attempt.ssoSession) return 'MFA requirement satisfied by claim in the token';
  return isSecondFactorUsed(signIn.attempt) ? 'MFA completed' : null;
}

type Step = SignInResource['authenticationDetails'][number];

/** Returns the authentication steps of a row. A row without a second factor has only the first step. */
function listSteps({ signIn, signInError, atMs }: SignInRow): readonly Step[] {
  const { mfa, ssoSession } = signIn.attempt;
  const toStep = (method: string, requirement: string): Step => ({
    authenticationMethod: method,
    authenticationMethodDetail: null,
    authenticationStepDateTime: toInstant(atMs),
    authenticationStepRequirement: requirement,
    authenticationStepResultDetail: null,
    succeeded: true,
  });
  const { first, second } = words.requirements;
  const password = toStep(words.steps.password, first);
  if (ssoSession) return [toStep(words.steps.remembered, first)];
  if (!mfa.completed || signInError === 'secondFactor') return [password];
  if (mfa.provider === 'home-tenant') return [toStep(words.steps.remembered, second)];
  if (mfa.provider === 'external') return [password, toStep(words.steps.external, second)];
  if (mfa.method === null) return [];
  const own = toStep(words.steps[mfa.method], second);
  return mfa.method === 'passkey' ? [own] : [password, own];
}

type AppliedPolicy = SignInResource['appliedConditionalAccessPolicies'][number];

function listPolicies({ signIn: { attempt } }: SignInRow): readonly AppliedPolicy[] {
  const toPolicy = (id: string, { name, grant }: { readonly name: string; readonly grant: string }): AppliedPolicy => ({
    displayName: name,
    enforcedGrantControls: [grant],
    enforcedSessionControls: [],
    id: nameBasedUuid(`policy:${id}`),
    result: 'success',
  });
  const { termsOfUse, customControls } = words.policies;
  return [
    ...(attempt.termsOfUse ? [toPolicy('terms-of-use', termsOfUse)] : []),
    ...(attempt.customControls ? [toPolicy('custom-controls', customControls)] : []),
  ];
}
