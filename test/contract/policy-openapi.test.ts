import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { policyDocument } from '../../src/contract/policy-openapi.ts';

function copied(document: object): Parameters<Validator['validate']>[0] {
  return structuredClone(document) as Parameters<Validator['validate']>[0];
}

describe('policy API document', () => {
  test('055: the document is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(copied(policyDocument));
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  test('055: an update requires no field of the policy and every field of a target', () => {
    const { Policy, PolicyChange } = policyDocument.components.schemas;
    expect(Policy).toHaveProperty('required');
    expect(PolicyChange).not.toHaveProperty('required');
    const campaign = 'properties.registrationEnforcement.properties.authenticationMethodsRegistrationCampaign';
    expect(PolicyChange).not.toHaveProperty(`${campaign}.required`);
    expect(PolicyChange).toHaveProperty(`${campaign}.properties.includeTargets.items.required`);
  });
});
