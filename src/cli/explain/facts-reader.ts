import type { z } from 'zod';
import type { Facts } from '../../../machines/vocabulary.ts';
import { completeFacts } from '../../contract/attempt-facts.ts';
import { factsSchema, tenantFactsSchema } from '../../contract/facts.schema.ts';
import { listProblems } from '../../contract/parse.ts';
import type { ValidationProblem } from '../../core/errors.ts';

/** Maximum number of cached tenants. The cache is cleared when it is full. */
const tenantsMax = 2_048;

/** Start of a line whose first key is the tenant, and the start of the user after it. */
const tenantStart = '{"tenant":';
const userStart = ',"user":';

const restSchema = factsSchema.omit({ tenant: true });

type ParsedTenant = z.output<typeof tenantFactsSchema>;

/** Facts and the ruleset that they name, or their validation problems. */
export type ReadFacts =
  | { readonly facts: Facts; readonly ruleset: string | undefined }
  | { readonly problems: readonly ValidationProblem[] };

/**
 * Parser for lines of facts. It caches tenants, because a file contains many lines for few tenants and the tenant
 * is the largest part of a line.
 */
export class FactsReader {
  readonly #tenants = new Map<string, ParsedTenant>();

  /** Returns the complete facts of a line, or all of its validation problems. */
  read(line: string): ReadFacts {
    return this.#readInParts(line) ?? readWhole(line);
  }

  /**
   * Parses the tenant, which is cached by its text, separately from the other facts. The text before the user is
   * accepted only if it is one complete JSON value, so both parts are valid exactly when the line is valid. Returns
   * `null` if this cannot be guaranteed.
   */
  #readInParts(line: string): ReadFacts | null {
    const end = line.indexOf(userStart);
    if (end < 0 || !line.startsWith(tenantStart)) return null;
    const tenant = this.#tenant(line.slice(tenantStart.length, end));
    if (tenant === null) return null;
    const rest = restSchema.safeParse(parseJson(`{${line.slice(end + 1)}`));
    return rest.success ? completeFacts({ ...rest.data, tenant }) : null;
  }

  #tenant(text: string): ParsedTenant | null {
    const known = this.#tenants.get(text);
    if (known !== undefined) return known;
    const parsed = tenantFactsSchema.safeParse(parseJson(text));
    if (!parsed.success) return null;
    if (this.#tenants.size >= tenantsMax) this.#tenants.clear();
    // The copy is needed because a substring keeps the whole text in memory.
    this.#tenants.set(Buffer.from(text).toString(), parsed.data);
    return parsed.data;
  }
}

function readWhole(line: string): ReadFacts {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const message = `it is not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
    return { problems: [{ location: '', message }] };
  }
  const whole = factsSchema.safeParse(value);
  return whole.success
    ? completeFacts(whole.data)
    : { problems: listProblems(factsSchema, whole.error, value, 'facts') };
}

/** Parses JSON text. Returns `undefined`, which no schema accepts, if the text is invalid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
