import type { z } from 'zod';
import type { Facts } from '../../../machines/vocabulary.ts';
import { completeFacts } from '../../contract/attempt-facts.ts';
import { factsSchema, tenantFactsSchema } from '../../contract/facts.schema.ts';
import { listProblems } from '../../contract/parse.ts';
import type { ValidationProblem } from '../../core/errors.ts';

/** Tenants that are remembered; when there are more, all are forgotten. */
const tenantsMax = 2_048;

/** How a line begins that names its tenant first, and how its user follows. */
const tenantStart = '{"tenant":';
const userStart = ',"user":';

const restSchema = factsSchema.omit({ tenant: true });

type ParsedTenant = z.output<typeof tenantFactsSchema>;

/** Facts with the ruleset that they name, or what is wrong with them. */
export type ReadFacts =
  | { readonly facts: Facts; readonly ruleset: string | undefined }
  | { readonly problems: readonly ValidationProblem[] };

/** Reads lines of facts. A file has many lines about few tenants, and the tenant is most of a line, so it is read once. */
export class FactsReader {
  readonly #tenants = new Map<string, ParsedTenant>();

  /** The facts of a line, complete, or every fault of it. */
  read(line: string): ReadFacts {
    return this.#readInParts(line) ?? readWhole(line);
  }

  /**
   * Reads the tenant, which is known by its text, and the rest apart. What stands before the user is a whole value of JSON, or
   * it is not taken for the tenant; so the two parts are good exactly when the line is. Returns `null` where that may not be.
   */
  #readInParts(line: string): ReadFacts | null {
    const end = line.indexOf(userStart);
    if (end < 0 || !line.startsWith(tenantStart)) return null;
    const tenant = this.#tenant(line.slice(tenantStart.length, end));
    if (tenant === null) return null;
    const rest = restSchema.safeParse(jsonOf(`{${line.slice(end + 1)}`));
    return rest.success ? completeFacts({ ...rest.data, tenant }) : null;
  }

  #tenant(text: string): ParsedTenant | null {
    const known = this.#tenants.get(text);
    if (known !== undefined) return known;
    const parsed = tenantFactsSchema.safeParse(jsonOf(text));
    if (!parsed.success) return null;
    if (this.#tenants.size >= tenantsMax) this.#tenants.clear();
    // A copy: a part of a text keeps the whole text in memory.
    this.#tenants.set(Buffer.from(text).toString(), parsed.data);
    return parsed.data;
  }
}

function readWhole(line: string): ReadFacts {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const message = `it is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return { problems: [{ location: '', message }] };
  }
  const whole = factsSchema.safeParse(value);
  return whole.success
    ? completeFacts(whole.data)
    : { problems: listProblems(factsSchema, whole.error, value, 'facts') };
}

/** The value of a text of JSON; nothing, which no schema takes, where it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
