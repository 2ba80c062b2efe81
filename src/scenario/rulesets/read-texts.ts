import { nameReads } from '../../../machines/own/condition.ts';
import { generatedReasons } from '../../../machines/own/generated-gates.ts';
import { generatedGates, isDataGate, isModuleGate, type OwnRules } from '../../../machines/own/own-ruleset.ts';
import { suggestName } from '../../core/nearest-name.ts';
import type { ShapedRuleset } from './read-shapes.ts';
import type { RulesetScope } from './ruleset-scope.ts';

/** Names in braces that texts of screens can contain (OC38). */
const screenNames = ['method', 'product', 'days', 'left', 'deadline', 'user'];

const bracedName = /\{([^{}]*)\}/g;

/** Reason codes that generated gates use. */
export const generatedCodes: readonly string[] = generatedGates.flatMap((id) => generatedReasons[id]);

/** Checks that every code of a gate has a sentence, and that sentences name only values that their gates read (RS10). */
export function checkReasons(
  { reasons, gates: written = [] }: ShapedRuleset,
  gates: OwnRules['gates'],
  { faults }: RulesetScope,
): void {
  const known = reasons ?? {};
  const stops = new Map<string, Set<string>>();
  const moduleCodes = gates.filter(isModuleGate).flatMap((gate) => Object.keys(gate.reasons));
  for (const gate of gates.filter(isDataGate)) {
    const names = stops.get(gate.stop) ?? new Set<string>();
    for (const [, name] of nameReads(gate.when)) names.add(name);
    stops.set(gate.stop, names);
  }
  for (const [index, gate] of written.entries()) {
    if (
      !('stop' in gate) ||
      Object.hasOwn(known, gate.stop) ||
      generatedCodes.includes(gate.stop) ||
      moduleCodes.includes(gate.stop)
    )
      continue;
    faults.add(
      'RS10',
      ['gates', index, 'stop'],
      `no reason has the code "${gate.stop}"${suggestName(gate.stop, Object.keys(known)) || '; write its sentence under reasons'}`,
    );
  }
  for (const [code, sentence] of Object.entries(known)) {
    const names = stops.get(code);
    const isUsed = names !== undefined || generatedCodes.includes(code) || moduleCodes.includes(code);
    if (isUsed) checkSentence(sentence, code, names ?? null, faults);
  }
}

/** Checks that a sentence names only values that its gates read. `names` is `null` for the code of a generated gate. */
function checkSentence(
  sentence: string,
  code: string,
  names: ReadonlySet<string> | null,
  faults: RulesetScope['faults'],
): void {
  for (const [, name = ''] of sentence.matchAll(bracedName)) {
    const [group, value = ''] = name.split(/\.(.*)/s);
    if (group === 'saw' && names?.has(value) !== false) continue;
    const allowed = [...(names ?? [])].map((one) => `{saw.${one}}`).join(', ') || 'none';
    faults.add('RS10', ['reasons', code], `{${name}} is no value of this reason; allowed: ${allowed}`);
  }
}

/** Checks the names in braces and the buttons of the screens (RS23). */
export function checkScreens({ screens }: ShapedRuleset, { answers }: OwnRules, { faults }: RulesetScope): void {
  const buttons = ['next', 'try', 'skip', ...Object.keys(answers)];
  for (const [screen, { heading, text, buttons: labels = {} }] of Object.entries(screens ?? {})) {
    for (const [key, words] of Object.entries({ heading, text })) {
      if (words !== undefined) checkNames(words, ['screens', screen, key], faults);
    }
    for (const [button, words] of Object.entries(labels)) {
      const path = ['screens', screen, 'buttons', button];
      checkNames(words, path, faults);
      if (!buttons.includes(button)) {
        faults.addKey(
          'RS23',
          path,
          `"${button}" is neither next, try, skip nor an answer${suggestName(button, buttons)}`,
        );
      }
    }
  }
}

function checkNames(words: string, path: readonly PropertyKey[], faults: RulesetScope['faults']): void {
  for (const [, name = ''] of words.matchAll(bracedName)) {
    if (!screenNames.includes(name)) {
      faults.add(
        'RS23',
        path,
        `{${name}} is unknown; allowed: ${screenNames.map((one) => `{${one}}`).join(', ')}${suggestName(name, screenNames)}`,
      );
    }
  }
}
