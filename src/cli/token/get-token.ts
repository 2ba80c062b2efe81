import type { ControlRequest } from '../../client/control-client.ts';
import { clientPermissions } from '../../contract/client-permissions.ts';
import { openidScopes } from '../../contract/openid-scopes.ts';
import { policyPermissions, policyWriterRoles } from '../../contract/policy-caller.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson } from '../print.ts';
import { connect } from '../server-client.ts';
import type { TokenArguments } from './token-options.ts';

/** Permissions of the built-in APIs, and the scopes of OpenID Connect, which the user info endpoint reads. */
const builtInPermissions: readonly string[] = [...clientPermissions, ...openidScopes];

/**
 * Requests an access token and prints it. Returns the exit code. Throws `usage-invalid` for permissions that no API has,
 * `server-unreachable` if there is no response, and the error of the server if the request is rejected.
 */
export async function getToken(args: TokenArguments, context: CommandContext): Promise<ExitCode> {
  refuseUnknown(args.permission);
  const server = await connect(args, context);
  const answer = await server.issueToken({ sandbox: args.sandbox, body: createRequest(args) });
  if (args.json) printJson(context.stdout, answer);
  else print(context.stdout, answer.access_token, (token) => [token]);
  return 0;
}

/** Refuses names without a URI that no built-in API has. Those of other APIs are written as `{uri}/{name}` (CL30). */
function refuseUnknown(permissions: readonly string[]): void {
  const problems = permissions
    .filter((name) => !name.includes('/') && !builtInPermissions.includes(name))
    .map((name) => ({ location: '--permission', message: describeUnknownName(name, builtInPermissions) }));
  if (problems.length > 0) throw new NudgeLabError('usage-invalid', { problems });
}

function createRequest({ user, app, permission, role, expires }: TokenArguments): ControlRequest<'issueToken'>['body'] {
  const { readAll, readWriteMethods } = policyPermissions;
  const roles = role.length === 0 && user === null && app === null ? [policyWriterRoles[0].name] : role;
  return {
    ...(user === null ? {} : { user }),
    ...(app === null ? {} : { app }),
    permissions: permission.length === 0 ? [readAll, readWriteMethods] : permission,
    roles,
    ...(expires === null ? {} : { expiresInSeconds: expires }),
  };
}
