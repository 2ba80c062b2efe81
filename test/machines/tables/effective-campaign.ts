/**
 * Values of the provider by the four rollout switches (A19, A30). The switches are in the order method, snooze days,
 * snooze limit, targeting, and 1 means rolled out. The values are the targeted method, the days, and limited or
 * unlimited.
 */
export const managedValues: readonly {
  readonly switches: string;
  readonly seed: string;
  readonly september: string;
}[] = [
  { switches: '0000', seed: 'vendorAuthenticator 3 limited', september: 'vendorAuthenticator 1 limited' },
  { switches: '0001', seed: 'vendorAuthenticator 3 limited', september: 'vendorAuthenticator 1 limited' },
  { switches: '0010', seed: 'vendorAuthenticator 3 unlimited', september: 'vendorAuthenticator 1 limited' },
  { switches: '0011', seed: 'vendorAuthenticator 3 unlimited', september: 'vendorAuthenticator 1 limited' },
  { switches: '0100', seed: 'vendorAuthenticator 1 limited', september: 'vendorAuthenticator 1 limited' },
  { switches: '0101', seed: 'vendorAuthenticator 1 limited', september: 'vendorAuthenticator 1 limited' },
  { switches: '0110', seed: 'vendorAuthenticator 1 unlimited', september: 'vendorAuthenticator 1 limited' },
  { switches: '0111', seed: 'vendorAuthenticator 1 unlimited', september: 'vendorAuthenticator 1 limited' },
  { switches: '1000', seed: 'fido2 3 limited', september: 'fido2 1 unlimited' },
  { switches: '1001', seed: 'fido2 3 limited', september: 'fido2 1 unlimited' },
  { switches: '1010', seed: 'fido2 3 unlimited', september: 'fido2 1 unlimited' },
  { switches: '1011', seed: 'fido2 3 unlimited', september: 'fido2 1 unlimited' },
  { switches: '1100', seed: 'fido2 1 limited', september: 'fido2 1 unlimited' },
  { switches: '1101', seed: 'fido2 1 limited', september: 'fido2 1 unlimited' },
  { switches: '1110', seed: 'fido2 1 unlimited', september: 'fido2 1 unlimited' },
  { switches: '1111', seed: 'fido2 1 unlimited', september: 'fido2 1 unlimited' },
];

/**
 * Values of the provider if the tenant’s passkey policy restricts AAGUIDs. The method remains the app (A19, A28).
 */
export const managedValuesRestricted: typeof managedValues = [
  { switches: '0000', seed: 'vendorAuthenticator 3 limited', september: 'vendorAuthenticator 1 limited' },
  { switches: '1000', seed: 'vendorAuthenticator 3 limited', september: 'vendorAuthenticator 1 limited' },
  { switches: '1010', seed: 'vendorAuthenticator 3 unlimited', september: 'vendorAuthenticator 1 limited' },
  { switches: '1100', seed: 'vendorAuthenticator 1 limited', september: 'vendorAuthenticator 1 limited' },
  { switches: '1111', seed: 'vendorAuthenticator 1 unlimited', september: 'vendorAuthenticator 1 limited' },
];

/**
 * Values configured by the tenant: stored days and limit, and the effective values for paid and for free or trial
 * (A20).
 */
export const storedValues: readonly {
  readonly days: number | null;
  readonly enforce: boolean | null;
  readonly paid: string;
  readonly freeOrTrial: string;
}[] = [
  { days: null, enforce: null, paid: '1 limited', freeOrTrial: '1 limited' },
  { days: null, enforce: false, paid: '1 unlimited', freeOrTrial: '1 limited' },
  { days: 0, enforce: true, paid: '0 limited', freeOrTrial: '0 limited' },
  { days: 0, enforce: false, paid: '0 unlimited', freeOrTrial: '0 limited' },
  { days: 5, enforce: null, paid: '5 limited', freeOrTrial: '5 limited' },
  { days: 14, enforce: false, paid: '14 unlimited', freeOrTrial: '14 limited' },
];
