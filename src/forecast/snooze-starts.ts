/**
 * Start of the snooze period after an action: no snooze, the time of the action, or the end of the prompt lifetime.
 */
export const snoozeStarts = { none: 0, atAnswer: 1, atLifetimeEnd: 2 } as const;
