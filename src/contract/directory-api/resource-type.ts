import type { z } from 'zod';

/** Type of a resource of the directory API. */
export interface ResourceType {
  readonly name: string;
  readonly schema: z.ZodObject;
  /** Properties in a response without `$select`; all of the schema if omitted. */
  readonly shown?: readonly string[];
  /** Additional ones under `/beta`. */
  readonly shownInBeta?: readonly string[];
  /** Relationships, each with the name of the related type. */
  readonly related?: Readonly<Record<string, string>>;
  /** Name of its base type. Default: none. */
  readonly base?: string;
  /** Name of the dialect's list of properties that are known but not simulated. */
  readonly notSimulated?: `${'user' | 'group' | 'role' | 'tenant' | 'signIn' | 'audit'}Properties`;
}
