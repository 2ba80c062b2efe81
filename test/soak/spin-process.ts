/**
 * `node test/soak/spin-process.ts RULESET...`: exports every property of the specification, with its machine and with a
 * faulty one, and every property of the named example rulesets, and lets the model checker Spin decide them. Needs the
 * programs `spin` and `gcc`. The last line reports the number; the exit code is 1 if a verdict of Spin differs.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProperties } from '../../src/properties/check/check-properties.ts';
import { formatPromela } from '../../src/properties/export/promela.ts';
import type { Property } from '../../src/properties/language/formula.ts';
import { createBuiltInModel } from '../../src/properties/models/built-in-models.ts';
import { modelDefault } from '../../src/properties/models/model-names.ts';
import type { PropertyModel } from '../../src/properties/models/property-model.ts';
import { createOwnModel } from '../../src/properties/own/own-model.ts';
import { createRulesetProperties } from '../../src/properties/own/ruleset-properties.ts';
import { readShippedProperties } from '../../src/properties/shipped-properties.ts';
import { canaries } from '../properties/canaries.ts';
import { readShipped } from '../properties/own-canaries.ts';

/** Property of a model, with a name for the output. */
type Question = readonly [name: string, model: PropertyModel, property: Property];

/** Number of steps that Spin follows at most; a longer path is reported and fails. */
const depthMax = 5_000_000;
const timeoutMs = 600_000;

const folder = mkdtempSync(join(tmpdir(), 'nudgelab-spin-'));
const rulesets = process.argv.slice(2).map((name) => readShipped(name));
const questions: readonly Question[] = [...listShipped(), ...rulesets.flatMap(listOwn)];
const differing = questions.filter((question) => !agrees(question));
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${questions.length} models, ${differing.length} of them with another verdict by Spin\n`);
process.exitCode = differing.length === 0 && questions.length > 0 ? 0 : 1;

function listShipped(): readonly Question[] {
  return readShippedProperties().flatMap((property): readonly Question[] => {
    const right = createBuiltInModel(property.machine ?? modelDefault);
    const wrong = canaries.get(property.id)?.();
    if (right === null || wrong === undefined) throw new RangeError(`No faulty machine for ${property.id}.`);
    return [
      [property.id, right, property],
      [`${property.id}, faulty`, wrong, property],
    ];
  });
}

function listOwn(ruleset: ReturnType<typeof readShipped>): readonly Question[] {
  const model = createOwnModel(ruleset);
  return createRulesetProperties(ruleset, model).map((one) => [`${ruleset.id}: ${one.id}`, model, one]);
}

function agrees([name, model, property]: Question): boolean {
  const verdict = checkProperties(model, [property])[0]?.verdict;
  const seen = askSpin(formatPromela(model, property));
  process.stdout.write(`${name}: ${verdict}, Spin: ${seen}\n`);
  return verdict === (seen === 'holds' ? 'proven' : seen);
}

/** Returns the verdict of Spin, or what it reported instead. */
function askSpin(promela: string): string {
  writeFileSync(join(folder, 'model.pml'), promela);
  const args = ['-run', '-a', `-m${depthMax}`, 'model.pml'];
  const { stdout, stderr, error } = spawnSync('spin', args, { cwd: folder, encoding: 'utf8', timeout: timeoutMs });
  if (error !== undefined) return error.message;
  const errors = /errors: (\d+)/.exec(stdout)?.[1];
  if (errors === undefined) return `${stdout}${stderr}`.trim();
  if (errors !== '0') return 'violated';
  return stdout.includes('max search depth too small') ? 'the search was not deep enough' : 'holds';
}
