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
 * The facts of an attempt as one number: all that a rule reads of it but its time and its device. So millions of attempts are a
 * column of numbers, and the rules are asked once for each number that is there.
 */

const browserPlaces: readonly (Browser | null)[] = [...browsers, null];
const methodPlaces: readonly (MfaMethod | null)[] = [...mfaMethods, null];

/** How many devices (system, browser, surface) there are. */
export const deviceCodes = operatingSystems.length * browserPlaces.length * surfaces.length;

/** How many devices there are of one system; a code of a device divided by it is the place of its system. */
export const deviceCodesOfSystem = browserPlaces.length * surfaces.length;

/** How many second factors there are: none, or provider and method. */
export const factorCodes = 1 + mfaProviders.length * methodPlaces.length;

/** Bits of what else is true of an attempt. */
export const circumstance = {
  sso: 1,
  registeredThisSession: 2,
  registrationPageBlocked: 4,
  registrationConditionUnmet: 8,
  termsOfUse: 16,
  customControls: 32,
} as const;
const signInContexts = 2 ** Object.keys(circumstance).length;

/** How many attempt codes there are. */
export const attemptCodes = deviceCodes * factorCodes * signInContexts;

/** The code of a device. */
export function deviceCode(os: OperatingSystem, browser: Browser | null, surface: Surface): number {
  const place = operatingSystems.indexOf(os) * browserPlaces.length + browserPlaces.indexOf(browser);
  return place * surfaces.length + surfaces.indexOf(surface);
}

/** The code of a second factor; 0 where none was completed. */
export function factorCode(mfa: { readonly provider: MfaProvider; readonly method: MfaMethod | null } | null): number {
  if (mfa === null) return 0;
  return 1 + mfaProviders.indexOf(mfa.provider) * methodPlaces.length + methodPlaces.indexOf(mfa.method);
}

/** What an attempt code stands for; the rest of the facts are time and device. */
export type CodedAttempt = Omit<AttemptFacts, 'nowMs' | 'deviceId'>;

/** The facts that an attempt code stands for. */
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
    mfa: mfaOf(factor),
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

function mfaOf(factor: number): AttemptFacts['mfa'] {
  if (factor === 0) return { completed: false, provider: 'service', method: null };
  const place = factor - 1;
  return {
    completed: true,
    provider: mfaProviders[Math.floor(place / methodPlaces.length)] ?? 'service',
    method: methodPlaces[place % methodPlaces.length] ?? null,
  };
}
