import type { ControlRequest } from '../../client/control-client.ts';
import { policyPermissions, policyWriterRoles } from '../../contract/policy-caller.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson } from '../print.ts';
import { connect } from '../server-client.ts';
import type { TokenArguments } from './token-options.ts';

/**
 * Requests an access token and prints it. Returns the exit code. Throws `server-unreachable` if there is no
 * response, and the error of the server if the request is rejected.
 */
export async function getToken(args: TokenArguments, context: CommandContext): Promise<ExitCode> {
  const server = await connect(args, context);
  const answer = await server.issueToken({ sandbox: args.sandbox, body: createRequest(args) });
  if (args.json) printJson(context.stdout, answer);
  else print(context.stdout, answer.access_token, (token) => [token]);
  return 0;
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
