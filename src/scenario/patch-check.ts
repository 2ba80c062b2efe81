import { tenantFactsSchema } from '../contract/facts.schema.ts';
import { parseOr } from '../contract/parse.ts';
import { sandboxUserSchema, tenantSettingsSchema } from '../contract/sandbox.schema.ts';
import type { Step, StepOf } from '../contract/scenario.schema.ts';
import { parseInstant, toInstant } from '../core/clock.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { instantMsMax } from '../core/limits.ts';
import { mergePatch } from '../core/merge-patch.ts';
import { ProblemList } from '../core/problem-list.ts';
import { type SandboxPlan, spanMs } from '../sandbox/sandbox.ts';
import type { ScenarioSource } from './scenario-source.ts';
import { toTenantPatch } from './tenant-patch.ts';

/**
 * Validates the patches of steps against the initial state of the scenario. The validity of a patch does not depend
 * on earlier patches. Throws `scenario-invalid` with every problem and its location.
 */
export function checkPatches(steps: readonly Step[], plan: SandboxPlan, source: ScenarioSource): void {
  const problems = steps.flatMap((step): readonly ValidationProblem[] => {
    const wrong = new ProblemList();
    if (step.kind === 'setTenant') checkTenant(step, plan, wrong);
    if (step.kind === 'setUser') checkUser(step, plan, wrong);
    return wrong.problems.map(({ location: place, message }) => ({
      location: source.place(['steps', step.index, step.kind, ...place.split('.').slice(1)]),
      message: `steps.${step.index}.${step.kind}${place.slice(place.split('.')[0]?.length)}: ${message}`,
    }));
  });
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
}

function checkTenant({ say }: StepOf<'setTenant'>, { tenant, settings }: SandboxPlan, wrong: ProblemList): void {
  const patch = toTenantPatch(say);
  // A value that is not a mapping changes nothing, so it is validated unchanged.
  const settingsPatch = 'settings' in say && say['settings'] !== null ? say['settings'] : patch.settings;
  wrong.attempt(() => parseOr('bad-request', tenantFactsSchema, mergePatch(tenant, patch.facts ?? {}), 'tenant'));
  wrong.attempt(() =>
    parseOr('bad-request', tenantSettingsSchema, mergePatch(settings, settingsPatch ?? {}), 'tenant.settings'),
  );
}

function checkUser({ say: { user, ...patch } }: StepOf<'setUser'>, { users }: SandboxPlan, wrong: ProblemList): void {
  const known = users.find(({ id }) => id === user);
  if (known === undefined) return;
  wrong.attempt(() => parseOr('bad-request', sandboxUserSchema, mergePatch(known, patch), 'user'));
}

/**
 * Checks that no step moves the clock beyond its range. `beginMs` is the initial time in milliseconds. Throws
 * `scenario-invalid`.
 */
export function checkClock(steps: readonly Step[], beginMs: number, source: ScenarioSource): void {
  let nowMs = beginMs;
  for (const step of steps) {
    if (step.kind !== 'advance' && step.kind !== 'setClock') continue;
    nowMs = step.kind === 'advance' ? nowMs + spanMs(step.say) : (parseInstant(step.say) ?? 0);
    if (nowMs >= 0 && nowMs <= instantMsMax) continue;
    const message = `steps.${step.index}.${step.kind}: the clock must be from ${toInstant(0)} to ${toInstant(instantMsMax)}`;
    throw new NudgeLabError('scenario-invalid', {
      problems: [{ location: source.place(['steps', step.index, step.kind]), message }],
    });
  }
}
