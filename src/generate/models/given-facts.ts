import type { Facts } from '../../../machines/vocabulary.ts';
import { completeFacts } from '../../contract/attempt-facts.ts';
import { factsSchema } from '../../contract/facts.schema.ts';

/**
 * Completes partial facts with the defaults of the contract.
 * @param given - facts in the format of `explain --facts`
 */
export function givenFacts(given: unknown): Facts {
  return completeFacts(factsSchema.parse(given)).facts;
}
