import { toInstant } from '../../core/clock.ts';
import type { Palette } from '../../report/palette.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { RunningServer } from '../../server/start.ts';

/** Maximum number of users that are listed. The control API lists all of them. */
const usersShownMax = 20;

/** Server, with the certificate path of its test authority; `null` without HTTPS. */
interface StartupTarget extends Pick<RunningServer, 'baseUrl' | 'controlUrl' | 'boundUrls'> {
  readonly authorityPath: string | null;
}

/** Contents of the startup message for one sandbox. */
interface StartupMessage extends StartupTarget {
  readonly issuer: string;
  readonly sandbox: string;
  readonly ruleset: string;
  readonly clock: string;
  /** Name, password and code of each user. */
  readonly users: readonly (readonly string[])[];
  readonly usersMore: number;
}

/**
 * Creates the startup message with the URLs, the virtual clock, and users with password and code. All of them are
 * test data.
 */
export function createStartupMessage(
  { baseUrl, controlUrl, boundUrls, authorityPath }: StartupTarget,
  sandbox: Sandbox,
): StartupMessage {
  const users = sandbox.directory.users({ limit: usersShownMax });
  return {
    baseUrl,
    controlUrl,
    boundUrls,
    authorityPath,
    issuer: sandbox.tokens.issuer,
    sandbox: sandbox.id,
    ruleset: sandbox.ruleset,
    clock: `${toInstant(sandbox.clock.nowMs())}, ${sandbox.clock.running() ? 'running' : 'frozen'}`,
    users: users.map(({ userPrincipalName, password, code }) => [userPrincipalName, password, code]),
    usersMore: sandbox.directory.userCount() - users.length,
  };
}

/** Formats a startup message as lines. */
export function greetingLines(greeting: StartupMessage, palette: Palette): readonly string[] {
  const { baseUrl, controlUrl, boundUrls, authorityPath, issuer, sandbox, ruleset, clock, users, usersMore } = greeting;
  return [
    `Sign-in pages  ${palette.strong(`${baseUrl}/sign-in`)}`,
    `Console        ${palette.strong(`${baseUrl}/_console`)}`,
    `Policy API     ${baseUrl}/v1.0/policies/authenticationMethodsPolicy`,
    `Lookup API     ${baseUrl}/api/v2/`,
    `OpenID issuer  ${issuer}`,
    `Control API    ${controlUrl}`,
    ...boundUrls.map((one) => `Own port       ${one.baseUrl} (sandbox ${one.sandboxId})`),
    ...(authorityPath === null ? [] : [`Trust          ${authorityPath}`]),
    `Sandbox        ${sandbox}, ruleset ${ruleset}`,
    `Virtual clock  ${clock}`,
    '',
    ...table([['User', 'Password', 'Code'], ...users]),
    ...(usersMore > 0 ? [`and ${usersMore} more`] : []),
    '',
    palette.faint('Press Ctrl+C to stop the server'),
  ];
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const [head = []] = rows;
  const widths = head.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd((widths[column] ?? 0) + 2))
      .join('')
      .trimEnd(),
  );
}
