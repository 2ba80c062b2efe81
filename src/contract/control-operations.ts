import * as take from './control.schema.ts';
import { named, operation } from './control-operation.ts';
import * as reply from './control-responses.schema.ts';
import { tenantFactsSchema } from './facts.schema.ts';
import { tenantSettingsSchema } from './sandbox.schema.ts';

/** Control API operations on the server and on entire sandboxes. */
export const sandboxOperations = named({
  getHealth: operation('GET /health', {
    summary: 'Whether the server answers.',
    reply: reply.healthResponse,
  }),
  getReadiness: operation('GET /ready', {
    summary: 'Whether requests should be sent to the server.',
    reply: reply.readyResponse,
    errors: ['server-not-ready'],
  }),
  getOpenapi: operation('GET /openapi.json', {
    summary: 'This document.',
    reply: reply.documentResponse,
  }),
  getServer: operation('GET /server', {
    summary: 'What this server is, where it keeps its journals, and how much it holds at most.',
    reply: reply.serverResponse,
  }),
  getPolicyOpenapi: operation('GET /policy-openapi.json', {
    summary: 'The OpenAPI document of the policy API.',
    reply: reply.documentResponse,
  }),
  listSandboxes: operation('GET /sandboxes', {
    summary: 'The sandboxes, in order of creation.',
    query: take.pageQuery,
    reply: reply.sandboxesResponse,
  }),
  createSandbox: operation('POST /sandboxes', {
    summary: 'Makes a sandbox; every part has a default.',
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
    summary: 'Deletes a sandbox with its journal.',
    reply: null,
  }),
  forkSandbox: operation('POST /sandboxes/{sandbox}/fork', {
    summary: 'Makes another sandbox that goes on from the same journal.',
    body: take.forkRequest,
    reply: reply.createdResponse,
    statuses: [201],
    errors: ['sandbox-exists', 'too-many-sandboxes'],
  }),
  takeSnapshot: operation('POST /sandboxes/{sandbox}/snapshot', {
    summary: 'Keeps the state under a name.',
    body: take.snapshotRequest,
    reply: reply.snapshotResponse,
    statuses: [201],
  }),
  restoreSandbox: operation('POST /sandboxes/{sandbox}/restore', {
    summary: 'Goes back to a snapshot.',
    body: take.restoreRequest,
    reply: reply.sandboxResponse,
    errors: ['snapshot-not-found'],
  }),
  resetSandbox: operation('POST /sandboxes/{sandbox}/reset', {
    summary: 'Goes back to how the sandbox was made.',
    body: take.emptyRequest,
    reply: reply.sandboxResponse,
  }),
  getClock: operation('GET /sandboxes/{sandbox}/clock', {
    summary: 'The virtual time, and whether it runs.',
    reply: reply.clockResponse,
  }),
  putClock: operation('PUT /sandboxes/{sandbox}/clock', {
    summary: 'Sets time, speed or both; back is allowed.',
    body: take.clockRequest,
    reply: reply.clockResponse,
  }),
  advanceClock: operation('POST /sandboxes/{sandbox}/clock/advance', {
    summary: 'Moves the clock on by a span whose parts add up.',
    body: take.advanceRequest,
    reply: reply.clockResponse,
  }),
});

/** Control API operations on the tenant, users, and tokens. */
export const directoryOperations = named({
  getTenant: operation('GET /sandboxes/{sandbox}/tenant', {
    summary: 'The facts of the tenant, complete.',
    reply: reply.tenantResponse,
  }),
  putTenant: operation('PUT /sandboxes/{sandbox}/tenant', {
    summary: 'Replaces the facts of the tenant; what is left out takes its default.',
    body: tenantFactsSchema,
    reply: reply.tenantResponse,
  }),
  patchTenant: operation('PATCH /sandboxes/{sandbox}/tenant', {
    summary: 'Changes facts of the tenant by a merge patch.',
    body: take.mergePatchRequest,
    reply: reply.tenantResponse,
  }),
  getSettings: operation('GET /sandboxes/{sandbox}/tenant/settings', {
    summary: 'Settings that no rule reads.',
    reply: reply.tenantSettingsResponse,
  }),
  putSettings: operation('PUT /sandboxes/{sandbox}/tenant/settings', {
    summary: 'Replaces those settings.',
    body: tenantSettingsSchema,
    reply: reply.tenantSettingsResponse,
  }),
  patchSettings: operation('PATCH /sandboxes/{sandbox}/tenant/settings', {
    summary: 'Changes those settings by a merge patch.',
    body: take.mergePatchRequest,
    reply: reply.tenantSettingsResponse,
  }),
  getFaults: operation('GET /sandboxes/{sandbox}/faults', {
    summary: 'The faults that are set, with the occurrences that each has had.',
    reply: reply.faultsResponse,
  }),
  putFaults: operation('PUT /sandboxes/{sandbox}/faults', {
    summary: 'Sets the faults in place of those that were set; all count again.',
    body: take.faultsRequest,
    reply: reply.faultsResponse,
  }),
  clearFaults: operation('DELETE /sandboxes/{sandbox}/faults', {
    summary: 'Takes every fault away.',
    reply: null,
  }),
  listUsers: operation('GET /sandboxes/{sandbox}/users', {
    summary:
      'The users, without what they sign in with; by a part of their names, the state of their lifecycle, and why their next sign-in would not ask them.',
    query: take.usersQuery,
    reply: reply.usersResponse,
  }),
  getUserSummary: operation('GET /sandboxes/{sandbox}/user-summary', {
    summary: 'How many users stand where, and when the next snooze elapses.',
    reply: reply.userSummaryResponse,
  }),
  getUser: operation('GET /sandboxes/{sandbox}/users/{user}', {
    summary: 'One user with test password and nudge status.',
    reply: reply.userResponse,
    errors: ['user-not-found'],
  }),
  putUser: operation('PUT /sandboxes/{sandbox}/users/{user}', {
    summary: 'Puts a user, new or known; what is left out takes its default.',
    body: take.userRequest,
    reply: reply.userResponse,
    statuses: [200, 201],
  }),
  patchUser: operation('PATCH /sandboxes/{sandbox}/users/{user}', {
    summary: 'Changes a user by a merge patch.',
    body: take.userPatchRequest,
    reply: reply.userResponse,
    errors: ['user-not-found'],
  }),
  deleteUser: operation('DELETE /sandboxes/{sandbox}/users/{user}', {
    summary: 'Removes a user.',
    reply: null,
    errors: ['user-not-found'],
  }),
  putSnooze: operation('PUT /sandboxes/{sandbox}/users/{user}/snooze', {
    summary: 'Sets count and timer of the nudge status: the one reset there is (A3).',
    body: take.snoozeRequest,
    reply: reply.nudgeStatusResponse,
    errors: ['user-not-found'],
  }),
  removeMethod: operation('DELETE /sandboxes/{sandbox}/users/{user}/methods/{method}', {
    summary: 'Removes a method of a user; fido2 removes all passkeys.',
    reply: reply.userResponse,
    errors: ['user-not-found'],
  }),
  listPasskeys: operation('GET /sandboxes/{sandbox}/users/{user}/passkeys', {
    summary: 'The passkeys of a user with what they are verified by; test passkeys with their private key.',
    reply: reply.passkeysResponse,
    errors: ['user-not-found'],
  }),
  getPhone: operation('GET /sandboxes/{sandbox}/users/{user}/phone', {
    summary: 'What the phone of the user shows: the code that was sent, the timed code, requests that wait.',
    reply: reply.phoneResponse,
    errors: ['user-not-found'],
  }),
  settlePendingCloses: operation('POST /sandboxes/{sandbox}/users/{user}/pending-closes/settle', {
    summary: 'Settles what the user left open, as the next sign-in would (A41).',
    body: take.emptyRequest,
    reply: reply.nudgeStatusResponse,
    errors: ['user-not-found'],
  }),
  prepareSignIn: operation('POST /sandboxes/{sandbox}/users/{user}/next-sign-in', {
    summary: 'Says what the next sign-in of the user will be like; used once.',
    body: take.nextSignInRequest,
    reply: reply.nextSignInResponse,
    errors: ['user-not-found'],
  }),
  issueToken: operation('POST /sandboxes/{sandbox}/tokens', {
    summary: 'Issues an access token for the APIs of the sandbox.',
    body: take.tokenRequest,
    reply: reply.tokenResponse,
    errors: ['user-not-found'],
  }),
  revokeToken: operation('POST /sandboxes/{sandbox}/tokens/revoke', {
    summary: 'Revokes an access token for good.',
    body: take.revokeRequest,
    reply: null,
    errors: ['unauthenticated'],
  }),
});

/** Control API operations that report past events, preview sign-ins, and explain verdicts. */
export const questionOperations = named({
  explain: operation('POST /sandboxes/{sandbox}/explain', {
    summary: 'Evaluates a sign-in that has not taken place; changes nothing.',
    body: take.explainRequest,
    reply: reply.explainResponse,
    errors: ['user-not-found'],
  }),
  listSignIns: operation('GET /sandboxes/{sandbox}/sign-ins', {
    summary: 'Sign-ins that are held, newest first.',
    query: take.signInsQuery,
    reply: reply.signInsResponse,
    errors: ['user-not-found'],
  }),
  getSignIn: operation('GET /sandboxes/{sandbox}/sign-ins/{signIn}', {
    summary: 'One sign-in: its attempt, its verdict with the trace, its inputs.',
    reply: reply.signInDetailResponse,
    errors: ['sign-in-not-found'],
  }),
  answerPush: operation('POST /sandboxes/{sandbox}/sign-ins/{signIn}/push', {
    summary: 'Answers the request in the authenticator app; without a number the right one is taken.',
    body: take.pushRequest,
    reply: reply.signInResponse,
    errors: ['sign-in-not-found', 'unexpected-screen'],
  }),
  getObservations: operation('POST /sandboxes/{sandbox}/observations', {
    summary:
      'What a test asks after a step, in one answer; the last one deletes the sandbox, unless more of its journal is to come.',
    body: take.observationsRequest,
    reply: reply.observationsResponse,
    errors: ['sign-in-not-found', 'user-not-found'],
  }),
  listJournal: operation('GET /sandboxes/{sandbox}/journal', {
    summary: 'Entries of the journal in order.',
    query: take.journalQuery,
    reply: reply.journalResponse,
  }),
  exportJourney: operation('GET /sandboxes/{sandbox}/journey', {
    summary: 'A part of the journal as a journey that needs nothing else; `nudgelab replay` folds it again.',
    query: take.journeyQuery,
    reply: 'journey',
    errors: ['user-not-found'],
  }),
  countJournal: operation('GET /sandboxes/{sandbox}/journal/counts', {
    summary: 'Entries of the journal, counted by type.',
    reply: reply.countsResponse,
  }),
  listRequests: operation('GET /sandboxes/{sandbox}/requests', {
    summary: 'The latest requests that the sandbox was asked, newest last.',
    query: take.requestsQuery,
    reply: reply.requestsResponse,
  }),
  streamEvents: operation('GET /sandboxes/{sandbox}/events', {
    summary: 'Entries of the journal as they happen; Last-Event-ID resumes.',
    query: take.eventsQuery,
    reply: 'events',
    errors: ['too-many-streams'],
  }),
  getCampaign: operation('GET /sandboxes/{sandbox}/campaign', {
    summary: 'The campaign as it takes effect, and what is odd about it.',
    reply: reply.campaignResponse,
  }),
  previewCampaign: operation('POST /sandboxes/{sandbox}/campaign/preview', {
    summary: 'Evaluates the next sign-in of every user before and after an update of the policy; changes nothing.',
    body: take.previewRequest,
    reply: reply.previewResponse,
  }),
  listRules: operation('GET /sandboxes/{sandbox}/rules', {
    summary: 'Every rule, with its gate and its place in the ruleset of the sandbox.',
    reply: reply.rulesResponse,
  }),
  listAssumptions: operation('GET /sandboxes/{sandbox}/assumptions', {
    summary: 'What the specification leaves open, how it is settled here, and what to switch.',
    reply: reply.assumptionsResponse,
  }),
  putAssumptions: operation('PUT /sandboxes/{sandbox}/assumptions', {
    summary: 'Sets the switches of assumptions, all of the body or none.',
    body: take.assumptionsRequest,
    reply: reply.assumptionsResponse,
  }),
});
