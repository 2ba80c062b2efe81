/** Algorithms for signing the tokens of a sandbox, the default first. */
export const signingAlgorithms = ['ES256', 'RS256'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];
