import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rulesetText } from '../ruleset-text.ts';

/** Facts that the rulesets of these tests declare. */
const facts =
  'facts: { user: { domain: { type: text, default: null }, country: { type: text, default: null }, level: { type: integer, min: 0, max: 9, default: 0 } }, tenant: { strict: { type: boolean, default: false } } }';

/** The gate of the specification, word for word. */
export const agencyGate = readFileSync(new URL('agency.gate.txt', import.meta.url), 'utf8');

/** Name of the function of a gate. */
const evaluator = 'judge';

/** Returns the text of a module in JavaScript whose parts can be replaced. */
export function gateText(parts: { readonly head?: string; readonly judge?: string; readonly rest?: string }): string {
  const { head = '', judge = '() => met({})', rest = '' } = parts;
  return `import { met, stopped, notApplicable } from 'nudgelab/gate';
${head}
export default {
  id: 'F1', summary: 'A gate.', reads: ['user.facts.level'], reasons: { low: 'Too low.' },
  samples: { 'user.facts.level': [0, 5] }, ${rest}
  ${evaluator}: ${judge},
};
`;
}

/** Writes a ruleset with one gate, and files beside it, to a new folder. Returns the path of the ruleset. */
export function rulesetFolder(
  gate: string,
  files: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>> = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-gates-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const path = join(folder, 'a.ruleset.yaml');
  writeFileSync(path, rulesetText({ facts, gates: `gates: [${gate}]`, reasons: '', ...changes }));
  return path;
}
