/** Output formats of an export. */
export const exportForms = ['parquet', 'ndjson', 'json', 'csv'] as const;
export type ExportForm = (typeof exportForms)[number];
