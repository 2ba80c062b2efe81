/** Names of the dialects that are built in. */
export const builtInDialects = ['seed', 'entra'] as const;
export type BuiltInDialect = (typeof builtInDialects)[number];
