/** Checks whether a name is that of a ruleset file: `NAME.ruleset.yaml` or `NAME.ruleset.json` (OC16). */
export function isRulesetFile(name: string): boolean {
  return /\.ruleset\.(yaml|yml|json)$/.test(name);
}
