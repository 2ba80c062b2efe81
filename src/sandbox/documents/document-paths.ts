/** Paths of the API, the files and the reading pages, relative to the sandbox URL. */
export const apiPath = '/api/v1';
export const filesPath = '/media';
export const readingPath = '/documents';

/** Paths of the records and their files below a sandbox. */
export const documentPaths = [apiPath, filesPath] as const;
