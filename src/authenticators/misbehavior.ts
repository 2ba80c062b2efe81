/** Behaviors of an authenticator and its user in each ceremony. */
export const misbehaviors = {
  approves: 'Answers every ceremony that it can.',
  refuses: 'The user says no: NotAllowedError.',
  'walks-away': 'Never answers: the ceremony stays open until its caller gives up.',
  'times-out': 'The time of the ceremony is over at once: NotAllowedError, as a browser reports it after the wait.',
  'fails-second-time': 'The second ceremony that reaches the user fails with NotAllowedError; all others are answered.',
  'wrong-origin': 'Answers for another origin than that of the page.',
  'bad-signature': 'Signs something else. At a registration it attests with that signature, asked for or not.',
  'replayed-challenge': 'Answers with the challenge of its previous ceremony, the first time with one of its own.',
} as const;
export type Misbehavior = keyof typeof misbehaviors;

/** Origin that the misbehavior `wrong-origin` uses in place of the page's origin. */
export const wrongOrigin = 'https://wrong-origin.example';
