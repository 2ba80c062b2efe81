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
import { digestOfParts, fixturePasswordHash, hashToken } from '../../core/secrets.ts';
import { createAccountKey } from './account-key.ts';

type Parsed = z.output<typeof lookupSchema>;

/**
 * The lookup service that a fixture describes, complete: what is left out is as the program ships it, passwords and tokens
 * are hashed, and known queries are kept as keyed hashes. Takes the description, or what this function returned, and the seed
 * of the sandbox. Throws `bad-request` naming every fault.
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

/** Without tokens of their own, accounts of their own have none: those that ship belong to the accounts that ship. */
function plannedTokens({ tokens, accounts }: Parsed): LookupSetup['tokens'] {
  if (tokens === undefined) return accounts === undefined ? defaultLookup.tokens : [];
  return tokens.map(({ id, account, name, token, tokenHash }) => ({
    id,
    account,
    name: name ?? id,
    tokenHash: tokenHash ?? hashToken(token ?? ''),
  }));
}

/** Tools with what they leave out. */
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

/** Hashes of the passwords of fixtures that were made in this process: one costs much, and many sandboxes share a fixture. */
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

/** A known answer as it is kept. Takes one of the schema and the seed of the sandbox. */
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
    return [{ location: `${place}.${index}.${key}`, message: 'another one has it already' }];
  });
}

/** Tokens of accounts that are not there. */
function strangers({ accounts, tokens }: LookupSetup): readonly ValidationProblem[] {
  const ids = new Set(accounts.map(({ id }) => id));
  return tokens.flatMap(({ account }, index) =>
    ids.has(account)
      ? []
      : [{ location: `lookup.tokens.${index}.account`, message: `there is no account "${account}"` }],
  );
}

function unknownTools({ known = [] }: Parsed, tools: LookupSetup['tools']): readonly ValidationProblem[] {
  return known.flatMap(({ type, tool }, index) =>
    type === undefined || tool === undefined || tools[type].some(({ id }) => id === tool)
      ? []
      : [{ location: `lookup.known.${index}.tool`, message: `"${tool}" is no tool of type ${type}` }],
  );
}
