import { expect, it } from 'vitest';
import type { ComparedAttempt } from '../../../src/contract/compared-attempt.ts';
import { randomSource } from '../../../src/core/random.ts';
import { compareOwnImport } from '../../../src/replay/compare/compare-own-import.ts';
import { compareOwnJourney } from '../../../src/replay/compare/compare-own-journey.ts';
import { DuckDbSession } from '../../../src/replay/import/duckdb-session.ts';
import { listKeptColumns } from '../../../src/replay/import/kept-columns.ts';
import { imported, mapping, newFolder, written } from '../import/import-work.ts';
import { openText } from '../journey-text.ts';
import { readOwn, recordOwn } from './own-history.ts';

/** A campaign whose verdicts depend on a fact of the attempt, on the ledger and on a limit. */
const ruleset = readOwn('oc50-random', {
  facts: 'facts: { attempt: { level: { type: integer, min: 0, max: 9, default: 0, import: level } } }',
  gates: 'gates: [{ id: G1, summary: Low., when: { fact: attempt.facts.level, atMost: 6 }, stop: not-a-member }]',
  answers: 'answers: { skip: { effect: snooze } }',
  cadence: 'cadence: { kind: growing, durations: [1d, 2d, 4d] }',
  limit: 'limit: { of: 3, counts: snoozes, then: required, after: wait }',
});
const users = ['ada', 'ben'];
const variants = [{ name: 'variant', ruleset }];

const say = ({ at, user }: ComparedAttempt, { outcome, reason }: ComparedAttempt['after']): string =>
  `${at} ${user} ${outcome} ${reason ?? ''}`;

it.each([1, 2, 3])(
  'OC50 an import has the verdicts of the sandbox that had its sign-ins, random seed %i',
  async (seed) => {
    const random = randomSource(seed);
    const draw = (end: number): number => Math.floor(random() * end);
    const signIns = Array.from({ length: 40 }, () => ({
      user: users[draw(2)] ?? 'ada',
      hours: 1 + draw(30),
      level: draw(10),
    }));
    const text = await recordOwn(ruleset, async ({ sandbox, signInAndSkip }) => {
      for (const { user, hours, level } of signIns) {
        await sandbox.clock.advance({ hours });
        await signInAndSkip(user, { facts: { level } });
      }
    });
    const recorded: string[] = [];
    const lines = ['createdDateTime,userId,level'];
    for (const user of users) {
      const levels = signIns.filter((signIn) => signIn.user === user).map(({ level }) => level);
      const see = (attempt: ComparedAttempt): void => {
        recorded.push(say(attempt, attempt.before));
        lines.push(`${attempt.at},${user},${levels.shift()}`);
      };
      await compareOwnJourney(await openText(text), 'journey', {
        baseline: ruleset,
        variants,
        assumedAction: 'skip',
        user,
        see,
      });
    }
    const files = { signIns: [written('log.csv', lines.join('\n'))] };
    const { folder } = await imported(files, null, mapping, listKeptColumns([ruleset]));
    const session = await DuckDbSession.open(newFolder(), undefined, true);
    const seen: string[] = [];
    const see = (attempt: ComparedAttempt): void => {
      seen.push(say(attempt, attempt.after));
    };
    await compareOwnImport(session, folder, { baseline: null, variants, assumedAction: 'skip', see });
    session.close();
    expect(recorded).toHaveLength(40);
    expect(recorded.filter((line) => line.includes('required')).length).toBeGreaterThan(0);
    expect(seen).toEqual(recorded.toSorted());
  },
);
