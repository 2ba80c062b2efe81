import {
  allTools,
  type LookupTool,
  type LookupType,
  lookupQueryCharactersMax,
  lookupQueryPattern,
  lookupTypes,
} from '../../contract/lookup.schema.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { endSentence, suggestName } from '../../core/nearest-name.ts';

/** Parsed call of the lookup API. */
export type LookupCommand =
  | { readonly action: 'tools' | 'usage' }
  | {
      readonly action: null;
      readonly type: LookupType;
      readonly query: string;
      /** Requested tools, and the request value that names them. */
      readonly tool: string;
      readonly tools: readonly LookupTool[];
    };

/** Unparsed parameters of a call. */
export interface SentParameters {
  /** Values by parameter name, in request order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Names, or substitutes for names, of parameters with an invalid encoding. */
  readonly malformed: readonly string[];
}

const parameterNames = ['type', 'query', 'tool', 'action', 'api_key'];
const actions = ['tools', 'usage'] as const;

/** Parses the query of a URL. `query` is the original text without the question mark. */
export function sentParameters(query: string): SentParameters {
  const values = new Map<string, string[]>();
  const malformed: string[] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decoded(at === -1 ? pair : pair.slice(0, at));
    const value = decoded(at === -1 ? '' : pair.slice(at + 1));
    if (name === null || value === null)
      malformed.push(parameterNames.find((known) => known === name) ?? 'a parameter');
    if (name === null) continue;
    const held = values.get(name);
    if (held === undefined) values.set(name, [value ?? '']);
    else held.push(value ?? '');
  }
  return { values, malformed };
}

/** Decodes a form-encoded text. Returns `null` if the encoding is invalid or not UTF-8. */
function decoded(text: string): string | null {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Parses a call of the lookup API (L2, L3) with the available tools. Throws `bad-request` with every problem. */
export function parseLookupCommand(
  sent: SentParameters,
  toolsOf: Readonly<Record<LookupType, readonly LookupTool[]>>,
): LookupCommand {
  const problems: ValidationProblem[] = [...faultsOfSending(sent)];
  const [type, query, tool, action] = ['type', 'query', 'tool', 'action'].map((name) => sent.values.get(name)?.[0]);
  if (action !== undefined) {
    const others = ['type', 'query', 'tool'].filter((name) => sent.values.has(name));
    problems.push(...others.map((place) => ({ location: place, message: 'cannot be combined with action' })));
    const known = actions.find((word) => word === action);
    if (known === undefined) problems.push({ location: 'action', message: describeAllowed(action, actions) });
    else if (problems.length === 0) return { action: known };
    throw new NudgeLabError('bad-request', { message: formatMessage(problems), problems });
  }
  const knownType = lookupTypes.find((word) => word === type);
  if (knownType === undefined) problems.push({ location: 'type', message: describeAllowed(type, lookupTypes) });
  problems.push(...faultsOfQuery(query, knownType));
  const candidates = knownType === undefined ? [] : toolsOf[knownType];
  const tools = tool === allTools ? candidates : candidates.filter(({ id }) => id === tool);
  if (tools.length === 0 && (knownType !== undefined || tool === undefined || tool === '')) {
    problems.push({ location: 'tool', message: allowedTools(knownType, candidates, tool) });
  }
  if (problems.length > 0 || knownType === undefined || query === undefined || tool === undefined) {
    throw new NudgeLabError('bad-request', { message: formatMessage(problems), problems });
  }
  return { action: null, type: knownType, query, tool, tools };
}

function faultsOfSending({ values, malformed }: SentParameters): readonly ValidationProblem[] {
  const problems: ValidationProblem[] = malformed.map((place) => ({
    location: place,
    message: 'must be percent-encoded UTF-8',
  }));
  for (const [place, { length }] of values) {
    if (!parameterNames.includes(place)) {
      problems.push({ location: 'a parameter', message: `is unknown; allowed: ${parameterNames.join(', ')}` });
    } else if (length > 1) problems.push({ location: place, message: 'must not be repeated' });
  }
  return problems;
}

/**
 * Returns true if a text has an at sign with text on both sides, which is the definition of an email address in L2.
 * A username can be any text.
 */
function isEmail(text: string): boolean {
  return text.includes('@') && !text.startsWith('@') && !text.endsWith('@');
}

function faultsOfQuery(query: string | undefined, type: LookupType | undefined): readonly ValidationProblem[] {
  const fault = (message: string) => [{ location: 'query', message }];
  if (query === undefined || query === '') return fault(`must have 1 to ${lookupQueryCharactersMax} characters`);
  if (query.length > lookupQueryCharactersMax && [...query].length > lookupQueryCharactersMax)
    return fault(`must have at most ${lookupQueryCharactersMax} characters`);
  if (!lookupQueryPattern.test(query)) return fault('must not contain control characters');
  if (type === 'email' && !isEmail(query.trim())) return fault('must be an email address for the type email');
  return [];
}

function allowedTools(
  type: LookupType | undefined,
  candidates: readonly LookupTool[],
  tool: string | undefined,
): string {
  if (type === undefined) return `must be the identifier of a tool, or ${allTools}`;
  const allowed = [...candidates.map(({ id }) => id), allTools];
  return `must be one of ${allowed.join(', ')} for the type ${type}${suggestName(tool ?? '', allowed)}`;
}

function describeAllowed(given: string | undefined, allowed: readonly string[]): string {
  return `must be one of ${allowed.join(', ')}${suggestName(given ?? '', allowed)}`;
}

/** Formats the error message without the sent values, which may be personal data or a misplaced token. */
function formatMessage(problems: readonly ValidationProblem[]): string {
  return endSentence(problems.map(({ location: place, message }) => `${place} ${message}`).join('; '));
}
