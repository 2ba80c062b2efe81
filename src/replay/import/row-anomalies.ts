import { count } from './duckdb-session.ts';
import type { ImportWork } from './import-work.ts';
import { reachedEnd, rowFlag } from './row-facts.ts';
import { isNobodySql } from './sign-in-sql.ts';
import { placesMax } from './tally.ts';

/** Maximum time span of an attempt's rows in milliseconds; a longer one indicates a wrong clock or a reused id. */
const spanMaxMs = 3_600_000;

/** Earliest plausible time of a sign-in, 2000-01-01, in milliseconds. */
const earliestMs = 946_684_800_000;

/** Counts omitted and suspicious rows, with their locations. The tables of rows, names and attempts must exist. */
export async function countOddities(work: ImportWork): Promise<void> {
  const { session, tally, nowMs } = work;
  const untimed = 't IS NULL OR t < 0';
  const ahead = `t > ${nowMs}`;
  const ancient = `t BETWEEN 0 AND ${earliestMs}`;
  const [odd] = await session.rows(`
    SELECT
      count(*) FILTER (${untimed}), count(*) FILTER (alone), count(*) FILTER (${ahead}), count(*) FILTER (${ancient}),
      count(*) FILTER (unparsed), count(i) - count(DISTINCT i)
    FROM signins`);
  const at = (index: number): number => Number(odd?.[index] ?? 0);
  await noteRows('skip', 'rows without a time', at(0), untimed, work);
  if (at(0) > 0) await noteUnreadTimes(work);
  const nobody = await count(session, `SELECT sum(n) FROM names WHERE ${isNobodySql}`);
  await noteRows('skip', 'rows without a user', nobody, isNobodySql, work);
  await noteRows('odd', 'rows without a correlation id, each counted as a separate attempt', at(1), 'alone', work);
  await noteRows('odd', 'rows with a time in the future', at(2), ahead, work);
  await noteRows('odd', 'rows with a time before 2000', at(3), ancient, work);
  await noteRows('odd', 'rows with invalid JSON in a JSON column', at(4), 'unparsed', work);
  const again = `i IN (SELECT i FROM signins WHERE i IS NOT NULL GROUP BY i HAVING count(*) > 1 ORDER BY i LIMIT ${placesMax})`;
  await noteRows('odd', 'rows with a repeated id; rows of the same user and attempt count once', at(5), again, work);
  const [spans] = await session.rows(`
    SELECT count(*) FILTER (span > ${spanMaxMs}), count(*) FILTER ((flags & ${reachedEnd}) = 0)
    FROM grouped`);
  const apart = Number(spans?.[0] ?? 0);
  const whose = apart === 0 ? [] : await session.rows(apartSql);
  tally.odd(
    'attempts with rows more than an hour apart',
    apart,
    ...whose.map(([name]) => tally.formatPlace(String(name))),
  );
  tally.odd('attempts that never succeeded', Number(spans?.[1] ?? 0));
  const noUser = await count(
    session,
    `SELECT coalesce(sum(c.n), 0) FROM combinations c JOIN rowfacts f USING (h) WHERE (f.flags & ${rowFlag.noUser}) <> 0`,
  );
  tally.skip('rows of services instead of users', noUser);
}

const apartSql = `SELECT DISTINCT coalesce(k.id, k.upn) AS name FROM grouped g JOIN written k ON g.u = k.u
  WHERE g.span > ${spanMaxMs} ORDER BY name LIMIT ${placesMax}`;

/** Counts the rows that meet a condition, and looks up the first ones only if there are any. */
async function noteRows(
  how: 'skip' | 'odd',
  what: string,
  number: number,
  condition: string,
  { session, tally }: ImportWork,
): Promise<void> {
  if (number === 0) return;
  const found = await session.rows(
    `SELECT DISTINCT id, CASE WHEN id IS NULL THEN coalesce("userPrincipalName", "userId") END AS name FROM rowtexts
      WHERE ${condition} ORDER BY 1 NULLS LAST, 2 NULLS LAST LIMIT ${placesMax}`,
  );
  const places = found.flatMap(([id, name]) => {
    if (id !== null) return [`row ${String(id)}`];
    return name === null ? [] : [`a row of ${tally.formatPlace(String(name))}`];
  });
  tally[how](what, number, ...places);
}

/** Reports the times that no format can parse, with their counts. */
async function noteUnreadTimes({ session, tally }: ImportWork): Promise<void> {
  const found = await session.rows(
    "SELECT left(untimed, 60), count(*), min(id) FROM rowtexts WHERE coalesce(untimed, '') <> '' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20",
  );
  for (const [text, n, place] of found) {
    tally.unknown('createdAt', String(text), Number(n), place === null ? null : `row ${String(place)}`);
  }
}
