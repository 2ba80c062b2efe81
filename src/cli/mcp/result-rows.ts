import type { ScenarioResult } from '../../contract/result.schema.ts';
import { failureLines } from '../../report/failure-text.ts';
import { plainPalette } from '../../report/palette.ts';

/** Maximum number of failures that are returned in detail, and of results of any kind. */
const failuresMax = 20;
const rowsMax = 500;

/** Result as a tool returns it. */
interface Row {
  readonly id: string;
  readonly name: string;
  readonly status: ScenarioResult['status'];
  readonly message?: string;
  readonly unconfirmedClaims: string[];
  readonly failure?: string[];
  readonly command?: string;
}

/**
 * Returns the results that fit into a response, failed ones first, and the number of the others. `program` is the
 * command that starts this program; `null` if the scenarios are in no file, so no command repeats them.
 */
export function resultRows(
  results: readonly ScenarioResult[],
  program: string | null,
): { readonly results: Row[]; readonly omitted: number } {
  const failed = results.filter(({ status }) => status === 'failed');
  const others = results.filter(({ status }) => status !== 'failed');
  const rows = [...failed.slice(0, failuresMax), ...others].slice(0, rowsMax);
  return { results: rows.map((result) => row(result, program)), omitted: results.length - rows.length };
}

function row(result: ScenarioResult, program: string | null): Row {
  const { id, name, status, message, unconfirmedClaims } = result;
  const command = program === null ? '' : result.command.replace(/^nudgelab /, `${program} `);
  const lines = status === 'failed' ? failureLines({ ...result, command }, plainPalette) : [];
  return {
    id,
    name,
    status,
    ...(message === undefined ? {} : { message }),
    unconfirmedClaims: [...unconfirmedClaims],
    // The last line repeats the command, which has its own field.
    ...(lines.length === 0 ? {} : { failure: lines.slice(1, -1) }),
    ...(command === '' ? {} : { command }),
  };
}
