import type { Faker, Randomizer } from '@faker-js/faker';
import { faker as shared } from '@faker-js/faker/locale/en';
import type { KnownResponse, LookupField, LookupTool } from '../../contract/lookup.schema.ts';
import { type RandomSource, randomSource } from '../../core/random.ts';
import { digestOfParts } from '../../core/secrets.ts';

let draw: RandomSource = randomSource(0);

/** Draws of this program in place of the library's own, which takes longer to be seeded than an account to be generated. */
const draws: Randomizer = {
  next: () => draw(),
  seed: (seed) => {
    draw = randomSource(typeof seed === 'number' ? seed : (seed[0] ?? 0));
  },
};

/** The module of one locale exports an instance alone; its class is that of the library. */
const OneLocale = shared.constructor as new (options: {
  locale: Faker['rawDefinitions'];
  randomizer: Randomizer;
}) => Faker;
const faker = new OneLocale({ locale: shared.rawDefinitions, randomizer: draws });

/** What a tool says of an account besides where it is shown. */
export interface AccountFacts {
  readonly username: string;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
}

/** Hexadecimal digits of an account's id that stand for its key, and those that show that the id was given out. */
const keyDigits = 24;
const checkDigits = 8;

/** The id of an account in addresses: it tells nothing of the query, and only those that were given out are good. */
export function createAccountId(key: string, toolId: string): string {
  const beginning = key.slice(0, keyDigits);
  return `${beginning}${computeCheck(beginning, toolId)}`;
}

/** Whether a tool has given an id out. */
export function isAccountId(id: string, toolId: string): boolean {
  const beginning = id.slice(0, keyDigits);
  return id.length === keyDigits + checkDigits && id.slice(keyDigits) === computeCheck(beginning, toolId);
}

/** The beginning of a key that an account's id holds. */
export function getKeyPrefix(id: string): string {
  return id.slice(0, keyDigits);
}

function computeCheck(beginning: string, toolId: string): string {
  return digestOfParts('lookup account', beginning, toolId).slice(0, checkDigits);
}

/** A number from 0 to below 1 that says of a key whether there is an account. */
export function computeShare(key: string): number {
  return Number.parseInt(key.slice(-8), 16) / 2 ** 32;
}

/**
 * The facts of an account: they follow from its id and its tool, or from what a fixture knows of it, so that the profile page
 * can tell them again.
 */
export function accountFacts(
  tool: Pick<LookupTool, 'id' | 'fields'>,
  id: string,
  known: KnownResponse | null,
): AccountFacts {
  // Equal ids of two tools are other accounts, and the check digits tell them apart.
  faker.seed(Number.parseInt(id.slice(-8), 16) ^ Number.parseInt(id.slice(0, 8), 16));
  const username = faker.internet.username().toLowerCase();
  const generated = Object.fromEntries(tool.fields.map((field) => [field, made[field]()]));
  return { username: known?.username ?? username, fields: known?.fields ?? generated };
}

/** Accounts were made and used between these days, whatever the clock says. */
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
