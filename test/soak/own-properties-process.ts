/**
 * `node test/soak/own-properties-process.ts RULESET...`: checks that every property of the named example rulesets is
 * violated by a faulty version. The last line reports the number; the exit code is 1 if a faulty version violates none.
 */
import { findUnviolated } from '../properties/own-canaries.ts';

const names = process.argv.slice(2);
const missed = names.flatMap((name) => findUnviolated(name).map((id) => `${name}: ${id}`));
for (const one of missed) process.stderr.write(`no faulty version violates ${one}\n`);
process.stdout.write(`faulty versions of ${names.length} rulesets\n`);
process.exitCode = missed.length === 0 && names.length > 0 ? 0 : 1;
