import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { ifMatchHolds, ifNoneMatchHolds, readReturnPreference } from '../../src/sandbox/policy-conditions.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import {
  administrator,
  campaignBody,
  catchRejection,
  createSandbox,
  enabledTenant,
  getCampaign,
} from './policy-sandbox.ts';

const change = campaignBody({ snoozeDurationInDays: 7 });

describe('preconditions', () => {
  test.for<[string, boolean]>([
    ['"now"', true],
    ['*', true],
    [' * ', true],
    ['"old", "now"', true],
    ['"old","now"', true],
    ['"old"', false],
    ['W/"now"', false],
    ['now', false],
    ['', false],
    ['"old, now"', false],
  ])('precondition-failed: If-Match %j matches: %j', ([header, holds]) => {
    expect(ifMatchHolds(header, '"now"')).toBe(holds);
  });

  test.for<[string, boolean]>([
    ['"now"', true],
    ['W/"now"', true],
    ['*', true],
    ['"old", W/"now"', true],
    ['"old"', false],
    ['now', false],
  ])('ETag: If-None-Match %j matches: %j', ([header, holds]) => {
    expect(ifNoneMatchHolds(header, '"now"')).toBe(holds);
  });

  test('precondition-failed: a lost update is rejected and changes nothing', async () => {
    const sandbox = await createSandbox();
    const { etag } = sandbox.policy.read(administrator);
    const first = await sandbox.policy.update(administrator, change, { ifMatch: etag });
    expect((await catchRejection(sandbox, campaignBody({ state: 'disabled' }), { ifMatch: etag })).code).toBe(
      'precondition-failed',
    );
    expect(sandbox.policy.read(administrator).etag).toBe(first.etag);
    expect((await sandbox.policy.update(administrator, {}, { ifMatch: first.etag })).etag).toBe(first.etag);
  });

  test('precondition-failed: of two concurrent updates with the same ETag, only one succeeds', async () => {
    const sandbox = await createSandbox();
    const { etag } = sandbox.policy.read(administrator);
    const outcomes = await Promise.allSettled(
      [4, 5].map((days) =>
        sandbox.policy.update(administrator, campaignBody({ snoozeDurationInDays: days }), { ifMatch: etag }),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('ETag', () => {
  test('ETag: the ETag is strong and changes only with the policy', async () => {
    const sandbox = await createSandbox({ tenant: enabledTenant(), users: [{ id: 'ada' }] });
    const { etag } = sandbox.policy.read(administrator);
    await sandbox.clock.advance({ days: 1 });
    await sandbox.directory.patchUser('ada', { methods: ['voice'] });
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(sandbox.policy.read(administrator).etag).toBe(etag);
  });

  test('ETag: the ETag depends only on the content, so equal policies have equal ETags', async () => {
    const [one, other] = [await createSandbox(), await createSandbox()];
    expect(one.policy.read(administrator).etag).toBe(other.policy.read(administrator).etag);
    await one.policy.update(administrator, change);
    expect(one.policy.read(administrator).etag).not.toBe(other.policy.read(administrator).etag);
  });

  test.for<[string, object]>([
    ['a method configuration', { methodsPolicy: { fido2: { selfService: false } } }],
    ['the campaign', { campaign: { snoozeDurationInDays: 8 } }],
  ])('ETag: changing %s with the control API changes the ETag', async ([, facts]) => {
    const sandbox = await createSandbox();
    const { etag } = sandbox.policy.read(administrator);
    await sandbox.directory.patchTenant(facts, 'control-api');
    expect(sandbox.policy.read(administrator).etag).not.toBe(etag);
  });

  test('ETag: a restore brings back the old content, and later ETags no longer match', async () => {
    const sandboxes = await Sandboxes.open(new MemoryStore());
    const sandbox = await sandboxes.create('restored', planSandbox({ tenant: enabledTenant() }));
    const before = getCampaign(sandbox);
    await sandboxes.snapshot('restored', 'first');
    const { etag } = await sandbox.policy.update(administrator, change);
    const restored = await sandboxes.restore('restored', 'first');
    expect(getCampaign(restored)).toEqual(before);
    expect((await catchRejection(restored, change, { ifMatch: etag })).code).toBe('precondition-failed');
  });

  test('ETag: a client with the current content gets 304 without a body', async () => {
    const sandbox = await createSandbox();
    const { etag } = sandbox.policy.read(administrator);
    const unchanged = sandbox.policy.read(administrator, { ifNoneMatch: etag });
    expect(unchanged).toEqual({ status: 304, body: null, bytes: null, etag });
    await sandbox.policy.update(administrator, change);
    expect(sandbox.policy.read(administrator, { ifNoneMatch: etag }).status).toBe(200);
  });
});

describe('Prefer', () => {
  test.for<[string | undefined, boolean]>([
    ['return=minimal', true],
    ['Return=Minimal', true],
    ['return="minimal"', true],
    ['respond-async, return=minimal', true],
    ['return=minimal; wait=10', true],
    ['return=minimal, return=representation', true],
    ['return=representation, return=minimal', false],
    ['return=representation', false],
    ['return=minimalist', false],
    ['xreturn=minimal', false],
    [undefined, false],
  ])('Prefer: %j requests a response without a body: %j', ([header, minimal]) => {
    expect(readReturnPreference(header) === 'minimal').toBe(minimal);
  });

  test('Prefer: return=minimal returns 204 and makes the change', async () => {
    const sandbox = await createSandbox();
    const answer = await sandbox.policy.update(administrator, change, { prefer: 'return=minimal' });
    const { etag } = sandbox.policy.read(administrator);
    expect(answer).toEqual({ status: 204, body: null, bytes: null, etag, applied: 'minimal' });
    expect(sandbox.directory.tenant().campaign.snoozeDurationInDays).toBe(7);
  });
});
