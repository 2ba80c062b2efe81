/**
 * `npm run check`: runs every check of the repository and prints one line for each. A failed check shows its output
 * and the command that repeats it. The exit code is 1 if a check failed.
 */
import { runStep } from './run-step.ts';
import { type Step, steps } from './steps.ts';

const failed = steps.filter((step) => !passes(step));
console.log(`\n${steps.length - failed.length} checks passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

function passes(step: Step): boolean {
  const { looked, complaint, durationMs } = runStep(step);
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  if (complaint === '') {
    console.log(`passed  ${step.sentence} (${looked} ${step.unit}, ${seconds})`);
    return true;
  }
  console.log(`FAILED  ${step.sentence} (${seconds})`);
  console.log(complaint.replace(/^/gm, '        '));
  console.log(`        Run it again: npx ${step.command}`);
  return false;
}
