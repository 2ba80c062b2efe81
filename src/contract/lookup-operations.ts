import { z } from 'zod';
import { named, operation } from './control-operation.ts';
import { documentResponse } from './control-responses.schema.ts';
import {
  lookupAccountEmail,
  lookupKnownMax,
  lookupKnownSchema,
  lookupSettingsSchema,
  lookupTiers,
  lookupToolSchema,
  lookupToolsSchema,
} from './lookup.schema.ts';

const accountAnswer = z.strictObject({
  id: z.string(),
  email: z.string(),
  tier: z.enum(lookupTiers),
  suspended: z.boolean(),
});

const tokenAnswer = z.strictObject({ id: z.string(), account: z.string(), name: z.string() });

const completeTool = lookupToolSchema.required();

const serviceAnswer = z.strictObject({
  tools: z.strictObject({ email: z.array(completeTool), username: z.array(completeTool) }),
  settings: lookupSettingsSchema,
  accounts: z.array(accountAnswer),
  tokens: z.array(tokenAnswer),
  /** Number of predefined results. Their queries are stored as hashes. */
  known: z.int(),
});

const changeBody = z.strictObject({
  tools: lookupToolsSchema.optional(),
  settings: lookupSettingsSchema.optional(),
  known: z.array(lookupKnownSchema).max(lookupKnownMax).optional(),
});

const accountBody = z.strictObject({
  email: lookupAccountEmail.optional(),
  password: z.string().min(1).max(256).optional(),
  tier: z.enum(lookupTiers).optional(),
  suspended: z.boolean().optional(),
});

const tokenName = z.string().min(1).max(100);

const callsAnswer = z.strictObject({
  callers: z.array(z.strictObject({ caller: z.string(), byTool: z.record(z.string(), z.int()) })),
  byTool: z.record(z.string(), z.int()),
});

/** Operations of the control API on the lookup service of a sandbox. */
export const lookupOperations = named({
  getLookupOpenapi: operation('GET /lookup-openapi.json', {
    summary: 'Returns the OpenAPI document of the lookup API.',
    reply: documentResponse,
  }),
  getLookup: operation('GET /sandboxes/{sandbox}/lookup', {
    summary: 'Returns the lookup service: tools, settings, accounts and tokens, without credentials.',
    reply: serviceAnswer,
  }),
  changeLookup: operation('PATCH /sandboxes/{sandbox}/lookup', {
    summary: 'Replaces tools, settings or known results, each as a whole; omitted ones do not change.',
    body: changeBody,
    reply: serviceAnswer,
  }),
  setLookupTool: operation('PUT /sandboxes/{sandbox}/lookup/tools/{type}/{tool}', {
    summary: 'Enables or disables a tool of a type.',
    body: z.strictObject({ enabled: z.boolean() }),
    reply: null,
    errors: ['not-found'],
  }),
  putLookupAccount: operation('PUT /sandboxes/{sandbox}/lookup/accounts/{account}', {
    summary: 'Creates or updates an account; properties omitted in an update do not change.',
    body: accountBody,
    reply: accountAnswer,
  }),
  issueLookupToken: operation('POST /sandboxes/{sandbox}/lookup/tokens', {
    summary: 'Issues a token for an account; the token is shown only once.',
    body: z.strictObject({ account: z.string().min(1), name: tokenName.default('Token') }),
    reply: tokenAnswer.extend({ token: z.string() }),
    statuses: [201],
  }),
  renameLookupToken: operation('PATCH /sandboxes/{sandbox}/lookup/tokens/{token}', {
    summary: 'Renames a token.',
    body: z.strictObject({ name: tokenName }),
    reply: null,
    errors: ['not-found'],
  }),
  revokeLookupToken: operation('DELETE /sandboxes/{sandbox}/lookup/tokens/{token}', {
    summary: 'Revokes a token permanently.',
    reply: null,
    errors: ['not-found'],
  }),
  listLookupCalls: operation('GET /sandboxes/{sandbox}/lookup/calls', {
    summary: 'Counts the requests to each tool, by caller.',
    reply: callsAnswer,
  }),
});
