/**
 * `npm run check`: runs every check of the repository, most of them two at a time, and prints one line for each in a
 * fixed order. A failed check shows its output and the command that repeats it. The exit code is 1 if a check failed.
 */
import { runStep, type StepResult } from './run-step.ts';
import { type Step, steps } from './steps.ts';

/** Number of checks that run at the same time. */
const lanes = 2;

const results: (StepResult | undefined)[] = steps.map(() => undefined);
let next = 0;
let printed = 0;
await Promise.all(Array.from({ length: lanes }, () => work(steps.findIndex(({ alone }) => alone))));
await work(steps.length);
const failed = results.filter((result) => result?.complaint !== '');
console.log(`\n${steps.length - failed.length} checks passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs steps up to a number, each in one lane only. */
async function work(until: number): Promise<void> {
  while (next < until) {
    const at = next;
    next += 1;
    results[at] = await runStep(steps[at] as Step);
    printInOrder();
  }
}

/** Prints the results of the steps that have ended, as far as all before them have. */
function printInOrder(): void {
  for (let result = results[printed]; result !== undefined; result = results[printed]) {
    print(steps[printed] as Step, result);
    printed += 1;
  }
}

function print(step: Step, { looked, complaint, durationMs }: StepResult): void {
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  if (complaint === '') {
    console.log(`passed  ${step.sentence} (${looked} ${step.unit}, ${seconds})`);
    return;
  }
  console.log(`FAILED  ${step.sentence} (${seconds})`);
  console.log(complaint.replace(/^/gm, '        '));
  console.log(`        Run it again: npx ${step.command}`);
}
