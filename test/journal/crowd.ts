/** Campaign that prompts all users at every sign-in and always allows a skip. */
export const promptedEachTime = {
  campaign: {
    state: 'enabled',
    snoozeDurationInDays: 0,
    enforceRegistrationAfterAllowedSnoozes: false,
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  },
} as const;

/** Creates users with a text message as the second factor, named `user-0` and so on. */
export function crowd(count: number): readonly { readonly id: string }[] {
  return Array.from({ length: count }, (_, index) => ({ id: `user-${index}` }));
}
