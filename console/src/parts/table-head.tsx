/** Renders the head of a table. The columns named in `numbers` are right-aligned. */
export function TableHead({
  columns,
  numbers = [],
}: {
  readonly columns: readonly string[];
  readonly numbers?: readonly string[];
}) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th scope="col" key={column} className={numbers.includes(column) ? 'number' : undefined}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}
