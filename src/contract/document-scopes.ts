/** OAuth scopes of the document records API. */
export const documentScopes = ['read:document', 'write:document'] as const;
