import type { ControlReply } from '../../../src/client/control-client.ts';

/** Response types of the control API under the names that the console uses. */
export type Assumptions = ControlReply<'listAssumptions'>;
export type Campaign = ControlReply<'getCampaign'>;
export type DocumentRow = ControlReply<'listDocuments'>['documents'][number];
export type Entry = ControlReply<'listJournal'>['entries'][number];
export type Faults = ControlReply<'getFaults'>;
/** Line of an exported journey. */
export type JourneyLine = ControlReply<'exportJourney'> extends AsyncIterable<infer Line> ? Line : never;
export type ListedUser = ControlReply<'listUsers'>['users'][number];
export type LoggedRequests = ControlReply<'listRequests'>;
export type LookupCalls = ControlReply<'listLookupCalls'>;
export type LookupService = ControlReply<'getLookup'>;
export type Population = ControlReply<'getUserSummary'>;
export type Preview = ControlReply<'previewCampaign'>;
export type RulesetInForce = ControlReply<'getSandboxRuleset'>;
export type Rulesets = ControlReply<'listRulesets'>;
export type SandboxInfo = ControlReply<'getSandbox'>;
export type ServerInfo = ControlReply<'getServer'>;
export type SignIn = ControlReply<'listSignIns'>['signIns'][number];
export type SignInDetail = ControlReply<'getSignIn'>;
export type Tenant = ControlReply<'getTenant'>;
export type TenantSettings = ControlReply<'getSettings'>;
export type User = ControlReply<'getUser'>;
export type Verdict = NonNullable<SignInDetail['verdict']>;
