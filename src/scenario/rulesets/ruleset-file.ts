/** Checks whether a name is that of a ruleset file: `NAME.ruleset.yaml` or `NAME.ruleset.json` (OC16). */
export function isRulesetFile(name: string): boolean {
  return /\.ruleset\.(yaml|yml|json)$/.test(name);
}

/** Checks whether a name is that of the description of a forecast: `NAME.forecast.yaml` or `NAME.forecast.json`. */
export function isForecastFile(name: string): boolean {
  return /\.forecast\.(yaml|yml|json)$/.test(name);
}
