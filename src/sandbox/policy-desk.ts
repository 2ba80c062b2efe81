import { type CampaignContext, campaignMachine, changesManagedSettings } from '../../machines/campaign.machine.ts';
import { campaignStateOf } from '../../machines/effective-campaign.ts';
import { seedRuleset } from '../../machines/rulesets/seed.ts';
import { stepOf } from '../../machines/step.ts';
import type { CampaignSettings } from '../../machines/vocabulary.ts';
import { tenantFactsSchema } from '../contract/facts.schema.ts';
import type { ConcreteCampaign, Policy, PolicySubject } from '../contract/policy.schema.ts';
import type { PolicyCaller } from '../contract/policy-caller.ts';
import { type PolicyPatchReader, policyPatchReader } from '../contract/policy-patch.ts';
import { shown } from '../contract/policy-reader.ts';
import { NudgeLabError, type Problem } from '../core/errors.ts';
import type { InputOf, PolicyExtras } from '../journal/input.ts';
import type { SandboxState } from '../journal/state.ts';
import { requireReader, requireWriter } from './policy-access.ts';
import { ifMatchHolds, ifNoneMatchHolds, prefersMinimal } from './policy-conditions.ts';
import { type PolicyRendering, renderPolicy } from './policy-projection.ts';
import type { Recorder } from './recorder.ts';

/** An answer of the policy API. */
export interface PolicyAnswer {
  readonly status: 200 | 204 | 304;
  /** The whole policy on the wire; absent for 204 and 304. */
  readonly body: Policy | null;
  /** The same as the bytes of an answer. */
  readonly bytes: Buffer | null;
  readonly etag: string;
}

/** What a request may say besides its body. */
export interface PolicyReadOptions {
  readonly ifNoneMatch?: string | undefined;
}

export interface PolicyUpdateOptions {
  readonly ifMatch?: string | undefined;
  readonly prefer?: string | undefined;
}

/** The policy API of one sandbox without its HTTP. */
export class PolicyDesk {
  readonly #recorder: Recorder;
  #rendering: PolicyRendering | null = null;
  #reader: { readonly wireName: string; readonly read: PolicyPatchReader } | null = null;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Reads the policy; 304 when the caller holds it. Throws `access-denied`. */
  read(caller: PolicyCaller, { ifNoneMatch }: PolicyReadOptions = {}): PolicyAnswer {
    requireReader(caller);
    const rendering = this.#current(this.#recorder.state());
    if (ifNoneMatch !== undefined && ifNoneMatchHolds(ifNoneMatch, rendering.etag)) {
      return { status: 304, body: null, bytes: null, etag: rendering.etag };
    }
    return whole(rendering);
  }

  /**
   * Updates the policy, all or nothing: 200 with the whole of it, or 204 where the caller prefers that. A body that changes
   * nothing leaves no trace. Resolves when the change is safe. Throws `access-denied`, `precondition-failed` and `bad-request`
   * with every offending field.
   */
  async update(
    caller: PolicyCaller,
    body: unknown,
    { ifMatch, prefer }: PolicyUpdateOptions = {},
  ): Promise<PolicyAnswer> {
    requireWriter(caller);
    const state = this.#recorder.state();
    const before = this.#current(state);
    if (ifMatch !== undefined && !ifMatchHolds(ifMatch, before.etag)) {
      throw new NudgeLabError('precondition-failed', { message: `If-Match names another version than ${before.etag}.` });
    }
    const input = this.#inputOf(body, before.subject, state);
    const safe = input === null ? this.#recorder.settled() : this.#recorder.record(input);
    // Taken before the wait, so that the answer shows this change and none that came after it.
    const after = this.#current(state);
    if (safe !== null) await safe;
    return prefersMinimal(prefer) ? { status: 204, body: null, bytes: null, etag: after.etag } : whole(after);
  }

  /** What a PATCH puts into the journal; `null` when it changes nothing. Throws `bad-request`. */
  #inputOf(body: unknown, current: PolicySubject, state: SandboxState): InputOf<'tenant.changed'> | null {
    const { after, problems } = this.#readerFor(state)(body, current);
    const stored = campaignOf(current);
    const campaign = campaignChange(stored, campaignOf(after));
    const managed = campaign === null ? [] : managedProblems(state, stored, campaign);
    if (problems.length + managed.length > 0) {
      throw new NudgeLabError('bad-request', { problems: [...problems, ...managed] });
    }
    if (after === current) return null;
    const extras = extrasChange(current, after);
    return {
      type: 'tenant.changed',
      facts: campaign === null ? {} : { campaign: { ...state.tenant.campaign, ...campaign } },
      ...(extras === null ? {} : { extras }),
      by: 'policy-api',
    };
  }

  #current(state: SandboxState): PolicyRendering {
    const held = this.#rendering;
    if (
      held !== null &&
      held.source.tenant === state.tenant &&
      held.source.settings === state.settings &&
      held.source.extras === state.extras
    ) {
      return held;
    }
    const { tenant, settings, extras, tenantVersion, tenantChangedAtMs } = state;
    const rendering = renderPolicy({ tenant, settings, extras, tenantVersion, tenantChangedAtMs }, held);
    this.#rendering = rendering;
    return rendering;
  }

  #readerFor({ settings: { authenticatorWireName: wireName } }: SandboxState): PolicyPatchReader {
    if (this.#reader?.wireName !== wireName) this.#reader = { wireName, read: policyPatchReader(wireName) };
    return this.#reader.read;
  }
}

function whole({ policy, bytes, etag }: PolicyRendering): PolicyAnswer {
  return { status: 200, body: policy, bytes, etag };
}

/** The settings of the campaign that a PATCH changes; what it repeats stays as it is stored, set or not. */
function campaignChange(before: ConcreteCampaign, after: ConcreteCampaign): Partial<CampaignSettings> | null {
  if (after === before) return null;
  const keys = (Object.keys(after) as (keyof ConcreteCampaign)[]).filter((key) => after[key] !== before[key]);
  return Object.fromEntries(keys.map((key) => [key, after[key]])) as Partial<CampaignSettings>;
}

function campaignOf({ registrationEnforcement }: PolicySubject): ConcreteCampaign {
  return registrationEnforcement.authenticationMethodsRegistrationCampaign;
}

function extrasChange(before: PolicySubject, after: PolicySubject): PolicyExtras | null {
  const { policyMigrationState, systemCredentialPreferences, reportSuspiciousActivitySettings } = after;
  const same =
    policyMigrationState === before.policyMigrationState &&
    systemCredentialPreferences === before.systemCredentialPreferences &&
    reportSuspiciousActivitySettings === before.reportSuspiciousActivitySettings;
  return same ? null : { policyMigrationState, systemCredentialPreferences, reportSuspiciousActivitySettings };
}

const stepCampaign = stepOf(campaignMachine, { tenant: tenantFactsSchema.parse({}), ruleset: seedRuleset });

const campaignPlace = 'registrationEnforcement.authenticationMethodsRegistrationCampaign';

/**
 * A17, A50: the campaign machine decides whether an update is refused, by the state that it leads to. Returns every setting
 * that the provider manages there and that the update would change.
 */
function managedProblems(
  { tenant, ruleset }: SandboxState,
  current: ConcreteCampaign,
  settings: Partial<CampaignSettings>,
): readonly Problem[] {
  const context: CampaignContext = { tenant, ruleset };
  const value = campaignStateOf(tenant.campaign.state);
  const before = campaignMachine.resolveState({ value, context } as never);
  const after = stepCampaign(before, { type: 'settings.updated', settings, mayWrite: true });
  if (after.context.tenant !== tenant) return [];
  return changesManagedSettings(context, settings).map((setting) => ({
    place: `${campaignPlace}.${setting}`,
    message: `${wish(setting, settings, current)}; the provider manages it while state is "default" (A17)`,
  }));
}

/** What the update wants of a managed setting, and what it may have. */
function wish(setting: string, settings: Partial<CampaignSettings>, current: ConcreteCampaign): string {
  const [target] = current.includeTargets;
  if (setting === 'includeTargets') return `targets another method than the stored ${shown(target?.targetedAuthenticationMethod)}`;
  const key = setting as keyof CampaignSettings;
  return `${shown(settings[key])} is not the stored ${shown(current[key])}`;
}
