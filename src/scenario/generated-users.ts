import { faker } from '@faker-js/faker/locale/en';
import type { RegisteredMethod } from '../../machines/vocabulary.ts';
import { NudgeLabError } from '../core/errors.ts';
import { usersMax } from '../core/limits.ts';

/** User in the input format of a sandbox. Omitted properties have their default. */
export interface GeneratedUser {
  readonly id: string;
  readonly userPrincipalName: string;
  readonly displayName: string;
  readonly type: 'member' | 'guest';
  readonly methods: readonly RegisteredMethod[];
}

/** Typical combinations of registered methods. The weights are percentages. */
const methodMix: readonly { readonly weight: number; readonly value: readonly RegisteredMethod[] }[] = [
  { weight: 40, value: ['sms'] },
  { weight: 10, value: ['voice'] },
  { weight: 10, value: ['sms', 'voice'] },
  { weight: 15, value: ['authenticator-totp'] },
  { weight: 15, value: ['authenticator-push'] },
  { weight: 7, value: ['sms', 'authenticator-push'] },
  { weight: 3, value: ['hardware-totp'] },
];

const guestShare = 0.1;

/**
 * Generates synthetic users. The same count and random seed give the same users on every machine. All email
 * addresses end in the reserved domain `example.test`. Throws `bad-request` if there are too many.
 *
 * @param count - number of users
 * @param seed - random seed
 */
export function generateUsers(count: number, seed: number): readonly GeneratedUser[] {
  if (!Number.isInteger(count) || count < 0 || count > usersMax) {
    throw new NudgeLabError('bad-request', {
      problems: [{ location: 'population', message: `${count} is not a whole number from 0 to ${usersMax}` }],
    });
  }
  faker.seed(seed);
  return Array.from({ length: count }, (_, index) => {
    const firstName = faker.person.firstName();
    const lastName = faker.person.lastName();
    const id = `user-${String(index + 1).padStart(String(count).length, '0')}`;
    const handle = `${firstName}.${lastName}`.toLowerCase().replaceAll(/[^a-z.]/g, '');
    return {
      id,
      // The number distinguishes users with the same name.
      userPrincipalName: `${handle}.${index + 1}@example.test`,
      displayName: `${firstName} ${lastName}`,
      type: faker.datatype.boolean({ probability: guestShare }) ? 'guest' : 'member',
      methods: faker.helpers.weightedArrayElement(methodMix),
    };
  });
}
