import { z } from 'zod';
import { clientsMax } from '../core/limits.ts';
import { assumptions } from './assumptions.ts';
import { faultsMax } from './fault.schema.ts';
import {
  clientFixtureSchema,
  faultFixtureSchema,
  lookupFixtureSchema,
  tenantFixtureSchema,
  tenantPatchSchema,
  userFixtureSchema,
  userPatchSchema,
} from './fixture.schema.ts';
import { ruleCatalogue } from './rule-catalogue.ts';
import { expectSchema, givenSchema, scenarioHeadSchema, stepSchemas } from './scenario.schema.ts';
import { observableKeys } from './step-expectations.ts';
import { applicationKeys, type StepKind, stepKinds } from './step-names.ts';

/**
 * Scenario schema for completion and validation in editors. The program parses a scenario step by step, so each error
 * names its step; this schema combines the parts, including fixtures, patches and expectations.
 */

/** Descriptions of the steps, which editors show. */
const stepMeanings: Readonly<Record<StepKind, string>> = {
  signIn: 'A user signs in, in a new tab.',
  signOut: 'The application of a tab asks its user to sign out.',
  next: 'The user starts the registration at a prompt.',
  skip: 'The user skips a prompt.',
  closeBrowser: 'The user closes the browser at a prompt; the page sends its unload beacon.',
  abandon: 'The user leaves a prompt without an action; the page sends nothing.',
  reload: 'The user loads the page of a tab again.',
  register: 'The user completes the registration that a prompt led to.',
  upgradePasskey:
    'After a sign-in with a password, the browser creates a passkey automatically if the page requests it.',
  failRegistration: 'The registration that a prompt led to fails; the error screen follows.',
  skipError: 'The user skips the error screen of a failed registration.',
  advance: 'Advances the virtual clock by a duration.',
  setClock: 'Sets the virtual clock to an instant.',
  setTenant: 'Changes the facts of the tenant by a merge patch.',
  setFaults: 'Replaces the faults; an empty list removes all of them.',
  setUser: 'Changes the facts of a user by a merge patch.',
  removeMethod: 'Removes a method of a user; `fido2` removes all passkeys.',
  getPolicy: 'Reads the authentication methods policy through the policy API.',
  patchPolicy: 'Updates the authentication methods policy through the policy API.',
  callApi: 'Sends a request to the policy API or the directory API.',
  explain: 'Evaluates the rules for a sign-in attempt that does not take place.',
  lookup: 'Sends a request to the lookup API.',
  document: 'Sends a request to the document records API, or changes its records.',
};

function fixtureName(examples: readonly string[]): z.ZodString {
  return z.string().min(1).max(128).meta({ description: 'The name of a fixture.', examples });
}

const faults = z
  .array(z.union([fixtureName(['push-denied', 'registration-fails']), faultFixtureSchema]))
  .max(faultsMax)
  .describe('Faults, each as a fixture name, a fault, or a fault that is merged over a fixture by `extends`.');

const given = givenSchema.extend({
  tenant: z
    .union([fixtureName(['app-enabled', 'passkey-enabled', 'provider-default']), tenantFixtureSchema])
    .describe('The tenant: a fixture name, or facts.'),
  users: z
    .record(
      z.string().min(1).max(128),
      z
        .union([fixtureName(['sms-user', 'push-user', 'guest']), userFixtureSchema])
        .describe('A user: a fixture name, or facts.'),
    )
    .default({})
    .describe('The users by id: each a fixture name, or facts.'),
  clients: z
    .array(z.union([fixtureName(['web-site', 'phone-app']), clientFixtureSchema]))
    .max(clientsMax)
    .optional()
    .describe('The OpenID clients: each a fixture name, or a client. Without this key, there are default clients.'),
  faults: faults.optional(),
  lookup: z
    .union([fixtureName(['default', 'known-people']), lookupFixtureSchema])
    .optional()
    .describe('The lookup service: a fixture name, or a description. Without this key, it is the default one.'),
});

const never = (keys: readonly string[]): object => ({
  type: 'object',
  properties: Object.fromEntries(keys.map((key) => [key, false])),
});
const promptIs = (prompts: readonly string[], more: readonly string[] = []): object => ({
  type: 'object',
  properties: { prompt: { enum: prompts }, ...Object.fromEntries(more.map((key) => [key, true])) },
  required: ['prompt', ...more],
});

/** Rules between the keys of a sign-in that starts at an application. */
const applicationRules = {
  dependentRequired: Object.fromEntries(applicationKeys.map((key) => [key, ['client']])),
  allOf: [
    // biome-ignore-start lint/suspicious/noThenProperty: the keyword of JSON Schema.
    { if: { type: 'object', properties: { client: true }, required: ['client'] }, then: never(['ssoSession']) },
    { if: promptIs(['none']), then: never(['account', 'staySignedIn', 'consent', 'otherWay']) },
    { if: promptIs(['login', 'consent']), then: never(['account']) },
    // biome-ignore-end lint/suspicious/noThenProperty: the keyword of JSON Schema.
  ],
};

/** Steps whose parsed form needs the fixtures or the facts of the scenario. */
const editedSteps: Partial<Record<StepKind, z.ZodType>> = {
  signIn: stepSchemas.signIn.meta(applicationRules),
  setFaults: faults,
  setTenant: tenantPatchSchema,
  setUser: userPatchSchema,
};

/** Arguments of a step, for editors. Optional arguments may be null or an empty mapping. */
function stepValue(kind: StepKind): z.ZodType {
  const schema: z.ZodType = editedSteps[kind] ?? stepSchemas[kind];
  const value = schema instanceof z.ZodPrefault ? (schema.unwrap() as z.ZodType) : schema;
  return value.optional().describe(stepMeanings[kind]);
}

/** Condition that is true for steps of one kind. Strict validators want each required key to be a property. */
function hasKey(kind: StepKind | 'expect'): Readonly<Record<string, unknown>> {
  return { type: 'object', required: [kind], properties: { [kind]: true } };
}

/** One rule for each key of `expect` that only some kinds of steps can show. */
const expectationRules = Object.entries(observableKeys).map(([key, kinds]) => ({
  if: { type: 'object', anyOf: stepKinds.filter((kind) => !kinds.includes(kind)).map(hasKey) },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  then: { type: 'object', properties: { expect: { type: 'object', properties: { [key]: false } } } },
}));

const step = z
  .strictObject({
    ...Object.fromEntries(stepKinds.map((kind) => [kind, stepValue(kind)])),
    expect: expectSchema.optional().describe('Expected result of the step; every listed key has to match.'),
  })
  .meta({
    // One key names the step; `expect` is optional.
    if: hasKey('expect'),
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    then: { type: 'object', minProperties: 2, maxProperties: 2 },
    else: { type: 'object', minProperties: 1, maxProperties: 1 },
    allOf: expectationRules,
  });

const coverable = [...ruleCatalogue, ...assumptions].map(({ id }) => id);

/** The whole scenario, published as JSON Schema. */
export const editorScenarioSchema = scenarioHeadSchema.extend({
  covers: z
    .array(z.enum(coverable as [string, ...string[]]))
    .default([])
    .meta({ description: 'The ids of the rules and assumptions that the scenario shows.', examples: [['R5', 'R6']] }),
  given: given.describe('Initial state of the scenario: the tenant, its users, and optional parts.'),
  steps: z
    .array(step)
    .min(1)
    .meta({
      description: 'Steps, in order. At least one step has `expect`.',
      contains: { type: 'object', properties: { expect: { type: 'object' } }, required: ['expect'] },
    }),
});
