import { toInstant } from '../../core/clock.ts';
import type { Palette } from '../../report/palette.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { RunningServer } from '../../server/start.ts';

/** Users that are listed; the control API has all of them. */
const usersShownMax = 20;

/** The server, and where the certificate of its test authority lies; `null` without HTTPS. */
interface StartupTarget extends Pick<RunningServer, 'baseUrl' | 'controlUrl'> {
  readonly authorityPath: string | null;
}

/** What is told of a sandbox when its server starts. */
interface StartupMessage extends StartupTarget {
  readonly issuer: string;
  readonly sandbox: string;
  readonly ruleset: string;
  readonly clock: string;
  /** Name, password and code of users. */
  readonly users: readonly (readonly string[])[];
  readonly usersMore: number;
}

/** What a person needs to begin: addresses, the virtual clock, and users with password and code, all of them test data. */
export function createStartupMessage(
  { baseUrl, controlUrl, authorityPath }: StartupTarget,
  sandbox: Sandbox,
): StartupMessage {
  const users = sandbox.directory.users({ limit: usersShownMax });
  return {
    baseUrl,
    controlUrl,
    authorityPath,
    issuer: sandbox.tokens.issuer,
    sandbox: sandbox.id,
    ruleset: sandbox.ruleset,
    clock: `${toInstant(sandbox.clock.nowMs())}, ${sandbox.clock.running() ? 'running' : 'standing'}`,
    users: users.map(({ userPrincipalName, password, code }) => [userPrincipalName, password, code]),
    usersMore: sandbox.directory.userCount() - users.length,
  };
}

/** A greeting as lines. */
export function greetingLines(greeting: StartupMessage, palette: Palette): readonly string[] {
  const { baseUrl, controlUrl, authorityPath, issuer, sandbox, ruleset, clock, users, usersMore } = greeting;
  return [
    `Sign-in pages  ${palette.strong(`${baseUrl}/sign-in`)}`,
    `Console        ${palette.strong(`${baseUrl}/_console`)}`,
    `Policy API     ${baseUrl}/v1.0/policies/authenticationMethodsPolicy`,
    `Lookup API     ${baseUrl}/api/v2/`,
    `OpenID issuer  ${issuer}`,
    `Control API    ${controlUrl}`,
    ...(authorityPath === null ? [] : [`Trust          ${authorityPath}`]),
    `Sandbox        ${sandbox}, ruleset ${ruleset}`,
    `Virtual clock  ${clock}`,
    '',
    ...table([['User', 'Password', 'Code'], ...users]),
    ...(usersMore > 0 ? [`and ${usersMore} more`] : []),
    '',
    palette.faint('ctrl-c ends the server'),
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
