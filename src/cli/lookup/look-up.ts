import { z } from 'zod';
import { allTools } from '../../contract/lookup.schema.ts';
import { defaultSandboxId } from '../../core/default-sandbox.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { requestTimeoutMs } from '../../core/limits.ts';
import { withoutEnd } from '../../core/text-end.ts';
import { inMemory, planSandbox, Sandbox } from '../../sandbox/sandbox.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import type { LookupArguments } from './lookup-options.ts';
import { type LookedUp, printResults } from './print-results.ts';

const answerSchema = z.looseObject({
  query: z.string(),
  type: z.string(),
  results: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const refusalSchema = z.looseObject({ error: z.string() });

/**
 * Looks up a query and prints the results. Returns the exit code. Throws `usage-invalid` if the API would reject
 * the query, type or tool. Also throws `fixture-not-found`, `fixture-invalid`, and `server-unreachable` if `--url`
 * does not respond.
 */
export async function lookUp(args: LookupArguments, context: CommandContext): Promise<ExitCode> {
  const [query, ...more] = args.operands;
  if (query === undefined || more.length > 0) {
    throw new NudgeLabError('usage-invalid', { message: 'Name one query; put it in quotes if it contains spaces.' });
  }
  const type = args.type ?? (query.includes('@') ? 'email' : 'username');
  const parameters = new URLSearchParams({ type, query, tool: args.tool }).toString();
  const found =
    args.url === null
      ? await fromFixture(parameters, args, context)
      : await fromServer(parameters, `${withoutEnd(args.url, '/')}${sandboxPath(args.sandbox)}`, args.token);
  printResults(context.stdout, found, {
    format: args.json ? 'json' : args.format,
    isTable: args.tool === allTools,
  });
  return 0;
}

async function fromFixture(subject: string, args: LookupArguments, context: CommandContext): Promise<LookedUp> {
  const config = args.lookup === null ? null : await loadConfig(args.config, context.cwd);
  const described =
    config === null ? {} : { lookup: new FixtureLibrary(config.fixtures).resolve('lookup', args.lookup) };
  const plan = planSandbox({ seed: args.seed, ...described });
  const { lookup } = await Sandbox.create('lookup', plan, inMemory());
  try {
    return parseResponse(await lookup.preview(subject));
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    throw new NudgeLabError('usage-invalid', { message: error.message, cause: error });
  }
}

function sandboxPath(sandbox: string): string {
  return sandbox === defaultSandboxId ? '' : `/s/${encodeURIComponent(sandbox)}`;
}

async function fromServer(subject: string, url: string, token: string): Promise<LookedUp> {
  const address = `${url}/api/v2/`;
  let response: Response;
  try {
    response = await fetch(`${address}?${subject}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
  } catch (cause) {
    throw new NudgeLabError('server-unreachable', { message: `No server responds at ${address}.`, cause });
  }
  const text = await response.text();
  if (response.ok) return parseResponse(text);
  const refusal = refusalSchema.safeParse(parseJson(text));
  throw new NudgeLabError('usage-invalid', {
    message: `${address} answered ${response.status}: ${refusal.success ? refusal.data.error : 'no reason given'}`,
  });
}

function parseResponse(text: string): LookedUp {
  const answer = answerSchema.safeParse(parseJson(text));
  if (answer.success) return answer.data;
  throw new NudgeLabError('server-unreachable', { message: 'The response is not that of a lookup API. Check --url.' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
