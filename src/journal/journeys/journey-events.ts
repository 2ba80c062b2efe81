import type { EventType, JournalEvent } from '../journal-event.ts';

/**
 * Event types that journeys contain. Lookups, documents, revocations and refreshes of tokens do not belong to a campaign,
 * so they are only counted.
 */
const partOfJourney: Readonly<Record<EventType, boolean>> = {
  'sandbox.created': false,
  'clock.set': true,
  'state.restored': true,
  'tenant.changed': true,
  'user.saved': true,
  'user.removed': true,
  'snooze.set': true,
  'method.removed': true,
  'method.added': true,
  'passkey.added': true,
  'passkey.removed': true,
  'user.directoryChanged': true,
  'passkey.renamed': true,
  'faults.set': true,
  'lookup.charged': false,
  'lookup.changed': false,
  'lookup.accountSaved': false,
  'lookup.tokenIssued': false,
  'lookup.tokenRenamed': false,
  'lookup.tokenRevoked': false,
  'document.added': false,
  'document.syntheticAdded': false,
  'document.changed': false,
  'document.transitioned': false,
  'document.removed': false,
  'nextSignIn.set': true,
  'pendingClose.settled': true,
  'browser.cleared': true,
  'ledger.reset': true,
  'token.revoked': false,
  'tokens.refreshed': false,
  'keys.rotated': false,
  'signIn.started': true,
  'password.accepted': true,
  'mfa.methodListOpened': true,
  'mfa.methodChosen': true,
  'code.sent': true,
  'push.sent': true,
  'push.answered': true,
  'mfa.completed': true,
  'interstitial.passed': true,
  'prompt.nextSelected': true,
  'prompt.skipped': true,
  'prompt.resumed': true,
  'browser.closed': true,
  'passkey.created': true,
  'setup.completed': true,
  'setup.failed': true,
  'errorScreen.skipped': true,
};

/** Event types of the journal. */
export const eventTypes: readonly string[] = Object.keys(partOfJourney);

/** Returns `true` if journeys contain the event. */
export function isPartOfJourney({ type }: Pick<JournalEvent, 'type'>): boolean {
  return partOfJourney[type];
}

/** Returns `true` if the text is an event type that journeys contain. */
export function isJourneyEventType(type: string): boolean {
  return Object.hasOwn(partOfJourney, type) && partOfJourney[type as EventType];
}

const passwordShown = 'correct horse';
const codeShown = '123456';

/**
 * Removes secrets from an event: passwords and codes are replaced with those of the fixtures, and the text from which a
 * test key is derived is removed.
 */
export function withoutSecrets(event: JournalEvent): JournalEvent {
  switch (event.type) {
    case 'user.saved':
      return { ...event, user: { ...event.user, password: passwordShown, code: codeShown } };
    case 'passkey.added':
    case 'passkey.created':
      return { ...event, credential: publicPart(event.credential) };
    case 'setup.completed':
      return event.credential === undefined ? event : { ...event, credential: publicPart(event.credential) };
    default:
      return event;
  }
}

/** Returns the public part of a credential: everything except the text from which a test key is derived. */
export function publicPart<C extends { readonly seededBy?: string | undefined }>(credential: C): C {
  const { seededBy: _secret, ...rest } = credential;
  return rest as C;
}
