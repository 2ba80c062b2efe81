import { evaluatedUsersMax } from '../core/limits.ts';
import * as take from './control.schema.ts';
import { named, operation } from './control-operation.ts';
import * as reply from './control-responses.schema.ts';
import { journeyLineSchema } from './journey.schema.ts';
import { sandboxRulesetResponse } from './own-campaign-responses.schema.ts';
import { probeOperations } from './probe-operations.ts';
import { tenantSettingsSchema } from './sandbox.schema.ts';
import {
  keysResponse,
  logoutTokensResponse,
  revokedSessionsResponse,
  tokenResponse,
} from './token-responses.schema.ts';

/** Control API operations on the server and on entire sandboxes. */
export const sandboxOperations = named({
  getIndex: operation('GET /', {
    summary: 'Lists the entry points of the control API.',
    reply: reply.indexResponse,
  }),
  ...probeOperations,
  getOpenapi: operation('GET /openapi.json', {
    summary: 'This document.',
    reply: reply.documentResponse,
  }),
  getServer: operation('GET /server', {
    summary: 'Returns the version, journal store and limits of the server.',
    reply: reply.serverResponse,
  }),
  getPolicyOpenapi: operation('GET /policy-openapi.json', {
    summary: 'Returns the OpenAPI document of the policy API.',
    reply: reply.documentResponse,
  }),
  getDirectoryOpenapi: operation('GET /directory-openapi.json', {
    summary: 'Returns the OpenAPI document of the directory API.',
    reply: reply.documentResponse,
  }),
  listSandboxes: operation('GET /sandboxes', {
    summary: 'Lists the sandboxes in order of creation.',
    query: take.pageQuery,
    reply: reply.sandboxesResponse,
  }),
  createSandbox: operation('POST /sandboxes', {
    summary: 'Creates a sandbox; every property has a default, and fixtures can be named as in scenarios.',
    body: take.sandboxRequest,
    reply: reply.createdResponse,
    statuses: [201],
    errors: ['sandbox-exists', 'too-many-sandboxes'],
  }),
  getSandbox: operation('GET /sandboxes/{sandbox}', {
    summary: 'One sandbox.',
    reply: reply.sandboxResponse,
  }),
  deleteSandbox: operation('DELETE /sandboxes/{sandbox}', {
    summary: 'Deletes a sandbox and its journal.',
    reply: null,
  }),
  forkSandbox: operation('POST /sandboxes/{sandbox}/fork', {
    summary: 'Forks a sandbox: the copy continues from the same journal.',
    body: take.forkRequest,
    reply: reply.createdResponse,
    statuses: [201],
    errors: ['sandbox-exists', 'too-many-sandboxes'],
  }),
  takeSnapshot: operation('POST /sandboxes/{sandbox}/snapshot', {
    summary: 'Saves the current state as a named snapshot.',
    body: take.snapshotRequest,
    reply: reply.snapshotResponse,
    statuses: [201],
  }),
  restoreSandbox: operation('POST /sandboxes/{sandbox}/restore', {
    summary: 'Restores a snapshot.',
    body: take.restoreRequest,
    reply: reply.sandboxResponse,
    errors: ['snapshot-not-found'],
  }),
  resetSandbox: operation('POST /sandboxes/{sandbox}/reset', {
    summary: 'Resets the sandbox to its initial state.',
    body: take.emptyRequest,
    reply: reply.sandboxResponse,
  }),
  getClock: operation('GET /sandboxes/{sandbox}/clock', {
    summary: 'Returns the virtual time and whether the clock is running.',
    reply: reply.clockResponse,
  }),
  putClock: operation('PUT /sandboxes/{sandbox}/clock', {
    summary: 'Sets the time, the speed, or both; moving back is allowed.',
    body: take.clockRequest,
    reply: reply.clockResponse,
  }),
  advanceClock: operation('POST /sandboxes/{sandbox}/clock/advance', {
    summary: 'Advances the clock by the sum of the given units.',
    body: take.advanceRequest,
    reply: reply.clockResponse,
  }),
});

/** Control API operations on the tenant, users, and tokens. */
export const directoryOperations = named({
  getTenant: operation('GET /sandboxes/{sandbox}/tenant', {
    summary: 'Returns all facts of the tenant.',
    reply: reply.tenantResponse,
  }),
  putTenant: operation('PUT /sandboxes/{sandbox}/tenant', {
    summary:
      'Replaces the facts of the tenant, and its settings if the body has them; omitted facts take their defaults. A fixture can give both.',
    body: take.tenantRequest,
    reply: reply.tenantResponse,
  }),
  patchTenant: operation('PATCH /sandboxes/{sandbox}/tenant', {
    summary: 'Updates facts of the tenant with a merge patch.',
    body: take.mergePatchRequest,
    reply: reply.tenantResponse,
  }),
  getSettings: operation('GET /sandboxes/{sandbox}/tenant/settings', {
    summary: 'Returns the settings that no rule uses.',
    reply: reply.tenantSettingsResponse,
  }),
  putSettings: operation('PUT /sandboxes/{sandbox}/tenant/settings', {
    summary: 'Replaces the settings that no rule uses.',
    body: tenantSettingsSchema,
    reply: reply.tenantSettingsResponse,
  }),
  patchSettings: operation('PATCH /sandboxes/{sandbox}/tenant/settings', {
    summary: 'Updates the settings that no rule uses with a merge patch.',
    body: take.mergePatchRequest,
    reply: reply.tenantSettingsResponse,
  }),
  getFaults: operation('GET /sandboxes/{sandbox}/faults', {
    summary: 'Lists the active faults with the number of occurrences of each.',
    reply: reply.faultsResponse,
  }),
  putFaults: operation('PUT /sandboxes/{sandbox}/faults', {
    summary: 'Replaces all faults, in full or by fixtures, and restarts their counts.',
    body: take.faultsRequest,
    reply: reply.faultsResponse,
  }),
  clearFaults: operation('DELETE /sandboxes/{sandbox}/faults', {
    summary: 'Clears all faults.',
    reply: null,
  }),
  listUsers: operation('GET /sandboxes/{sandbox}/users', {
    summary:
      'Lists users without their credentials; filters by part of a name, lifecycle state, or the reason why the next sign-in would not prompt.',
    query: take.usersQuery,
    reply: reply.usersResponse,
  }),
  getUserSummary: operation('GET /sandboxes/{sandbox}/user-summary', {
    summary: 'Counts users by nudge state and returns when the next snooze ends.',
    reply: reply.userSummaryResponse,
  }),
  getUser: operation('GET /sandboxes/{sandbox}/users/{user}', {
    summary: 'Returns a user with test password and nudge status.',
    reply: reply.userResponse,
    errors: ['user-not-found'],
  }),
  putUser: operation('PUT /sandboxes/{sandbox}/users/{user}', {
    summary: 'Creates or replaces a user, also by a fixture; omitted properties take their defaults.',
    body: take.putUserRequest,
    reply: reply.userResponse,
    statuses: [200, 201],
  }),
  patchUser: operation('PATCH /sandboxes/{sandbox}/users/{user}', {
    summary: 'Updates a user with a merge patch.',
    body: take.userPatchRequest,
    reply: reply.userResponse,
    errors: ['user-not-found'],
  }),
  deleteUser: operation('DELETE /sandboxes/{sandbox}/users/{user}', {
    summary: 'Deletes a user.',
    reply: null,
    errors: ['user-not-found'],
  }),
  putSnooze: operation('PUT /sandboxes/{sandbox}/users/{user}/snooze', {
    summary: 'Sets the snooze count and timer of a user; the only way to reset them (A3).',
    body: take.snoozeRequest,
    reply: reply.nudgeStatusResponse,
    errors: ['user-not-found'],
  }),
  clearBrowser: operation('POST /sandboxes/{sandbox}/users/{user}/clear-browser', {
    summary: "Clears the data of the browser of the user's latest sign-in, in an own campaign.",
    body: take.emptyRequest,
    reply: reply.nudgeStatusResponse,
    errors: ['user-not-found'],
  }),
  resetLedger: operation('POST /sandboxes/{sandbox}/users/{user}/reset-ledger', {
    summary:
      "Clears what the user's answers left in an own campaign: what its resets on `control` name, or everything (A3).",
    body: take.emptyRequest,
    reply: reply.nudgeStatusResponse,
    errors: ['user-not-found'],
  }),
  removeMethod: operation('DELETE /sandboxes/{sandbox}/users/{user}/methods/{method}', {
    summary: 'Deletes a method of a user; fido2 deletes all passkeys.',
    reply: reply.userResponse,
    errors: ['user-not-found'],
  }),
  listPasskeys: operation('GET /sandboxes/{sandbox}/users/{user}/passkeys', {
    summary: 'Lists the passkeys of a user with their public keys; test passkeys with their private keys.',
    reply: reply.passkeysResponse,
    errors: ['user-not-found'],
  }),
  getPhone: operation('GET /sandboxes/{sandbox}/users/{user}/phone', {
    summary: "Returns what the user's phone shows: the code sent, the time-based code, pending requests.",
    reply: reply.phoneResponse,
    errors: ['user-not-found'],
  }),
  settlePendingCloses: operation('POST /sandboxes/{sandbox}/users/{user}/pending-closes/settle', {
    summary: 'Settles the pending closes of a user, as the next sign-in would (A41).',
    body: take.emptyRequest,
    reply: reply.nudgeStatusResponse,
    errors: ['user-not-found'],
  }),
  prepareSignIn: operation('POST /sandboxes/{sandbox}/users/{user}/next-sign-in', {
    summary: 'Sets the context of the next sign-in of a user; it applies once.',
    body: take.nextSignInRequest,
    reply: reply.nextSignInResponse,
    errors: ['user-not-found'],
  }),
  revokeSessions: operation('POST /sandboxes/{sandbox}/users/{user}/revoke-sessions', {
    summary: 'Ends all sessions of a user, with their refresh tokens and access tokens.',
    body: take.emptyRequest,
    reply: revokedSessionsResponse,
    errors: ['user-not-found'],
  }),
  listLogoutTokens: operation('GET /sandboxes/{sandbox}/logout-tokens', {
    summary: 'Lists the logout tokens for applications with back-channel logout, oldest first, at most 1,000.',
    reply: logoutTokensResponse,
  }),
  issueToken: operation('POST /sandboxes/{sandbox}/tokens', {
    summary: 'Issues an access token for the APIs of the sandbox.',
    body: take.tokenRequest,
    reply: tokenResponse,
    errors: ['user-not-found'],
  }),
  revokeToken: operation('POST /sandboxes/{sandbox}/tokens/revoke', {
    summary: 'Revokes an access token permanently.',
    body: take.revokeRequest,
    reply: null,
    errors: ['unauthenticated'],
  }),
  rotateKeys: operation('POST /sandboxes/{sandbox}/keys/rotate', {
    summary:
      'Replaces the signing keys, or that of one algorithm. The previous ones stay published for earlier tokens.',
    body: take.rotateKeysRequest,
    reply: keysResponse,
    errors: [],
  }),
});

/** Control API operations that report past events, preview sign-ins, and explain verdicts. */
export const questionOperations = named({
  explain: operation('POST /sandboxes/{sandbox}/explain', {
    summary: 'Evaluates a hypothetical sign-in without changing anything.',
    body: take.explainRequest,
    reply: reply.explainResponse,
    errors: ['user-not-found', 'rulesets-not-comparable'],
  }),
  listSignIns: operation('GET /sandboxes/{sandbox}/sign-ins', {
    summary: 'Lists the stored sign-ins, newest first.',
    query: take.signInsQuery,
    reply: reply.signInsResponse,
    errors: ['user-not-found'],
  }),
  getSignIn: operation('GET /sandboxes/{sandbox}/sign-ins/{signIn}', {
    summary: 'Returns a sign-in with its attempt, verdict, trace and events.',
    reply: reply.signInDetailResponse,
    errors: ['sign-in-not-found'],
  }),
  getSandboxRuleset: operation('GET /sandboxes/{sandbox}/ruleset', {
    summary: 'Returns the ruleset of the sandbox: edition and settings in force, and the texts of an own campaign.',
    reply: sandboxRulesetResponse,
  }),
  answerPush: operation('POST /sandboxes/{sandbox}/sign-ins/{signIn}/push', {
    summary: 'Responds to the request in the authenticator app; the correct number is the default.',
    body: take.pushRequest,
    reply: reply.signInResponse,
    errors: ['sign-in-not-found', 'unexpected-screen'],
  }),
  getObservations: operation('POST /sandboxes/{sandbox}/observations', {
    summary:
      'Returns everything a test checks after a step; the last observation deletes the sandbox unless more of its journal follows.',
    body: take.observationsRequest,
    reply: reply.observationsResponse,
    errors: ['sign-in-not-found', 'user-not-found'],
  }),
  listJournal: operation('GET /sandboxes/{sandbox}/journal', {
    summary: 'Lists journal entries in order.',
    query: take.journalQuery,
    reply: reply.journalResponse,
  }),
  exportJourney: operation('GET /sandboxes/{sandbox}/journey', {
    summary: 'Exports part of the journal as a self-contained journey for `nudgelab replay`.',
    query: take.journeyQuery,
    reply: {
      stream: 'lines',
      item: journeyLineSchema,
      description: 'One JSON object per line, as described by `nudgelab schema journey`.',
    },
    errors: ['user-not-found'],
  }),
  countJournal: operation('GET /sandboxes/{sandbox}/journal/counts', {
    summary: 'Counts journal entries by type.',
    reply: reply.countsResponse,
  }),
  listRequests: operation('GET /sandboxes/{sandbox}/requests', {
    summary: 'Lists the most recent requests to the sandbox, newest last.',
    query: take.requestsQuery,
    reply: reply.requestsResponse,
  }),
  streamEvents: operation('GET /sandboxes/{sandbox}/events', {
    summary: 'Streams journal entries as they are recorded; Last-Event-ID resumes.',
    query: take.eventsQuery,
    reply: {
      stream: 'events',
      item: reply.entryResponse,
      description: 'Server-sent events; the id of each is its sequence number, from which a stream resumes.',
    },
    errors: ['too-many-streams'],
  }),
  getCampaign: operation('GET /sandboxes/{sandbox}/campaign', {
    summary: 'Returns the effective campaign and its warnings.',
    reply: reply.campaignResponse,
  }),
  previewCampaign: operation('POST /sandboxes/{sandbox}/campaign/preview', {
    summary: `Evaluates the next sign-in of up to ${evaluatedUsersMax.toLocaleString('en')} users before and after a policy update without changing anything.`,
    body: take.previewRequest,
    reply: reply.previewResponse,
  }),
  listRules: operation('GET /sandboxes/{sandbox}/rules', {
    summary: 'Lists every rule with its gate and its position in the ruleset of the sandbox.',
    reply: reply.rulesResponse,
  }),
  listAssumptions: operation('GET /sandboxes/{sandbox}/assumptions', {
    summary: 'Lists the open questions of the specification with the answer used here and the switch for each.',
    reply: reply.assumptionsResponse,
  }),
  putAssumptions: operation('PUT /sandboxes/{sandbox}/assumptions', {
    summary: 'Sets switches of assumptions: either all in the body or none.',
    body: take.assumptionsRequest,
    reply: reply.assumptionsResponse,
  }),
});
