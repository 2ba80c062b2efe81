/** Behaviors of an authenticator and its user in each ceremony. */
export const misbehaviors = {
  approves: 'Completes every ceremony that it can.',
  refuses: 'The user declines: NotAllowedError.',
  'walks-away': 'Never responds: the ceremony stays open until the caller aborts it.',
  'times-out': 'Times out immediately: NotAllowedError, as a browser reports it after the wait.',
  'fails-second-time': 'The second ceremony that reaches the user fails with NotAllowedError; all others succeed.',
  'wrong-origin': 'Responds for an origin other than that of the page.',
  'bad-signature':
    'Signs the wrong data. A registration always includes an attestation with that signature, even if none was requested.',
  'replayed-challenge': 'Uses the challenge of its previous ceremony; in the first ceremony, one that it generates.',
} as const;
export type Misbehavior = keyof typeof misbehaviors;

/** Origin that the misbehavior `wrong-origin` uses in place of the page's origin. */
export const wrongOrigin = 'https://wrong-origin.example';
