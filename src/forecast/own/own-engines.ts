/** Engines of forecasts of own rulesets: compiled tables, or every user replayed on the campaign. */
export const ownEngines = ['table', 'fold'] as const;
export type OwnEngine = (typeof ownEngines)[number];
