import { z } from 'zod';
import type { Facts } from '../../../machines/vocabulary.ts';
import { completeFacts, factsSchema, tenantFactsSchema } from '../../contract/facts.schema.ts';
import { problemsOf } from '../../contract/parse.ts';
import type { Problem } from '../../core/errors.ts';

/** Tenants that are remembered; when there are more, all are forgotten. */
const tenantsMax = 2_048;

/** Facts but for the tenant, which is parsed once however many lines carry it. */
const restSchema = factsSchema.extend({ tenant: z.unknown() });

type ParsedTenant = z.output<typeof tenantFactsSchema>;

/** Facts with the ruleset that they name, or what is wrong with them. */
export type ReadFacts =
  | { readonly facts: Facts; readonly ruleset: string | undefined }
  | { readonly problems: readonly Problem[] };

/** Reads facts by the schema. A file has many lines about few tenants, and a tenant is most of a line. */
export class FactsReader {
  readonly #tenants = new Map<string, ParsedTenant>();

  /** The facts that a value of JSON stands for, complete. */
  read(value: unknown): ReadFacts {
    const rest = restSchema.safeParse(value);
    const tenant = rest.success ? this.#tenant(rest.data.tenant === undefined ? {} : rest.data.tenant) : null;
    if (rest.success && tenant !== null) return completeFacts({ ...rest.data, tenant });
    const whole = factsSchema.safeParse(value);
    return whole.success
      ? completeFacts(whole.data)
      : { problems: problemsOf(factsSchema, whole.error, value, 'facts') };
  }

  #tenant(value: unknown): ParsedTenant | null {
    const key = JSON.stringify(value);
    const known = this.#tenants.get(key);
    if (known !== undefined) return known;
    const parsed = tenantFactsSchema.safeParse(value);
    if (!parsed.success) return null;
    if (this.#tenants.size >= tenantsMax) this.#tenants.clear();
    this.#tenants.set(key, parsed.data);
    return parsed.data;
  }
}
