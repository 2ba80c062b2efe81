import { z } from 'zod';
import { policyPermissions, policyWriterRoles } from '../../contract/policy-caller.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { requestTimeoutMs } from '../../core/limits.ts';
import { defaultSandboxId } from '../../sandbox/sandboxes.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { controlKeyOf, type KeyHeader, keyHeader } from '../control-key.ts';
import { print, printJson } from '../print.ts';
import { portDefault } from '../serve/serve-options.ts';
import type { TokenArguments } from './token-options.ts';

const answerSchema = z.looseObject({ access_token: z.string() });
const refusalSchema = z.looseObject({ error: z.looseObject({ message: z.string() }) });

/**
 * Gets a token and prints it. Returns the exit code. Throws `server-unreachable` when nothing answers, and `usage-invalid` for
 * what the server does not grant, with its reason.
 */
export async function getToken(args: TokenArguments, context: CommandContext): Promise<ExitCode> {
  const server = (args.url ?? `http://localhost:${portDefault}`).replace(/\/$/, '');
  const sandbox = encodeURIComponent(args.sandbox ?? defaultSandboxId);
  const config = await loadConfig(args.config, context.cwd);
  const key = keyHeader(controlKeyOf(args, context, config));
  const answer = await post(`${server}/_control/v1/sandboxes/${sandbox}/tokens`, requestOf(args), key);
  if (args.json) printJson(context.stdout, answer);
  else print(context.stdout, answer.access_token, (token) => [token]);
  return 0;
}

function requestOf({ user, app, permission, role, expires }: TokenArguments): Readonly<Record<string, unknown>> {
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

async function post(address: string, body: unknown, key: KeyHeader): Promise<z.output<typeof answerSchema>> {
  const response = await fetchFrom(address, body, key);
  const text = await response.text();
  const answer = answerSchema.safeParse(jsonOf(text));
  if (response.ok && answer.success) return answer.data;
  const refusal = refusalSchema.safeParse(jsonOf(text));
  const reason = refusal.success ? refusal.data.error.message : `${address} answered ${response.status}.`;
  throw new NudgeLabError('usage-invalid', { message: reason });
}

async function fetchFrom(address: string, body: unknown, key: KeyHeader): Promise<Response> {
  try {
    return await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
  } catch (cause) {
    const { message, cause: inner } = cause as { readonly message: string; readonly cause?: unknown };
    const reason = inner instanceof Error ? inner.message : message;
    throw new NudgeLabError('server-unreachable', { message: `${address}: ${reason}.`, cause });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
