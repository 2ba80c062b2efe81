import type { AttemptFacts } from '../../../../machines/vocabulary.ts';

/** Times between the row of an error and the last row of its sign-in, in milliseconds; no two are equal. */
export const leads = { secondFactor: 3_000, staySignedIn: 2_000, registers: 1_000 } as const;

/** SignInError of a sign-in that has a row of its own. */
export type SignInError = keyof typeof leads;

/** Row that a sign-in can have, and the time by which it precedes the sign-in. */
interface RowLead {
  /** `null` for the last row. */
  readonly signInError: SignInError | null;
  readonly leadMs: number;
}

/** Returns `true` if the user completed a second factor in this sign-in. */
export function isSecondFactorUsed({ mfa, ssoSession }: AttemptFacts): boolean {
  return mfa.completed && !ssoSession;
}

/** Lists the rows that a sign-in can have in order of time. The last one is always there. */
export function listLeads(attempt: AttemptFacts, asksToStay: boolean): readonly RowLead[] {
  const signInErrors: SignInError[] = [
    ...(isSecondFactorUsed(attempt) ? (['secondFactor'] as const) : []),
    ...(asksToStay ? (['staySignedIn'] as const) : []),
    ...(attempt.registeredThisSession ? (['registers'] as const) : []),
  ];
  const rows: RowLead[] = signInErrors.map((signInError) => ({ signInError, leadMs: leads[signInError] }));
  return [...rows, { signInError: null, leadMs: 0 }];
}
