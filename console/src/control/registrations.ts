import type { RegistrationDetailsResource } from '../../../src/contract/directory-api/method-types.ts';
import { asAdministrator } from './administrator.ts';

/** Number of users on one page of the registration report. */
export const pageUsers = 50;

/** Path of the registration report below the sandbox. */
const reportPath = '/v1.0/reports/authenticationMethods/userRegistrationDetails';

/** Page of the registration report. */
export interface RegistrationPage {
  readonly users: readonly RegistrationDetailsResource[];
  /** Number of users on all pages. */
  readonly total: number;
}

/** Number of users by what they have registered. */
export interface RegistrationCounts {
  readonly total: number;
  readonly features: readonly (readonly [feature: string, users: number])[];
  readonly methods: readonly (readonly [method: string, users: number])[];
}

interface FeatureSummary {
  readonly totalUserCount: number;
  readonly userRegistrationFeatureCounts: readonly { readonly feature: string; readonly userCount: number }[];
}

interface MethodSummary {
  readonly userRegistrationMethodCounts: readonly {
    readonly authenticationMethod: string;
    readonly userCount: number;
  }[];
}

/** Reads a page of the registration report through the directory API. */
export async function readRegistrations(sandbox: string, skip: number): Promise<RegistrationPage> {
  const query = `?$top=${pageUsers}&$skip=${skip}&$count=true`;
  const page = await readReport<{
    readonly value: readonly RegistrationDetailsResource[];
    readonly '@odata.count': number;
  }>(sandbox, `${reportPath}${query}`);
  return { users: page.value, total: page['@odata.count'] };
}

/** Reads the numbers of users by feature and by method through the directory API. */
export async function readRegistrationCounts(sandbox: string): Promise<RegistrationCounts> {
  const all = "(includedUserTypes='all',includedUserRoles='all')";
  const reports = '/v1.0/reports/authenticationMethods';
  const features = await readReport<FeatureSummary>(sandbox, `${reports}/usersRegisteredByFeature${all}`);
  const methods = await readReport<MethodSummary>(sandbox, `${reports}/usersRegisteredByMethod${all}`);
  return {
    total: features.totalUserCount,
    features: features.userRegistrationFeatureCounts.map(({ feature, userCount }) => [feature, userCount]),
    methods: methods.userRegistrationMethodCounts.map((one) => [one.authenticationMethod, one.userCount]),
  };
}

function readReport<T>(sandbox: string, path: string): Promise<T> {
  return asAdministrator<T>(sandbox, { path, permissions: ['AuditLog.Read.All'], role: 'Reports Reader' });
}
