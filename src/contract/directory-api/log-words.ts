import type { Browser, MfaMethod, OperatingSystem } from '../../../machines/vocabulary.ts';

/** Words of the sign-in log and the audit log on the wire. They are data, so the code contains no name of a provider. */
export const logWords = {
  /** Resource that all sign-ins are for. */
  resource: { id: '00000003-0000-0000-c000-000000000000', name: 'Graph' },
  /** Application of a sign-in that starts on the pages of the server. */
  pages: { id: 'nudgelab-pages', name: 'NudgeLab' },
  /** Application that audit rows name for changes without a caller. */
  control: 'nudgelab-control',
  surface: { browser: 'Browser', app: 'Mobile Apps and Desktop clients' },
  operatingSystems: {
    windows: 'Windows10',
    macos: 'MacOs',
    ios: 'Ios 18',
    android: 'Android 15',
    linux: 'Linux',
    unknown: 'ChromeOs',
  } satisfies Readonly<Record<OperatingSystem, string>>,
  browsers: {
    chrome: 'Chrome 140.0.0',
    edge: 'Edge 140.0.0',
    firefox: 'Firefox 140.0',
    safari: 'Safari 18.0',
    other: 'Opera 120.0',
  } satisfies Readonly<Record<Browser, string>>,
  mobileSafari: 'Mobile Safari 18.0',
  managedTrust: 'AzureAd',
  issuer: 'AzureAD',
  protocols: { none: 'oAuth2', device: 'deviceCode' },
  requirements: { first: 'Primary authentication', second: 'Multifactor authentication' },
  requirement: { single: 'singleFactorAuthentication', multi: 'multiFactorAuthentication' },
  steps: {
    password: 'Password',
    external: 'External authentication method',
    remembered: 'Previously satisfied',
    sms: 'SMS',
    voice: 'Voice',
    'authenticator-push': 'Authenticator App',
    'authenticator-totp': 'Software OATH token',
    'hardware-totp': 'Hardware OATH token',
    passkey: 'Passkey',
  } satisfies Readonly<Record<MfaMethod | 'password' | 'external' | 'remembered', string>>,
  eventTypes: { interactive: 'interactiveUser', silent: 'nonInteractiveUser' },
  crossTenant: { own: 'none', guest: 'b2bCollaboration' },
  networkType: 'namedNetwork',
  policies: {
    termsOfUse: { name: 'Terms of use', grant: 'TermsOfUse' },
    customControls: { name: 'Custom controls', grant: 'CustomControls' },
  },
  /** Result codes with their failure reasons. */
  codes: {
    success: { errorCode: 0, failureReason: 'Other.' },
    promptSkippable: {
      errorCode: 50203,
      failureReason: 'The user did not register an authentication method, which could be skipped.',
    },
    promptRequired: {
      errorCode: 502031,
      failureReason: 'The user did not register an authentication method, which is required.',
    },
    registers: {
      errorCode: 50079,
      failureReason: 'The user has to register for multifactor authentication.',
    },
    secondFactor: { errorCode: 50074, failureReason: 'Strong authentication is required.' },
    staySignedIn: { errorCode: 50140, failureReason: 'The user was asked whether to stay signed in.' },
  },
} as const;
