/** From when the snooze runs that an answer began: no snooze, the answer, or the end of the prompt's lifetime. */
export const snoozeStarts = { none: 0, atAnswer: 1, atLifetimeEnd: 2 } as const;
