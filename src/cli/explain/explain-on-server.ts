import { defaultSandboxId } from '../../core/default-sandbox.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { counterfactualLines } from '../../report/counterfactual-text.ts';
import { createWords, fullTrace } from '../../report/trace-text.ts';
import { serverUrlOption } from '../common-options.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { connect } from '../server-client.ts';
import type { ExplainArguments } from './explain-options.ts';
import { createAttempt, formatCode, rulesetText } from './explain-question.ts';

/**
 * Explains the next sign-in of a user on a running server, without changing anything. Throws `usage-invalid`,
 * `server-unreachable`, and the errors of the server.
 */
export async function explainOnServer(args: ExplainArguments, context: CommandContext): Promise<ExitCode> {
  const { user, ruleset } = args;
  const sandbox = args.sandbox ?? defaultSandboxId;
  const url = args.url ?? serverUrlOption.initial;
  if (user === null)
    throw new NudgeLabError('usage-invalid', { message: 'Specify a user of the sandbox with --user.' });
  if (args.clock !== null || args.at.length > 0) {
    throw new NudgeLabError('usage-invalid', {
      message:
        '--clock and --at are not available for a running server; move the clock of the sandbox with `nudgelab clock`.',
    });
  }
  const server = await connect({ ...args, url }, context);
  const verdict = await server.explain({
    sandbox,
    body: { user, attempt: createAttempt(args), ...(ruleset === null ? {} : { ruleset }) },
  });
  if (args.json) {
    printJson(context.stdout, verdict);
    return 0;
  }
  const palette = paletteFor(context.stdout, context, args.color);
  print(context.stdout, { user, sandbox, verdict }, (visible) => [
    palette.strong(`${visible.user}: ${visible.verdict.headline}${formatCode(visible.verdict)}`),
    `sandbox ${visible.sandbox}, ruleset ${rulesetText(visible.verdict)}`,
    '',
    ...fullTrace(visible.verdict.rules, palette, createWords(visible.verdict.sentences)),
    ...(visible.verdict.counterfactual === undefined
      ? []
      : ['', ...counterfactualLines(visible.verdict.counterfactual)]),
    ...visible.verdict.warnings.map(({ code, message }) => palette.doubtful(`warning ${code}: ${message}`)),
  ]);
  return 0;
}
