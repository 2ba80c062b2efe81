import { z } from 'zod';
import { named, operation } from './control-operation.ts';
import { rulesetIdPattern } from './ruleset-values.schema.ts';

/** Ruleset in a list. */
const listedRuleset = z.strictObject({
  ruleset: z.string().describe('Id of the ruleset.'),
  title: z.string(),
  version: z.string(),
  base: z.enum(['own', 'registration-campaign']).describe('Kind of campaign that the ruleset states in the end.'),
  digest: z.string().describe('SHA-256 of the canonical form with its modules and base, in hexadecimal.'),
  origin: z
    .enum(['built-in', 'file', 'control-api'])
    .describe('Part of the program, file of the server, or received by POST rulesets.'),
});

/** Response of `GET rulesets`. */
const rulesetsResponse = z.strictObject({ rulesets: z.array(listedRuleset) });

/** Response of `GET rulesets/{ruleset}` and `POST rulesets`. */
export const rulesetResponse = listedRuleset.extend({
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Ruleset as it was received by POST rulesets; null for the others.'),
});

/** Request body of `POST rulesets`: a ruleset as data. Its faults have the codes of ruleset files. */
const rulesetRequest = z.looseObject({
  ruleset: z.string().regex(rulesetIdPattern, 'must be an id in lower case, such as passkey-week'),
});

/** Operations of the control API on rulesets. */
export const rulesetOperations = named({
  listRulesets: operation('GET /rulesets', {
    summary: 'Lists the rulesets that sandboxes of this server can name.',
    reply: rulesetsResponse,
  }),
  createRuleset: operation('POST /rulesets', {
    summary: 'Adds a ruleset without modules, if the server was started with permission to do so.',
    body: rulesetRequest,
    reply: rulesetResponse,
    statuses: [201, 200],
    errors: ['rulesets-read-only', 'ruleset-module-refused', 'ruleset-invalid', 'ruleset-exists', 'too-many-rulesets'],
  }),
  getRuleset: operation('GET /rulesets/{ruleset}', {
    summary: 'One ruleset, with its data if it was received by POST rulesets.',
    reply: rulesetResponse,
    errors: ['ruleset-not-found'],
  }),
});
