import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import { questionOperations } from '../../contract/control-operations.ts';
import type { journalResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { eventTypes } from '../../journal/journeys/journey-events.ts';
import type { EntryQuery } from '../../journal/store.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { leaveSandbox } from '../enter-sandbox.ts';
import type { RequestLog } from '../request-log.ts';
import { entryView } from './entry-view.ts';
import { JournalCounts } from './journal-counts.ts';
import { enteredSandbox, expressPath, parseRequest, serveSandbox } from './serve.ts';

/** Creates the routes for the journal of a sandbox, which contains every event, and for its bounded request log. */
export function journalRoutes(sandboxes: Sandboxes, requestLog: RequestLog): Router {
  const router = Router();
  const { listJournal, exportJourney, countJournal, listRequests } = questionOperations;
  const journalCounts = new JournalCounts();

  serveSandbox(router, sandboxes, listJournal, async (sandbox, { query: { after, type, limit } }) => {
    if (type !== undefined && !eventTypes.includes(type)) throw unknownType(type);
    return journalPage(sandbox, { after, limit, ...(type === undefined ? {} : { type }) });
  });

  router.get(expressPath(exportJourney), async (request, response) => {
    const { query } = parseRequest(exportJourney, request, response);
    const sandbox = await enteredSandbox(sandboxes, request, response);
    const pending = sandbox.settled();
    if (pending !== null) await pending;
    const lines = await sandbox.journey(query);
    // The remaining work only reads from the store, where written entries never change.
    leaveSandbox(response);
    response.attachment(`${sandbox.id}.journey.ndjson`).type('application/x-ndjson');
    await pipeline(Readable.from(withLineEnds(lines)), response);
  });

  serveSandbox(router, sandboxes, countJournal, async (sandbox) => {
    const counts = await journalCounts.of(sandbox);
    return { total: sum(Object.values(counts)), counts };
  });

  serveSandbox(router, sandboxes, listRequests, (sandbox, { query: { before, limit, ...filter } }) => {
    const { requests, ...counts } = requestLog.listRequests(sandbox.id, filter, { before, limit });
    return { ...counts, requests: requests.map((request) => ({ ...request, at: toInstant(request.atMs) })) };
  });

  return router;
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const line of lines) yield `${line}\n`;
}

/** Returns a page of the journal in API format with the cursor of the next page. */
export async function journalPage(sandbox: Sandbox, query: EntryQuery): Promise<ResponseBody<typeof journalResponse>> {
  const { limit } = query;
  const rows = await sandbox.journal({ ...query, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { entries: page.map(entryView), next: rows.length > limit ? (page.at(-1)?.seq ?? null) : null };
}

function unknownType(type: string): NudgeLabError {
  return new NudgeLabError('bad-request', {
    problems: [{ location: 'query.type', message: describeUnknownName(type, eventTypes) }],
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
