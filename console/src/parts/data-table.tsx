import { ScrollBox } from './scroll-box.tsx';

/** Value of a table cell. */
export type Value = string | number | null;

/** Data of a chart for its table and CSV file. */
export interface TableData {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** Renders the data of a chart as a collapsed table with a CSV download. */
export function DataTable({
  title,
  data,
  file,
}: {
  readonly title: string;
  readonly data: TableData;
  readonly file: string;
}) {
  return (
    <details className="behind">
      <summary>Show as table</summary>
      <CsvButton title={title} data={data} file={file} />
      <ScrollBox label={`${title}, as a table`}>
        <PlainTable title={title} data={data} captioned={false} />
      </ScrollBox>
    </details>
  );
}

/** Renders a button that saves a table as CSV. */
export function CsvButton({
  title,
  data,
  file,
}: {
  readonly title: string;
  readonly data: TableData;
  readonly file: string;
}) {
  return (
    <p className="buttons">
      <button
        type="button"
        aria-label={`Save as CSV: ${title}`}
        onClick={() => saveText(`${file}.csv`, formatCsv(data))}
      >
        Save as CSV
      </button>
    </p>
  );
}

/** Renders a table whose first column contains the row headers. Numbers are right-aligned. */
export function PlainTable({
  title,
  data: { head, rows },
  captioned = true,
}: {
  readonly title: string;
  readonly data: TableData;
  /** True if the title is visible above the table, or false if only screen readers announce it. */
  readonly captioned?: boolean;
}) {
  const [first = []] = rows;
  const getColumnClass = (column: number): string | undefined =>
    column > 0 && (typeof first[column] === 'number' || /^[\d.,]+( %)?$/.test(String(first[column])))
      ? 'number'
      : undefined;
  return (
    <table aria-label={captioned ? undefined : title}>
      {captioned && <caption className="aside">{title}</caption>}
      <thead>
        <tr>
          {head.map((name, column) => (
            <th scope="col" key={name} className={getColumnClass(column)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are never moved.
          <tr key={index}>
            {row.map((value, column) =>
              column === 0 ? (
                <th scope="row" key={head[column]}>
                  {value}
                </th>
              ) : (
                <td className={getColumnClass(column)} key={head[column]}>
                  {typeof value === 'number' ? value.toLocaleString('en') : (value ?? '–')}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Formats a table as CSV, with commas, quotes where needed, and a line break after each row. */
function formatCsv({ head, rows }: TableData): string {
  const written = (value: Value): string => {
    const text = value === null ? '' : String(value);
    // Spreadsheets interpret these first characters as a formula. Text from the sandbox must never become one.
    const safe = typeof value === 'string' && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [head, ...rows].map((row) => `${row.map(written).join(',')}\n`).join('');
}

/** Saves a text as a file through the browser. */
export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
