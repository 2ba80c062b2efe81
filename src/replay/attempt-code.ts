import {
  type AttemptFacts,
  type Browser,
  browsers,
  type MfaMethod,
  type MfaProvider,
  mfaMethods,
  mfaProviders,
  type OperatingSystem,
  operatingSystems,
  type Surface,
  surfaces,
} from '../../machines/vocabulary.ts';

/**
 * Attempts are encoded as one number with everything that a rule reads, except for time and device. Millions of
 * attempts then form a column of numbers, and the rules evaluate each distinct number once.
 */

const browserPlaces: readonly (Browser | null)[] = [...browsers, null];
const methodPlaces: readonly (MfaMethod | null)[] = [...mfaMethods, null];

/** Number of device codes (system, browser, surface). */
export const deviceCodes = operatingSystems.length * browserPlaces.length * surfaces.length;

/** Number of device codes per system; a device code divided by it gives the index of its system. */
export const deviceCodesOfSystem = browserPlaces.length * surfaces.length;

/** Number of factor codes: none, or provider and method. */
export const factorCodes = 1 + mfaProviders.length * methodPlaces.length;

/** Bits for the other conditions of an attempt. */
export const circumstance = {
  sso: 1,
  registeredThisSession: 2,
  registrationPageBlocked: 4,
  registrationConditionUnmet: 8,
  termsOfUse: 16,
  customControls: 32,
} as const;
const signInContexts = 2 ** Object.keys(circumstance).length;

/** Number of attempt codes. */
export const attemptCodes = deviceCodes * factorCodes * signInContexts;

/** Returns the code of a device. */
export function deviceCode(os: OperatingSystem, browser: Browser | null, surface: Surface): number {
  const place = operatingSystems.indexOf(os) * browserPlaces.length + browserPlaces.indexOf(browser);
  return place * surfaces.length + surfaces.indexOf(surface);
}

/** Returns the code of a second factor; 0 if none was completed. */
export function factorCode(mfa: { readonly provider: MfaProvider; readonly method: MfaMethod | null } | null): number {
  if (mfa === null) return 0;
  return 1 + mfaProviders.indexOf(mfa.provider) * methodPlaces.length + methodPlaces.indexOf(mfa.method);
}

/** Facts in an attempt code: all except time and device. */
export type CodedAttempt = Omit<AttemptFacts, 'nowMs' | 'deviceId'>;

/** Returns the facts of an attempt code. */
export function decodeAttempt(code: number): CodedAttempt {
  const device = code % deviceCodes;
  const factor = Math.floor(code / deviceCodes) % factorCodes;
  const bits = Math.floor(code / deviceCodes / factorCodes);
  const browserPlace = Math.floor(device / surfaces.length) % browserPlaces.length;
  const isOn = (bit: number): boolean => (bits & bit) !== 0;
  return {
    os: operatingSystems[Math.floor(device / surfaces.length / browserPlaces.length)] ?? 'unknown',
    browser: browserPlaces[browserPlace] ?? null,
    surface: surfaces[device % surfaces.length] ?? 'browser',
    mfa: toMfa(factor),
    ssoSession: isOn(circumstance.sso),
    registeredThisSession: isOn(circumstance.registeredThisSession),
    conditionalAccess: {
      registrationPageBlocked: isOn(circumstance.registrationPageBlocked),
      registrationConditionMet: !isOn(circumstance.registrationConditionUnmet),
    },
    termsOfUse: isOn(circumstance.termsOfUse),
    customControls: isOn(circumstance.customControls),
  };
}

function toMfa(factor: number): AttemptFacts['mfa'] {
  if (factor === 0) return { completed: false, provider: 'service', method: null };
  const place = factor - 1;
  return {
    completed: true,
    provider: mfaProviders[Math.floor(place / methodPlaces.length)] ?? 'service',
    method: methodPlaces[place % methodPlaces.length] ?? null,
  };
}
