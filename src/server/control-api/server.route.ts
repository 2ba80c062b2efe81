import { Router } from 'express';
import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { sandboxOperations } from '../../contract/control-operations.ts';
import {
  analysisDaysMax,
  analysisUsersMax,
  apiBodyBytesMax,
  eventStreamsMax,
  journalEntriesMax,
  memoryJournalEntriesMax,
  sandboxesMax,
  usersMax,
} from '../../core/limits.ts';
import { serve } from './serve.ts';

/** What anyone who starts a server tells of it. */
export interface ServerAbout {
  readonly version: string;
  /** Where journals are kept: `memory`, or what outlives the process. */
  readonly store: string;
}

/** What is told where no one told anything. */
const unnamed: ServerAbout = { version: '', store: 'memory' };

/** What the server is. Takes what is told of it, and whether an access key is asked for and scenarios are there. */
export function serverRoutes(
  { version, store }: ServerAbout = unnamed,
  { guarded, scenarios }: { readonly guarded: boolean; readonly scenarios: boolean },
): Router {
  const router = Router();
  serve(router, sandboxOperations.getServer, () => ({
    version,
    store,
    keyRequired: guarded,
    scenarios,
    rulesets: [...rulesetIds],
    limits: {
      sandboxes: sandboxesMax,
      usersPerSandbox: usersMax,
      entriesPerJournal: store === 'memory' ? memoryJournalEntriesMax : journalEntriesMax,
      eventStreamsOfASandbox: eventStreamsMax,
      bodyBytes: apiBodyBytesMax,
      usersOfAForecast: analysisUsersMax,
      daysPerForecast: analysisDaysMax,
    },
  }));
  return router;
}
