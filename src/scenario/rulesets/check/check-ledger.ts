import type { OwnAnswer, OwnRules, Reset } from '../../../../machines/own/own-ruleset.ts';
import type { Path } from '../ruleset-fault.ts';
import type { Finding } from './checked-rules.ts';

const fault = (path: Path, message: string): Finding => ({ code: 'RS30', severity: 'fault', path, message });

type Part = Reset['clears'][number];

/** What an answer has to do so that there is something to clear. */
const stored: Readonly<Record<Part, { readonly by: (answer: OwnAnswer) => boolean; readonly text: string }>> = {
  count: { by: ({ counts, effects }) => counts && !effects.includes('nothing'), text: 'counts' },
  timer: { by: ({ effects }) => effects.includes('snooze'), text: 'has the effect snooze' },
  never: { by: ({ effects }) => effects.includes('never'), text: 'has the effect never' },
  session: { by: ({ effects }) => effects.includes('session'), text: 'has the effect session' },
  shown: { by: () => true, text: '' },
};

/**
 * Finds a cadence, a limit and resets that read what no answer stores (RS30), and a snooze of an error screen that no one
 * can skip (RS29).
 */
export function checkLedger({ answers, cadence, limit, resets, ledger, failure }: OwnRules): readonly Finding[] {
  const findings: Finding[] = [...checkFailure(failure)];
  const stores = (part: Part): boolean => Object.values(answers).some((answer) => stored[part].by(answer));
  const needs = (path: Path, part: Part, reads: string): void => {
    if (stores(part)) return;
    const example = 'for example, the prompt is shown again at the next sign-in after any answer';
    findings.push(fault(path, `reads ${reads}, and no answer ${stored[part].text}; ${example}: write effect: snooze`));
  };
  const timed = cadence.kind !== 'everySignIn' && cadence.kind !== 'once';
  if (timed && cadence.anchor === 'answer') needs(['cadence'], 'timer', 'the time of a snooze');
  else if (cadence.kind === 'growing') needs(['cadence', 'durations'], 'count', 'the snooze count');
  if (cadence.kind === 'growing' && cadence.anchor === 'answer' && stores('timer')) {
    needs(['cadence', 'durations'], 'count', 'the snooze count');
  }
  if (limit?.counts === 'snoozes') needs(['limit'], 'count', 'the snooze count');
  for (const [index, { clears, keys }] of resets.entries()) {
    for (const [position, part] of clears.entries()) {
      if (stores(part)) continue;
      const path = ['resets', index, 'clears', position];
      findings.push(fault(path, `clears ${part}, and no answer ${stored[part].text}; leave it out, or add the effect`));
    }
    for (const [position, parts] of (keys ?? []).entries()) {
      if (ledger.keys.some((key) => key.join() === parts.join())) continue;
      const known = ledger.keys.map((key) => `[${key.join(', ')}]`).join(', ');
      findings.push(
        fault(
          ['resets', index, 'keys', position],
          `answers are not stored under [${parts.join(', ')}]; write ${known}`,
        ),
      );
    }
  }
  return findings;
}

function checkFailure({ skip, stores }: OwnRules['failure']): readonly Finding[] {
  if (skip !== 'refused' || stores !== 'snooze') return [];
  const message = 'never decides, because skipping the error screen is refused; leave it out';
  return [{ code: 'RS29', severity: 'warning', path: ['failure', 'stores'], message }];
}
