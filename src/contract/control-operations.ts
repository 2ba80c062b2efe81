import * as take from './control.schema.ts';
import * as reply from './control-answers.schema.ts';
import { named, operation } from './control-operation.ts';
import { tenantFactsSchema } from './facts.schema.ts';
import { tenantSettingsSchema } from './sandbox.schema.ts';

/** Operations on the server and on whole sandboxes. */
export const sandboxOperations = named({
  getHealth: operation('GET /health', {
    summary: 'Whether the server answers.',
    reply: reply.healthAnswer,
  }),
  getReadiness: operation('GET /ready', {
    summary: 'Whether requests should be sent to the server.',
    reply: reply.readyAnswer,
    errors: ['server-not-ready'],
  }),
  getOpenapi: operation('GET /openapi.json', {
    summary: 'This document.',
    reply: reply.documentAnswer,
  }),
  getServer: operation('GET /server', {
    summary: 'What this server is, where it keeps its journals, and how much it holds at most.',
    reply: reply.serverAnswer,
  }),
  getPolicyOpenapi: operation('GET /policy-openapi.json', {
    summary: 'The OpenAPI document of the policy API.',
    reply: reply.documentAnswer,
  }),
  listSandboxes: operation('GET /sandboxes', {
    summary: 'The sandboxes, in order of creation.',
    query: take.pageQuery,
    reply: reply.sandboxesAnswer,
  }),
  createSandbox: operation('POST /sandboxes', {
    summary: 'Makes a sandbox; every part has a default.',
    body: take.sandboxBody,
    reply: reply.createdAnswer,
    statuses: [201],
    errors: ['sandbox-exists', 'too-many-sandboxes'],
  }),
  getSandbox: operation('GET /sandboxes/{sandbox}', {
    summary: 'One sandbox.',
    reply: reply.sandboxAnswer,
  }),
  deleteSandbox: operation('DELETE /sandboxes/{sandbox}', {
    summary: 'Deletes a sandbox with its journal.',
    reply: null,
  }),
  forkSandbox: operation('POST /sandboxes/{sandbox}/fork', {
    summary: 'Makes another sandbox that goes on from the same journal.',
    body: take.forkBody,
    reply: reply.createdAnswer,
    statuses: [201],
    errors: ['sandbox-exists', 'too-many-sandboxes'],
  }),
  takeSnapshot: operation('POST /sandboxes/{sandbox}/snapshot', {
    summary: 'Keeps the state under a name.',
    body: take.snapshotBody,
    reply: reply.snapshotAnswer,
    statuses: [201],
  }),
  restoreSandbox: operation('POST /sandboxes/{sandbox}/restore', {
    summary: 'Goes back to a snapshot.',
    body: take.restoreBody,
    reply: reply.sandboxAnswer,
    errors: ['snapshot-unknown'],
  }),
  resetSandbox: operation('POST /sandboxes/{sandbox}/reset', {
    summary: 'Goes back to how the sandbox was made.',
    body: take.emptyBody,
    reply: reply.sandboxAnswer,
  }),
  getClock: operation('GET /sandboxes/{sandbox}/clock', {
    summary: 'The virtual time, and whether it runs.',
    reply: reply.clockAnswer,
  }),
  putClock: operation('PUT /sandboxes/{sandbox}/clock', {
    summary: 'Sets time, speed or both; back is allowed.',
    body: take.clockBody,
    reply: reply.clockAnswer,
  }),
  advanceClock: operation('POST /sandboxes/{sandbox}/clock/advance', {
    summary: 'Moves the clock on by a span whose parts add up.',
    body: take.advanceBody,
    reply: reply.clockAnswer,
  }),
});

/** Operations on tenant, users and tokens. */
export const directoryOperations = named({
  getTenant: operation('GET /sandboxes/{sandbox}/tenant', {
    summary: 'The facts of the tenant, complete.',
    reply: reply.tenantAnswer,
  }),
  putTenant: operation('PUT /sandboxes/{sandbox}/tenant', {
    summary: 'Replaces the facts of the tenant; what is left out takes its default.',
    body: tenantFactsSchema,
    reply: reply.tenantAnswer,
  }),
  patchTenant: operation('PATCH /sandboxes/{sandbox}/tenant', {
    summary: 'Changes facts of the tenant by a merge patch.',
    body: take.mergePatchBody,
    reply: reply.tenantAnswer,
  }),
  getSettings: operation('GET /sandboxes/{sandbox}/tenant/settings', {
    summary: 'Settings that no rule reads.',
    reply: reply.tenantSettingsAnswer,
  }),
  putSettings: operation('PUT /sandboxes/{sandbox}/tenant/settings', {
    summary: 'Replaces those settings.',
    body: tenantSettingsSchema,
    reply: reply.tenantSettingsAnswer,
  }),
  patchSettings: operation('PATCH /sandboxes/{sandbox}/tenant/settings', {
    summary: 'Changes those settings by a merge patch.',
    body: take.mergePatchBody,
    reply: reply.tenantSettingsAnswer,
  }),
  getFaults: operation('GET /sandboxes/{sandbox}/faults', {
    summary: 'The faults that are set, with the occasions that each has had.',
    reply: reply.faultsAnswer,
  }),
  putFaults: operation('PUT /sandboxes/{sandbox}/faults', {
    summary: 'Sets the faults in place of those that were set; all count anew.',
    body: take.faultsBody,
    reply: reply.faultsAnswer,
  }),
  clearFaults: operation('DELETE /sandboxes/{sandbox}/faults', {
    summary: 'Takes every fault away.',
    reply: null,
  }),
  listUsers: operation('GET /sandboxes/{sandbox}/users', {
    summary:
      'The users, without what they sign in with; by a part of their names, the state of their lifecycle, and why their next sign-in would not ask them.',
    query: take.usersQuery,
    reply: reply.usersAnswer,
  }),
  getPopulation: operation('GET /sandboxes/{sandbox}/population', {
    summary: 'How many users stand where, and when the next snooze elapses.',
    reply: reply.populationAnswer,
  }),
  getUser: operation('GET /sandboxes/{sandbox}/users/{user}', {
    summary: 'One user with test password and ledger.',
    reply: reply.userAnswer,
    errors: ['user-unknown'],
  }),
  putUser: operation('PUT /sandboxes/{sandbox}/users/{user}', {
    summary: 'Puts a user, new or known; what is left out takes its default.',
    body: take.userBody,
    reply: reply.userAnswer,
    statuses: [200, 201],
  }),
  patchUser: operation('PATCH /sandboxes/{sandbox}/users/{user}', {
    summary: 'Changes a user by a merge patch.',
    body: take.userPatchBody,
    reply: reply.userAnswer,
    errors: ['user-unknown'],
  }),
  deleteUser: operation('DELETE /sandboxes/{sandbox}/users/{user}', {
    summary: 'Removes a user.',
    reply: null,
    errors: ['user-unknown'],
  }),
  putSnooze: operation('PUT /sandboxes/{sandbox}/users/{user}/snooze', {
    summary: 'Sets count and timer of the ledger: the one reset there is (A3).',
    body: take.snoozeBody,
    reply: reply.ledgerAnswer,
    errors: ['user-unknown'],
  }),
  removeMethod: operation('DELETE /sandboxes/{sandbox}/users/{user}/methods/{method}', {
    summary: 'Removes a method of a user; fido2 removes all passkeys.',
    reply: reply.userAnswer,
    errors: ['user-unknown'],
  }),
  listPasskeys: operation('GET /sandboxes/{sandbox}/users/{user}/passkeys', {
    summary: 'The passkeys of a user with what they are verified by; test passkeys with their private key.',
    reply: reply.passkeysAnswer,
    errors: ['user-unknown'],
  }),
  getPhone: operation('GET /sandboxes/{sandbox}/users/{user}/phone', {
    summary: 'What the phone of the user shows: the code that was sent, the timed code, requests that wait.',
    reply: reply.phoneAnswer,
    errors: ['user-unknown'],
  }),
  settleUser: operation('POST /sandboxes/{sandbox}/users/{user}/settle', {
    summary: 'Settles what the user left open, as the next sign-in would (A41).',
    body: take.emptyBody,
    reply: reply.ledgerAnswer,
    errors: ['user-unknown'],
  }),
  prepareSignIn: operation('POST /sandboxes/{sandbox}/users/{user}/next-sign-in', {
    summary: 'Says what the next sign-in of the user will be like; used once.',
    body: take.nextSignInBody,
    reply: reply.nextSignInAnswer,
    errors: ['user-unknown'],
  }),
  issueToken: operation('POST /sandboxes/{sandbox}/tokens', {
    summary: 'Issues an access token for the APIs of the sandbox.',
    body: take.tokenBody,
    reply: reply.tokenAnswer,
    errors: ['user-unknown'],
  }),
  revokeToken: operation('POST /sandboxes/{sandbox}/tokens/revoke', {
    summary: 'Revokes an access token for good.',
    body: take.revokeBody,
    reply: null,
    errors: ['unauthenticated'],
  }),
});

/** Operations that ask what happened, what would happen and why. */
export const questionOperations = named({
  explain: operation('POST /sandboxes/{sandbox}/explain', {
    summary: 'Judges a sign-in that has not taken place; changes nothing.',
    body: take.explainBody,
    reply: reply.explainAnswer,
    errors: ['user-unknown'],
  }),
  listSignIns: operation('GET /sandboxes/{sandbox}/sign-ins', {
    summary: 'Sign-ins that are held, newest first.',
    query: take.signInsQuery,
    reply: reply.signInsAnswer,
    errors: ['user-unknown'],
  }),
  getSignIn: operation('GET /sandboxes/{sandbox}/sign-ins/{signIn}', {
    summary: 'One sign-in: its attempt, its verdict with the trace, its inputs.',
    reply: reply.signInDetailAnswer,
    errors: ['sign-in-unknown'],
  }),
  answerPush: operation('POST /sandboxes/{sandbox}/sign-ins/{signIn}/push', {
    summary: 'Answers the request in the authenticator app; without a number the right one is taken.',
    body: take.pushBody,
    reply: reply.signInAnswer,
    errors: ['sign-in-unknown', 'wrong-screen'],
  }),
  tellFindings: operation('POST /sandboxes/{sandbox}/findings', {
    summary:
      'What a test asks after a step, in one answer; the last one deletes the sandbox, unless more of its journal is to come.',
    body: take.findingsBody,
    reply: reply.findingsAnswer,
    errors: ['sign-in-unknown', 'user-unknown'],
  }),
  listJournal: operation('GET /sandboxes/{sandbox}/journal', {
    summary: 'Entries of the journal in order.',
    query: take.journalQuery,
    reply: reply.journalAnswer,
  }),
  exportJourney: operation('GET /sandboxes/{sandbox}/journey', {
    summary: 'A part of the journal as a journey that needs nothing else; `nudgelab replay` folds it again.',
    query: take.journeyQuery,
    reply: 'journey',
    errors: ['user-unknown'],
  }),
  countJournal: operation('GET /sandboxes/{sandbox}/journal/counts', {
    summary: 'Entries of the journal, counted by type.',
    reply: reply.countsAnswer,
  }),
  listRequests: operation('GET /sandboxes/{sandbox}/requests', {
    summary: 'The latest requests that the sandbox was asked, newest last.',
    query: take.requestsQuery,
    reply: reply.requestsAnswer,
  }),
  streamEvents: operation('GET /sandboxes/{sandbox}/events', {
    summary: 'Entries of the journal as they happen; Last-Event-ID resumes.',
    query: take.eventsQuery,
    reply: 'events',
    errors: ['too-many-streams'],
  }),
  getCampaign: operation('GET /sandboxes/{sandbox}/campaign', {
    summary: 'The campaign as it takes effect, and what is odd about it.',
    reply: reply.campaignAnswer,
  }),
  previewCampaign: operation('POST /sandboxes/{sandbox}/campaign/preview', {
    summary: 'Judges the next sign-in of every user before and after an update of the policy; changes nothing.',
    body: take.previewBody,
    reply: reply.previewAnswer,
  }),
  listRules: operation('GET /sandboxes/{sandbox}/rules', {
    summary: 'Every rule, with its gate and its place in the ruleset of the sandbox.',
    reply: reply.rulesAnswer,
  }),
  listAssumptions: operation('GET /sandboxes/{sandbox}/assumptions', {
    summary: 'What the specification leaves open, how it is settled here, and what to switch.',
    reply: reply.assumptionsAnswer,
  }),
  putAssumptions: operation('PUT /sandboxes/{sandbox}/assumptions', {
    summary: 'Sets the switches of assumptions, all of the body or none.',
    body: take.assumptionsBody,
    reply: reply.assumptionsAnswer,
  }),
});
