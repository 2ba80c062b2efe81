import { snoozeDaysDefault } from '../../machines/campaign-limits.ts';
import type { CampaignSettings } from '../../machines/vocabulary.ts';
import { getDialect } from '../contract/directory-api/dialect.ts';
import {
  configurationsContext,
  toWireConfiguration,
  type WireConfiguration,
  type WireForm,
  withTargetContext,
  withWireIds,
} from '../contract/method-configurations/wire-configuration.ts';
import type { ConcreteCampaign, Policy, PolicySubject } from '../contract/policy.schema.ts';
import { toInstant } from '../core/clock.ts';
import { computeDigest } from '../core/digest.ts';
import type { SandboxState } from '../journal/state.ts';
import { listConfigurations } from './method-configurations.ts';
import { createWireIds } from './policy-ids.ts';

/** Part of the state that the policy is derived from. Every change of it creates a new `tenant`. */
export type PolicySource = Readonly<
  Pick<SandboxState, 'tenant' | 'settings' | 'extras' | 'tenantChangedAtMs' | 'tenantChangedBetweenMs'>
>;

/**
 * Policy at one point in time: as an object, as response bytes, and as the base of a PATCH. The object and the bytes are
 * created when they are read, because most changes are answered without them.
 */
export class PolicyRendering {
  readonly source: PolicySource;
  readonly parts: PolicyParts;
  /** Strong ETag that depends only on the content. Equal bytes have equal tags, regardless of changes in between. */
  readonly etag: string;
  readonly subject: PolicySubject;
  readonly #modified: string;
  readonly #campaign: object;
  readonly #campaignJson: string;
  #bytes: Buffer | null = null;

  constructor(
    source: PolicySource,
    parts: PolicyParts,
    campaigns: { readonly stored: ConcreteCampaign; readonly shown: object },
  ) {
    const { frame, shown, base } = parts;
    this.source = source;
    this.parts = parts;
    this.#modified = toInstant(source.tenantChangedAtMs);
    this.#campaign = campaigns.shown;
    this.#campaignJson = JSON.stringify(campaigns.shown);
    this.etag = `"${computeDigest(`${frame.digest}${shown.digest}${this.#modified}${this.#campaignJson}`)}"`;
    this.subject = {
      ...base.subject,
      lastModifiedDateTime: source.tenantChangedBetweenMs,
      registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaigns.stored },
    };
  }

  get policy(): Policy {
    return {
      ...this.parts.base.policy,
      lastModifiedDateTime: this.#modified,
      registrationEnforcement: { authenticationMethodsRegistrationCampaign: this.#campaign },
    } as Policy;
  }

  get bytes(): Buffer {
    const { frame, shown } = this.parts;
    const changing = { modified: this.#modified, campaignJson: this.#campaignJson, configurationsJson: shown.json };
    this.#bytes ??= Buffer.from(joinJson(frame, changing));
    return this.#bytes;
  }
}

/** Parts of a rendering that a change of the campaign does not affect. */
interface PolicyParts {
  /** Shared by renderings of the same extras and settings. */
  readonly frame: PolicyFrame;
  /** Configurations without contexts, which renderings of the same configurations share. */
  readonly configurations: readonly WireConfiguration[];
  /** Configurations of the response, as an object and as JSON, which are shared in the same way. */
  readonly shown: ShownConfigurations;
  /** All properties in their order, as they were in the rendering that created the parts. */
  readonly base: PolicyBase;
}

/** Values that renderings with the same parts share, as an object of the response and as the base of a PATCH. */
interface PolicyBase {
  readonly policy: Policy;
  readonly subject: PolicySubject;
}

/** Configurations as a response shows them. */
interface ShownConfigurations {
  /** Root of the contexts; empty without contexts. */
  readonly root: string;
  readonly list: readonly WireConfiguration[];
  readonly json: string;
  /** Digest of the JSON without the root. */
  readonly digest: string;
}

/** Properties of the response, without those that a change of the campaign affects and without the configurations. */
interface PolicyFrame {
  readonly beforeModified: FramePart;
  readonly beforeCampaign: FramePart;
  readonly afterCampaign: FramePart;
  /** Digest of the JSON without the root. */
  readonly digest: string;
}

/** Neighboring properties, as an object and as JSON without braces. */
interface FramePart {
  readonly values: Readonly<Record<string, unknown>>;
  readonly json: string;
}

/** Address and version that a request reaches the policy by. */
export interface PolicyView {
  readonly version: 'v1.0' | 'beta';
  /** URL of the version, which ends with a slash. */
  readonly root: string;
}

/** Context of the policy below the URL that it is relative to. */
const contextSuffix = '$metadata#authenticationMethodsPolicy';

/**
 * Version of the policy format, not of its content, so no change affects it and a stored policy can be sent back.
 */
const policyVersion = '1.0';

/** Returns the parts of a response that depend on the names and ids of the tenant. */
export function getWireForm({ settings }: PolicySource, isBeta: boolean): WireForm {
  const dialect = getDialect(settings);
  const wireIds = createWireIds(settings);
  return {
    dialect,
    isBeta,
    toWireId: (targetType, id) => wireIds.toWire(targetType === 'user' ? 'user' : 'group', id),
  };
}

/** Lists the configurations that a version shows: those of the dialect and those that were changed. */
export function listWireConfigurations(source: PolicySource, form: WireForm): readonly WireConfiguration[] {
  const { methodConfigurations, betaConfigurations } = form.dialect.data;
  const changed = source.extras.configurations ?? {};
  return listConfigurations(source)
    .filter(({ id }) => methodConfigurations.includes(id) || Object.hasOwn(changed, id))
    .filter(({ id }) => form.isBeta || !betaConfigurations.includes(id))
    .map((configuration) => toWireConfiguration(configuration, form));
}

/** Returns `true` if the configurations of two sources are the same in responses. */
function hasSameConfigurations(one: PolicySource, other: PolicySource): boolean {
  return (
    one.settings === other.settings &&
    one.tenant.methodsPolicy === other.tenant.methodsPolicy &&
    one.extras.configurations === other.extras.configurations
  );
}

/**
 * Renders the policy from the facts.
 *
 * @param source - part of the state that the policy is derived from
 * @param view - address and version of the request
 * @param before - previous rendering of the view, whose unchanged parts are reused
 */
export function renderPolicy(source: PolicySource, view: PolicyView, before?: PolicyRendering): PolicyRendering {
  const stored = concreteCampaign(source.tenant.campaign);
  const form = getWireForm(source, view.version === 'beta');
  const parts = createParts(source, { view, form, stored, before });
  const shown = toWireCampaign(stored, form, isReduced(source, view));
  return new PolicyRendering(source, parts, { stored, shown });
}

interface PartsOptions {
  readonly view: PolicyView;
  readonly form: WireForm;
  readonly stored: ConcreteCampaign;
  readonly before: PolicyRendering | undefined;
}

/** Returns the parts of the previous rendering, with those replaced that a change affects. */
function createParts(source: PolicySource, { view, form, stored, before }: PartsOptions): PolicyParts {
  const frame =
    before?.source.settings === source.settings && before.source.extras === source.extras
      ? before.parts.frame
      : createFrame(source, view, form);
  const configurations =
    before !== undefined && hasSameConfigurations(before.source, source)
      ? before.parts.configurations
      : listWireConfigurations(source, form);
  const contextRoot = form.dialect.data.targetContexts ? view.root : '';
  const shown =
    before?.parts.configurations === configurations && before.parts.shown.root === contextRoot
      ? before.parts.shown
      : showConfigurations(configurations, contextRoot);
  if (before?.parts.frame === frame && before.parts.shown === shown) return before.parts;
  return { frame, configurations, shown, base: createBase(source, frame, shown, stored) };
}

function createBase(
  source: PolicySource,
  { beforeModified, beforeCampaign, afterCampaign }: PolicyFrame,
  { list }: ShownConfigurations,
  campaign: ConcreteCampaign,
): PolicyBase {
  const registrationEnforcement = { authenticationMethodsRegistrationCampaign: campaign };
  const policy = {
    ...beforeModified.values,
    lastModifiedDateTime: '',
    ...beforeCampaign.values,
    registrationEnforcement,
    ...afterCampaign.values,
    authenticationMethodConfigurations: list,
  } as unknown as Policy;
  const lastModifiedDateTime = source.tenantChangedBetweenMs;
  return {
    policy,
    subject: { ...policy, ...pickPreferences(source), lastModifiedDateTime, registrationEnforcement },
  };
}

/** Joins the JSON of the parts of a policy. Most of it rarely changes. */
function joinJson(
  { beforeModified, beforeCampaign, afterCampaign }: PolicyFrame,
  changing: { readonly modified: string; readonly campaignJson: string; readonly configurationsJson: string },
): string {
  const { modified, campaignJson, configurationsJson } = changing;
  const parts = [
    beforeModified.json,
    `"lastModifiedDateTime":"${modified}"`,
    beforeCampaign.json,
    `"registrationEnforcement":{"authenticationMethodsRegistrationCampaign":${campaignJson}}`,
    afterCampaign.json,
    `"authenticationMethodConfigurations":${configurationsJson}`,
  ];
  return `{${parts.filter((part) => part !== '').join(',')}}`;
}

/** Returns `true` if a response leaves out the properties that only `/beta` has. */
function isReduced({ settings }: PolicySource, { version }: PolicyView): boolean {
  return settings.directory?.betaOnly === true && version === 'v1.0';
}

function createFrame(source: PolicySource, view: PolicyView, { dialect, toWireId }: WireForm): PolicyFrame {
  const { policyContext, policyProperties, targetContexts } = dialect.data;
  const contextRoot = targetContexts ? view.root : '';
  const beforeModified = toFramePart({
    '@odata.context': policyContext === 'relative' ? `../${contextSuffix}` : `${view.root}${contextSuffix}`,
    id: 'authenticationMethodsPolicy',
    displayName: 'Authentication Methods Policy',
    description:
      'Defines who can register and use each authentication method, and which method users are prompted to register.',
  });
  const beforeCampaign = toFramePart({
    policyVersion,
    policyMigrationState: pickExtras(source).policyMigrationState,
    ...Object.fromEntries(policyProperties.values.map((name) => [name, null])),
    ...Object.fromEntries(policyProperties.lists.map((name) => [name, []])),
    ...(isReduced(source, view) ? {} : (withWireIds(pickPreferences(source), toWireId) as object)),
  });
  const afterCampaign = toFramePart(
    contextRoot === ''
      ? {}
      : { [configurationsContext.name]: `${contextRoot}$metadata#${configurationsContext.fragment}` },
  );
  const json = `${beforeModified.json}${beforeCampaign.json}${afterCampaign.json}`;
  return { beforeModified, beforeCampaign, afterCampaign, digest: computeDigest(withoutRoot(json, view.root)) };
}

function toFramePart(values: FramePart['values']): FramePart {
  return { values, json: JSON.stringify(values).slice(1, -1) };
}

function showConfigurations(configurations: readonly WireConfiguration[], root: string): ShownConfigurations {
  const list =
    root === '' ? configurations : configurations.map((one) => withTargetContext(one, `${root}${contextSuffix}`));
  const json = JSON.stringify(list);
  return { root, list, json, digest: computeDigest(withoutRoot(json, root)) };
}

function withoutRoot(text: string, root: string): string {
  return root === '' ? text : text.replaceAll(root, '');
}

/**
 * Returns the stored campaign with defaults for unset values. A GET shows the stored values, not those in effect
 * (A18).
 */
function concreteCampaign(stored: CampaignSettings): ConcreteCampaign {
  return {
    snoozeDurationInDays: stored.snoozeDurationInDays ?? snoozeDaysDefault,
    enforceRegistrationAfterAllowedSnoozes: stored.enforceRegistrationAfterAllowedSnoozes ?? true,
    state: stored.state ?? 'default',
    excludeTargets: stored.excludeTargets,
    includeTargets: stored.includeTargets,
  };
}

function toWireCampaign(campaign: ConcreteCampaign, { dialect, toWireId }: WireForm, reduced: boolean): object {
  const { snoozeDurationInDays, enforceRegistrationAfterAllowedSnoozes, state, excludeTargets, includeTargets } =
    campaign;
  return {
    snoozeDurationInDays,
    ...(reduced ? {} : { enforceRegistrationAfterAllowedSnoozes }),
    state,
    excludeTargets: excludeTargets.map(({ targetType, id }) => ({ targetType, id: toWireId(targetType, id) })),
    includeTargets: includeTargets.map(({ targetType, id, targetedAuthenticationMethod: method }) => ({
      targetType,
      id: toWireId(targetType, id),
      targetedAuthenticationMethod: method === 'vendorAuthenticator' ? dialect.authenticator : method,
    })),
  };
}

type PlainExtra = Exclude<keyof PolicySource['extras'], 'configurations'>;

/**
 * Returns the extras. The journal stores them as plain JSON, and only a PATCH validated by the contract writes
 * them.
 */
function pickExtras({ extras }: PolicySource): Pick<Policy, PlainExtra> {
  return extras as Pick<Policy, PlainExtra>;
}

function pickPreferences(source: PolicySource) {
  const { systemCredentialPreferences, reportSuspiciousActivitySettings } = pickExtras(source);
  return { systemCredentialPreferences, reportSuspiciousActivitySettings };
}
