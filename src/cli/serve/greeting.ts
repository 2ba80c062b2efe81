import { toInstant } from '../../core/clock.ts';
import type { Palette } from '../../report/palette.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { RunningServer } from '../../server/start.ts';

/** Users that are listed; the control API has all of them. */
const usersShownMax = 20;

/** The server, and where the certificate of its test authority lies; `null` without HTTPS. */
interface Greeted extends Pick<RunningServer, 'baseUrl' | 'controlUrl'> {
  readonly authorityPath: string | null;
}

/** What a person needs to begin: addresses, the virtual clock, and users with password and code, all of them test data. */
export function greeting({ baseUrl, controlUrl, authorityPath }: Greeted, sandbox: Sandbox, palette: Palette): string {
  const users = sandbox.directory.users({ limit: usersShownMax });
  const rows = users.map(({ userPrincipalName, password, code }) => [userPrincipalName, password, code]);
  const rest = sandbox.directory.userCount() - users.length;
  const clock = `${toInstant(sandbox.clock.nowMs())}, ${sandbox.clock.running() ? 'running' : 'standing'}`;
  return [
    `Sign-in pages  ${palette.strong(`${baseUrl}/sign-in`)}`,
    `Console        ${palette.strong(`${baseUrl}/_console`)}`,
    `Policy API     ${baseUrl}/v1.0/policies/authenticationMethodsPolicy`,
    `Lookup API     ${baseUrl}/api/v2/`,
    `OpenID issuer  ${sandbox.tokens.issuer}`,
    `Control API    ${controlUrl}`,
    ...(authorityPath === null ? [] : [`Trust          ${authorityPath}`]),
    `Sandbox        ${sandbox.id}, ruleset ${sandbox.ruleset}`,
    `Virtual clock  ${clock}`,
    '',
    ...table([['User', 'Password', 'Code'], ...rows]),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    '',
    palette.faint('ctrl-c ends the server'),
    '',
  ].join('\n');
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
