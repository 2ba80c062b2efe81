/** Model of a property that names none. */
export const modelDefault = 'lifecycle';

/** Names of the models whose sign-ins are evaluated by a ruleset. */
export const campaignModelNames = [modelDefault, 'tenant', 'tenant-large'] as const;

/** Names of the built-in models. */
export const modelNames: readonly string[] = [
  ...campaignModelNames,
  'nudge',
  'sign-in',
  'campaign',
  'passkey-eligibility',
  'document',
];
