import type { Faker, Randomizer } from '@faker-js/faker';
import { faker as shared } from '@faker-js/faker/locale/en';
import type { KnownResponse, LookupField, LookupTool } from '../../contract/lookup.schema.ts';
import { type RandomSource, randomSource } from '../../core/random.ts';
import { digestOfParts } from '../../core/secrets.ts';

let draw: RandomSource = randomSource(0);

/**
 * Random source of this program for the library. Seeding the library's own source takes longer than generating an
 * account.
 */
const draws: Randomizer = {
  next: () => draw(),
  seed: (seed) => {
    draw = randomSource(typeof seed === 'number' ? seed : (seed[0] ?? 0));
  },
};

/** The single-locale module exports only an instance, so the class is taken from that instance. */
const OneLocale = shared.constructor as new (options: {
  locale: Faker['rawDefinitions'];
  randomizer: Randomizer;
}) => Faker;
const faker = new OneLocale({ locale: shared.rawDefinitions, randomizer: draws });

/** Facts that a tool returns about an account, except for its profile URL. */
export interface AccountFacts {
  readonly username: string;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * Number of hexadecimal digits in an account id that come from its key, and of check digits that prove that the id
 * was issued.
 */
const keyDigits = 24;
const checkDigits = 8;

/** Creates the id of an account for URLs, which does not reveal the query. Only issued ids are valid. */
export function createAccountId(key: string, toolId: string): string {
  const beginning = key.slice(0, keyDigits);
  return `${beginning}${computeCheck(beginning, toolId)}`;
}

/** Returns true if a tool has issued an id. */
export function isAccountId(id: string, toolId: string): boolean {
  const beginning = id.slice(0, keyDigits);
  return id.length === keyDigits + checkDigits && id.slice(keyDigits) === computeCheck(beginning, toolId);
}

/** Returns the prefix of the key in an account id. */
export function getKeyPrefix(id: string): string {
  return id.slice(0, keyDigits);
}

function computeCheck(beginning: string, toolId: string): string {
  return digestOfParts('lookup account', beginning, toolId).slice(0, checkDigits);
}

/** Converts a key to a number from 0 (inclusive) to 1 (exclusive), which decides whether an account exists. */
export function computeShare(key: string): number {
  return Number.parseInt(key.slice(-8), 16) / 2 ** 32;
}

/**
 * Returns the facts of an account, which depend only on its id and tool, or on the known values in a fixture, so
 * the profile page can show the same facts again.
 */
export function accountFacts(
  tool: Pick<LookupTool, 'id' | 'fields'>,
  id: string,
  known: KnownResponse | null,
): AccountFacts {
  // The same id prefix means different accounts in two tools, and the check digits distinguish them.
  faker.seed(Number.parseInt(id.slice(-8), 16) ^ Number.parseInt(id.slice(0, 8), 16));
  const username = faker.internet.username().toLowerCase();
  const generated = Object.fromEntries(tool.fields.map((field) => [field, made[field]()]));
  return { username: known?.username ?? username, fields: known?.fields ?? generated };
}

/** Earliest and latest dates for creation and use of accounts, independent of the clock. */
const oldest = '2009-01-01T00:00:00.000Z';
const newest = '2025-12-31T00:00:00.000Z';

const made: Readonly<Record<LookupField, () => string | number | boolean>> = {
  name: () => faker.person.fullName(),
  bio: () => faker.person.bio(),
  location: () => faker.location.city(),
  language: () => faker.helpers.arrayElement(['en', 'de', 'fr', 'es', 'it', 'pl', 'nl', 'pt']),
  followers: () => faker.number.int({ max: 25_000 }),
  following: () => faker.number.int({ max: 2_000 }),
  posts: () => faker.number.int({ max: 9_000 }),
  verified: () => faker.datatype.boolean({ probability: 0.1 }),
  created_at: () => faker.date.between({ from: oldest, to: newest }).toISOString(),
};
