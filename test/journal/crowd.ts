/** A campaign that asks everyone at every sign-in and always lets them skip. */
export const askedEachTime = {
  campaign: {
    state: 'enabled',
    snoozeDurationInDays: 0,
    enforceRegistrationAfterAllowedSnoozes: false,
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  },
} as const;

/** Users who answer the second factor by text message, `user-0` and so on. */
export function crowd(count: number): readonly { readonly id: string }[] {
  return Array.from({ length: count }, (_, index) => ({ id: `user-${index}` }));
}
