/** Forms in which an export is written. */
export const exportForms = ['parquet', 'ndjson', 'json', 'csv'] as const;
export type ExportForm = (typeof exportForms)[number];
