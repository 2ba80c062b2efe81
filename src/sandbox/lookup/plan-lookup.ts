import type { z } from 'zod';
import {
  type KnownResponse,
  type LookupAccount,
  type LookupSetup,
  type LookupTool,
  type LookupType,
  lookupSchema,
  lookupTypes,
} from '../../contract/lookup.schema.ts';
import { createKnownQuery, createUnknownQuery, defaultLookup } from '../../contract/lookup-defaults.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { suggestName } from '../../core/nearest-name.ts';
import { digestOfParts, fixturePasswordHash, hashToken } from '../../core/secrets.ts';
import { createAccountKey } from './account-key.ts';

type Parsed = z.output<typeof lookupSchema>;

/**
 * Completes the lookup service of a fixture. Omitted parts have the built-in values, passwords and tokens are
 * hashed, and known queries are stored as keyed hashes. Throws `bad-request` with every problem.
 *
 * @param given - description of the service, or an earlier result of this function
 * @param seed - random seed of the sandbox
 */
export function planLookup(given: unknown, seed: number): LookupSetup {
  const parsed = parseOr('bad-request', lookupSchema, given, 'lookup');
  const setup: LookupSetup = {
    tools: parsed.tools === undefined ? defaultLookup.tools : completeTools(parsed.tools),
    accounts: parsed.accounts?.map(completeAccount) ?? defaultLookup.accounts,
    tokens: plannedTokens(parsed),
    settings: parsed.settings ?? defaultLookup.settings,
    known: parsed.known?.map((answer) => keptAnswer(answer, seed)) ?? [],
  };
  const problems = [
    ...lookupTypes.flatMap((type) => doubles(setup.tools[type], 'id', `lookup.tools.${type}`)),
    ...doubles(setup.accounts, 'id', 'lookup.accounts'),
    ...doubles(setup.accounts, 'email', 'lookup.accounts'),
    ...doubles(setup.tokens, 'id', 'lookup.tokens'),
    ...doubles(setup.tokens, 'tokenHash', 'lookup.tokens'),
    ...strangers(setup),
    ...unknownTools(parsed, setup.tools),
  ];
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
  return setup;
}

/**
 * Returns the planned tokens. Custom accounts have no tokens by default, because the built-in tokens belong to the
 * built-in accounts.
 */
function plannedTokens({ tokens, accounts }: Parsed): LookupSetup['tokens'] {
  if (tokens === undefined) return accounts === undefined ? defaultLookup.tokens : [];
  return tokens.map(({ id, account, name, token, tokenHash }) => ({
    id,
    account,
    name: name ?? id,
    tokenHash: tokenHash ?? hashToken(token ?? ''),
  }));
}

/** Adds the default values of tools. */
function completeTools(tools: NonNullable<Parsed['tools']>): LookupSetup['tools'] {
  return { email: tools.email.map(completeTool('email')), username: tools.username.map(completeTool('username')) };
}

function completeTool(type: LookupType): (tool: NonNullable<Parsed['tools']>['email'][number]) => LookupTool {
  return (tool) => ({
    ...tool,
    name: tool.name ?? `${tool.id.slice(0, 1).toUpperCase()}${tool.id.slice(1)}`,
    knownQuery: tool.knownQuery ?? createKnownQuery(type, tool.id),
    unknownQuery: tool.unknownQuery ?? createUnknownQuery(type, tool.id),
  });
}

/** Cache of password hashes in fixtures. A hash is expensive, and many sandboxes share a fixture. */
const passwordHashes = new Map<string, string>();
const passwordHashesMax = 1_000;

function completeAccount({
  password = '',
  passwordHash,
  ...account
}: NonNullable<Parsed['accounts']>[number]): LookupAccount {
  return { ...account, passwordHash: passwordHash ?? hashOnce(password, account.email.toLowerCase()) };
}

function hashOnce(password: string, email: string): string {
  const key = digestOfParts(email, password);
  const known = passwordHashes.get(key);
  if (known !== undefined) return known;
  const made = fixturePasswordHash(password, email);
  if (passwordHashes.size >= passwordHashesMax) passwordHashes.clear();
  passwordHashes.set(key, made);
  return made;
}

/** Converts a known response from the schema to its stored form, with the random seed of the sandbox. */
function keptAnswer(answer: NonNullable<Parsed['known']>[number], seed: number): KnownResponse {
  const { key, type = 'email', tool = '', query = '', found, username, fields } = answer;
  return {
    key: key ?? createAccountKey(seed, type, query, tool),
    found,
    ...(username === undefined ? {} : { username }),
    ...(fields === undefined ? {} : { fields }),
  };
}

function doubles<K extends string>(
  rows: readonly Readonly<Record<K, string>>[],
  key: K,
  place: string,
): readonly ValidationProblem[] {
  const seen = new Set<string>();
  return rows.flatMap((row, index) => {
    const value = row[key].toLowerCase();
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [{ location: `${place}.${index}.${key}`, message: 'is already used by another entry' }];
  });
}

/** Returns a problem for each token whose account does not exist. */
function strangers({ accounts, tokens }: LookupSetup): readonly ValidationProblem[] {
  const ids = accounts.map(({ id }) => id);
  return tokens.flatMap(({ account }, index) =>
    ids.includes(account)
      ? []
      : [
          {
            location: `lookup.tokens.${index}.account`,
            message: `account "${account}" does not exist${suggestName(account, ids)}`,
          },
        ],
  );
}

function unknownTools({ known = [] }: Parsed, tools: LookupSetup['tools']): readonly ValidationProblem[] {
  return known.flatMap(({ type, tool }, index) => {
    const ids = type === undefined ? [] : tools[type].map(({ id }) => id);
    if (type === undefined || tool === undefined || ids.includes(tool)) return [];
    const message = `"${tool}" is not one of the tools of type ${type}: ${ids.join(', ')}${suggestName(tool, ids)}`;
    return [{ location: `lookup.known.${index}.tool`, message }];
  });
}
