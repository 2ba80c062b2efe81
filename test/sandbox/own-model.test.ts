import { describe, expect, it } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { SandboxModel } from '../../src/journal/sandbox-model.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, Sandbox } from '../../src/sandbox/sandbox.ts';
import { campaignWarnings } from '../../src/server/control-api/campaign-warnings.ts';
import { campaignBody, createSandbox, enabledTenant } from './policy-sandbox.ts';

const users = [{ id: 'ada' }, { id: 'bob', methods: ['sms', 'authenticator-push'] }];

/** Creates a sandbox whose rules exclude all users, regardless of the policy. */
function excludingSandbox(): Promise<Sandbox> {
  const model = new SandboxModel({
    evaluate: (facts, ruleset) => {
      const verdict = evaluate(facts, ruleset);
      const rules = verdict.rules.map((rule) =>
        rule.id === 'S2' ? ({ id: 'S2', outcome: 'stopped', reason: 'excluded', saw: {} } as const) : rule,
      );
      return { ...verdict, outcome: 'none', reason: 'excluded', rules };
    },
  });
  return Sandbox.create('own', planSandbox({ tenant: enabledTenant(), users }), new MemoryStore(), model);
}

describe('sandbox with a custom model', () => {
  it('S2: previews, explain, and the user list use the same rules', async () => {
    const sandbox = await excludingSandbox();
    expect(sandbox.explain('ada', {}).reason).toBe('excluded');
    expect(sandbox.directory.users({ limit: 10, reason: 'excluded' }).map(({ id }) => id)).toEqual(['ada', 'bob']);
    const { before, after, changed } = sandbox.previewPolicy(campaignBody({ snoozeDurationInDays: 0 }), {});
    expect({ before, after, changed }).toEqual({
      before: { none: 2, skippable: 0, required: 0 },
      after: { none: 2, skippable: 0, required: 0 },
      changed: 0,
    });
  });

  it('S2: campaign warnings use the same rules and report that no user can be prompted', async () => {
    const codes = campaignWarnings((await excludingSandbox()).recorder.state()).map(({ code }) => code);
    expect(codes).toContain('campaign-reaches-nobody');
    const shipped = await createSandbox({ tenant: enabledTenant(), users });
    expect(campaignWarnings(shipped.recorder.state())).toEqual([]);
  });
});

describe('preview after the browser was closed', () => {
  it('A41: the preview finds the same nudge status as the next sign-in and explain', async () => {
    const sandbox = await createSandbox({ tenant: enabledTenant(), users: [{ id: 'ada' }] });
    const { id } = await sandbox.signIns.start('ada');
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.completeMfa(id);
    await sandbox.signIns.leave(id);
    expect(sandbox.explain('ada', {}).reason).toBe('snoozed');
    const { before, after } = sandbox.previewPolicy(campaignBody({ snoozeDurationInDays: 0 }), {});
    expect([before, after]).toEqual([
      { none: 1, skippable: 0, required: 0 },
      { none: 0, skippable: 1, required: 0 },
    ]);
  });
});
