import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { formatCount } from '../../core/format-count.ts';
import type { CompiledForecast } from '../../forecast/compile-forecast.ts';
import { followUser } from '../../forecast/follow-user.ts';
import { textTable } from '../../report/text-table.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson } from '../print.ts';
import type { ForecastArguments } from './forecast-options.ts';

/** Shows every attempt of one simulated user. Throws `usage-invalid` if no user has this number. */
export function showTimeLine(
  compiled: CompiledForecast,
  user: number,
  { json }: Pick<ForecastArguments, 'json'>,
  { stdout }: CommandContext,
): ExitCode {
  const { users, seed } = compiled.description;
  if (user >= users) {
    throw new NudgeLabError('usage-invalid', {
      problems: [{ location: '--user', message: `${user} is not a user number; it must be from 0 to ${users - 1}` }],
    });
  }
  const { segment, facts, attempts } = followUser(compiled, seed, user);
  const name = compiled.segments[segment]?.name ?? '';
  const entries = attempts.map((attempt) => {
    const patch = compiled.segments[segment]?.kinds[attempt.kind]?.patch;
    return { ...attempt, at: toInstant(attempt.atMs), os: patch?.os ?? 'windows', attempt: patch };
  });
  if (json) {
    printJson(stdout, { user, segment: name, facts, attempts: entries });
    return 0;
  }
  const head = ['Time', 'platform', 'outcome', 'reason', 'action', 'state', 'snoozes'];
  const rows = entries.map(({ at, os, outcome, reason, answer, state, snoozes }) => [
    at.slice(0, 16),
    os,
    outcome,
    reason ?? '',
    answer ?? '',
    state,
    String(snoozes),
  ]);
  print(stdout, { name, rows }, (visible) => [
    `User ${user} of ${visible.name}, ${formatCount(attempts.length, 'attempt')}`,
    '',
    ...textTable(head, visible.rows),
  ]);
  return 0;
}
