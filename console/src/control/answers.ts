import type {
  Answer,
  assumptionsAnswer,
  campaignAnswer,
  entryAnswer,
  faultsAnswer,
  populationAnswer,
  previewAnswer,
  rulesAnswer,
  sandboxAnswer,
  sandboxesAnswer,
  serverAnswer,
  signInDetailAnswer,
  signInsAnswer,
  tenantAnswer,
  tokenAnswer,
  userAnswer,
  usersAnswer,
  verdictAnswer,
} from '../../../src/contract/control-answers.schema.ts';
import type { ControlOperation } from '../../../src/contract/control-operation.ts';
import type { documentOperations } from '../../../src/contract/document-operations.ts';
import type { lookupOperations } from '../../../src/contract/lookup-operations.ts';
import type { tenantSettingsSchema } from '../../../src/contract/sandbox.schema.ts';

/** The answers of the control API by the names that the console uses. */
export type Assumptions = Answer<typeof assumptionsAnswer>;
export type Campaign = Answer<typeof campaignAnswer>;
export type Entry = Answer<typeof entryAnswer>;
export type Faults = Answer<typeof faultsAnswer>;
export type Population = Answer<typeof populationAnswer>;
export type Preview = Answer<typeof previewAnswer>;
export type Rules = Answer<typeof rulesAnswer>;
export type SandboxInfo = Answer<typeof sandboxAnswer>;
export type SandboxList = Answer<typeof sandboxesAnswer>;
export type ServerInfo = Answer<typeof serverAnswer>;
export type SignIns = Answer<typeof signInsAnswer>;
export type SignIn = SignIns['signIns'][number];
export type SignInDetail = Answer<typeof signInDetailAnswer>;
export type Tenant = Answer<typeof tenantAnswer>;
export type IssuedToken = Answer<typeof tokenAnswer>;
export type TenantSettings = Answer<typeof tenantSettingsSchema>;
export type User = Answer<typeof userAnswer>;
export type UserList = Answer<typeof usersAnswer>;
export type ListedUser = UserList['users'][number];
export type Verdict = Answer<typeof verdictAnswer>;

/** What an operation answers with. */
type ReplyOf<O> = O extends ControlOperation<infer _Body, infer _Query, infer Reply> ? Answer<Reply> : never;

export type LookupService = ReplyOf<typeof lookupOperations.getLookup>;
export type LookupCalls = ReplyOf<typeof lookupOperations.listLookupCalls>;
export type IssuedLookupToken = ReplyOf<typeof lookupOperations.issueLookupToken>;
export type DocumentPages = ReplyOf<typeof documentOperations.searchDocuments>;
export type DocumentList = ReplyOf<typeof documentOperations.listDocuments>;
export type DocumentRow = DocumentList['documents'][number];
