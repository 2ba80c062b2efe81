import { completeAttempt } from '../../../contract/attempt-facts.ts';
import { completeUser } from '../../../contract/complete-user.ts';
import { tenantFactsSchema } from '../../../contract/facts.schema.ts';
import { sandboxUserSchema, tenantSettingsSchema } from '../../../contract/sandbox.schema.ts';
import { canonicalJson } from '../../../core/canonical-json.ts';
import { toInstant } from '../../../core/clock.ts';
import type { ScenarioData } from '../../../generate/journey.ts';
import { scenarioYaml } from '../../../generate/write/scenario-yaml.ts';
import { scenarioOfJourney } from '../../../replay/journey-scenario.ts';
import { mergeDifference } from '../../../replay/merge-patch-diff.ts';
import { openJourney } from '../../../replay/read-journey.ts';
import type { Sandbox, SandboxPlan } from '../../../sandbox/sandbox.ts';
import type { Scenario } from '../../../scenario/scenario.ts';
import type { JourneyScenarioText } from '../../../server/suite-service.ts';

/**
 * Converts a sign-in to the text of a scenario file: initial state, steps and expectations. The steps include other
 * events of its user and tenant during the sign-in.
 * @param sandbox - sandbox that contains the sign-in
 * @param signInId - id of the sign-in
 * @throws `sign-in-not-found`
 */
export async function journeyText(sandbox: Sandbox, signInId: string): Promise<JourneyScenarioText> {
  const { signIn, events } = await sandbox.signIns.detail(signInId);
  const places = events.map(({ seq }) => seq);
  const slice = { from: Math.min(...places), to: Math.max(...places), user: signIn.userId };
  const journey = await openJourney(encodeLines(await sandbox.journey(slice)));
  const path = `journeys/${sandbox.id}-${signInId}.yaml`;
  const { scenario, notRepeatable } = await scenarioOfJourney(journey, path);
  const data = toScenarioData({ ...scenario, name: `Sign-in ${signInId} of ${signIn.userId}` });
  const comment = `Recorded from sandbox ${sandbox.id}, journal entries ${slice.from} to ${slice.to}.`;
  return { path, text: scenarioYaml(data, comment), omitted: { ...notRepeatable } };
}

async function* encodeLines(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(`${line}\n`);
}

function toScenarioData({ name, covers, plan, steps }: Scenario): ScenarioData {
  return {
    name,
    covers,
    ruleset: plan.ruleset,
    clock: toInstant(plan.clock.nowMs),
    seed: plan.seed,
    given: { tenant: tenantGiven(plan), users: usersGiven(plan), ...faultsGiven(plan) },
    steps: steps.map(({ kind, say, expect }) => {
      const said = kind === 'signIn' ? withoutDefaults(say, plan) : say;
      return { [kind]: said, ...(expect === null ? {} : { expect }) };
    }) as unknown as ScenarioData['steps'],
  };
}

/** Lists the facts of a tenant that differ from the defaults. */
function tenantGiven({ tenant, settings }: SandboxPlan): Record<string, unknown> {
  const facts = mergeDifference({ ...tenantFactsSchema.parse({}) }, { ...tenant });
  const changed = mergeDifference({ ...tenantSettingsSchema.parse({}) }, { ...settings });
  return Object.keys(changed).length === 0 ? facts : { ...facts, settings: changed };
}

function usersGiven({ users }: SandboxPlan): ScenarioData['given']['users'] {
  return Object.fromEntries(
    users.map((user) => {
      const beginning = completeUser(sandboxUserSchema.parse({ id: user.id }));
      return [user.id, mergeDifference({ ...beginning }, { ...user })];
    }),
  );
}

function faultsGiven({ faults = [] }: SandboxPlan): { faults?: unknown[] } {
  return faults.length === 0 ? {} : { faults: [...faults] };
}

/** Removes the default values from a sign-in. */
function withoutDefaults(say: object, { users, clock }: SandboxPlan): object {
  const { user: id } = say as { readonly user: string };
  const user = users.find((one) => one.id === id);
  if (user === undefined) return say;
  const anyway: Readonly<Record<string, unknown>> = { ...completeAttempt({}, user, clock.nowMs) };
  const differs = ([key, value]: [string, unknown]): boolean =>
    !(key in anyway) || canonicalJson(anyway[key]) !== canonicalJson(value);
  return Object.fromEntries(Object.entries(say).filter(differs));
}
