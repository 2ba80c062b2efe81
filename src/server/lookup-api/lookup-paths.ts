/** Path of the lookup API below a sandbox. Its last part is the version. */
export const lookupPath = '/api/v2';

/** Path of the pages for accounts of the lookup API. */
export const accountPath = '/lookup';

/** Path of the page where an account of the lookup API manages its tokens. */
export const lookupTokensPath = '/lookup/tokens';
