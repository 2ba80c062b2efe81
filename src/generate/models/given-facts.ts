import type { Facts } from '../../../machines/vocabulary.ts';
import { completeFacts } from '../../contract/attempt-facts.ts';
import { factsSchema } from '../../contract/facts.schema.ts';

/** Complete facts from a few, with the defaults of the contract. Takes what `explain --facts` takes. */
export function givenFacts(given: unknown): Facts {
  return completeFacts(factsSchema.parse(given)).facts;
}
