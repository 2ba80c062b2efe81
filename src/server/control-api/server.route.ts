import { Router } from 'express';
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
import type { RulesetService } from '../ruleset-service.ts';
import { serve } from './serve.ts';

/** Server description that is set at startup. */
export interface ServerAbout {
  readonly version: string;
  /** Journal store: `memory`, or the name of a persistent store. */
  readonly store: string;
}

/** Properties of a server that its options determine. */
interface ServerParts {
  readonly guarded: boolean;
  readonly scenarios: boolean;
  readonly rulesets: RulesetService;
}

/** Default server description. */
const unnamed: ServerAbout = { version: '', store: 'memory' };

/**
 * Creates the routes that list entry points and describe the server: its version, its store, and whether it has a control key and scenarios.
 */
export function serverRoutes(
  { version, store }: ServerAbout = unnamed,
  { guarded, scenarios, rulesets }: ServerParts,
): Router {
  const router = Router();
  serve(router, sandboxOperations.getIndex, ({ request: { baseUrl } }) => ({
    version,
    openapi: `${baseUrl}/openapi.json`,
    apis: {
      policy: `${baseUrl}/policy-openapi.json`,
      directory: `${baseUrl}/directory-openapi.json`,
      lookup: `${baseUrl}/lookup-openapi.json`,
      documents: `${baseUrl}/document-openapi.json`,
    },
    sandboxes: `${baseUrl}/sandboxes`,
    server: `${baseUrl}/server`,
    health: `${baseUrl}/health`,
    console: '/_console',
  }));
  serve(router, sandboxOperations.getServer, () => ({
    version,
    store,
    keyRequired: guarded,
    scenarios,
    rulesets: rulesets.registry.list().map(({ id }) => id),
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
