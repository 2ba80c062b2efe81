/** Named limits. Each name ends with its unit. Options can lower most of them. */

/**
 * Latest instant of a clock in milliseconds since 1970. It is the last one that ISO 8601 writes with a four-digit
 * year.
 */
export const instantMsMax = 253_402_300_799_999;

/** Maximum number of entries in the journal of one sandbox. Further writes are rejected with 503. */
export const journalEntriesMax = 20_000_000;

/** Maximum number of journal entries per sandbox in the memory store. */
export const memoryJournalEntriesMax = 2_000_000;

/** Maximum number of sandboxes in one process. */
export const sandboxesMax = 10_000;

/** Maximum number of named snapshots in one sandbox. */
export const namedSnapshotsMax = 100;

/** Maximum size of a ruleset in bytes (OC16). */
export const rulesetBytesMax = 262_144;

/** Maximum number of rulesets that a store keeps of those that the control API received. */
export const receivedRulesetsMax = 128;

/** Maximum number of open prompts per user. The next sign-in with a prompt is rejected. */
export const openPromptsMax = 32;

/** Maximum number of sessions per sandbox that own campaigns can continue. The oldest one ends first. */
export const ownSessionsMax = 100_000;

/** Maximum number of cleared browsers per sandbox that own campaigns tell from what they were before. */
export const clearedBrowsersMax = 100_000;

/** Maximum number of finished sign-ins per sandbox that can be queried. The journal contains all of them. */
export const finishedSignInsMax = 10_000;

/**
 * Maximum number of unfinished sign-ins per sandbox. Beyond this limit the oldest one is removed and must start
 * again.
 */
export const unfinishedSignInsMax = 100_000;

/** Maximum number of requests in the request log of one sandbox. */
export const requestLogMax = 10_000;

/** Maximum body size of API requests and of forms in bytes. */
export const apiBodyBytesMax = 1_048_576;
export const formBodyBytesMax = 16_384;

/** Maximum number of users evaluated for one response, which limits the response time for large tenants. */
export const evaluatedUsersMax = 10_000;

/** Maximum number of users in one sandbox. */
export const usersMax = 1_000_000;

/** Maximum number of synthetic sign-ins in one sandbox, and of days over which they are spread. */
export const syntheticSignInsMax = 10_000_000;
export const syntheticDaysMax = 365;

/** Maximum number of users of a sandbox with synthetic users that a journey of all users writes out. */
export const writtenOutUsersMax = 10_000;

/** Maximum number of verified access tokens that one sandbox caches. */
export const verifiedTokensMax = 10_000;

/**
 * Maximum number of clients per sandbox. It applies separately to clients from fixtures and to dynamically
 * registered clients. The oldest registered client is replaced.
 */
export const clientsMax = 1_000;

/**
 * Maximum number of sessions, of grants, of codes, of refresh tokens and of pending sign-ins per sandbox. Beyond
 * each limit the oldest record is removed.
 */
export const oidcRecordsMax = 10_000;

/**
 * Maximum number of rotations of a signing key that a sandbox remembers, and of its keys of one algorithm that are
 * stored. Keys before them are no longer published, and the first one stays stored for a reset.
 */
export const keyRotationsMax = 100;

/** Maximum number of logout tokens in the outbox of one sandbox. The next one replaces the oldest. */
export const logoutTokensMax = 1_000;

/**
 * Maximum number of used passkey challenges that one sandbox stores. Beyond this limit the oldest ones are removed,
 * and older challenges are rejected.
 */
export const usedChallengesMax = 10_000;

/** Limits for `$filter` of the directory API: compared values, and nested parts such as parentheses. */
export const filterComparisonsMax = 50;
export const filterDepthMax = 15;

/** Maximum number of clauses in `$search`, and of expanded objects per row of the directory API. */
export const searchClausesMax = 20;
export const expandedObjectsMax = 20;

/** Maximum number of requests in one batch of the directory API. */
export const batchRequestsMax = 20;

/**
 * Limits of cached results of the directory API per sandbox: sorted lists of the latest state, and earlier states
 * from which clients read further pages.
 */
export const directoryListsMax = 8;
export const directoryStatesMax = 4;

/**
 * Maximum number of rows that one page of the directory API tests with a filter. A page that reaches this limit ends
 * there, and its link continues.
 */
export const pageTestedRowsMax = 50_000;

/** Maximum size of the rendered pages of the latest state that one sandbox caches, in bytes. */
export const directoryPagesBytesMax = 4_194_304;

/**
 * Versions of the tenant data behind the registration report that a state keeps, to tell which changes affected a user.
 */
export const registrationPoliciesMax = 16;

/** Maximum number of rows in one page of a control API list. */
export const listRowsMax = 1_000;

/** Maximum number of open event streams per sandbox. */
export const eventStreamsMax = 100;

/** Number of journal entries between two stored snapshots of a durable sandbox. */
export const snapshotIntervalEntries = 20_000;

/** Default and maximum lifetime of an issued access token in seconds. */
export const tokenLifetimeDefaultSeconds = 3_600;
export const tokenLifetimeMaxSeconds = 31_536_000;

/** Default timeout of a scenario in milliseconds of real time. */
export const scenarioTimeoutDefaultMs = 10_000;

/** Timeouts of the server in milliseconds of real time. */
export const requestTimeoutMs = 30_000;
export const headersTimeoutMs = 10_000;

/**
 * Maximum number of targets per list in a PATCH of the policy. A list that is already longer can be sent back
 * unchanged.
 */
export const policyTargetsMax = 1_000;

/** Maximum number of problems listed in the response to one PATCH of the policy. Further ones are only counted. */
export const policyProblemsMax = 1_000;

/** Default value of `Retry-After` in seconds. */
export const retryAfterDefaultSeconds = 1;

/**
 * Maximum number of days, of users, and of daily attempts per user in a forecast. A user is identified by a 32-bit
 * number of the random stream.
 */
export const forecastDaysMax = 3_660;
export const forecastUsersMax = 4_000_000_000;
export const forecastAttemptsOfADayMax = 4;

/**
 * Maximum number of user types per segment of a forecast. With at most this many users, the forecast of a sandbox
 * simulates exactly these users.
 */
export const forecastUserTypesMax = 10_000;

/** Maximum number of attempt types per segment, and of user classes, in the tables of a forecast. */
export const forecastAttemptKindsMax = 2_000;
export const forecastUserClassesMax = 65_000;

/** Maximum number of states of a user in the tables of an own ruleset, and of the regions of its times. */
export const ownStatesMax = 4_194_304;
export const ownRegionsMax = 65_536;
/** Maximum number of states of the user in generated tours of an own ruleset, whose flows grow faster than tables. */
export const ownTourStatesMax = 20_000;
/** Maximum number of states of the user in the model of an own ruleset on which properties are checked. */
export const ownPropertyStatesMax = 200_000;
/** Maximum number of users of a log that is checked against an own ruleset: each has a state of a few kilobytes. */
export const ownLogUsersMax = 500_000;

/** Maximum number of columns in the tables from which the sign-ins of all segments are drawn. */
export const forecastColumnsMax = 8_388_608;

/**
 * Maximum number of users with an individually stored final state, and of counters for all random seeds of a
 * forecast.
 */
export const forecastKeptUsersMax = 67_108_864;
export const forecastCountersMax = 33_554_432;

/** Maximum number of random seeds per forecast, and of variants per sweep. */
export const forecastSeedsMax = 1_000;
export const forecastVariantsMax = 500;

/**
 * Minimum and maximum length of the control key in characters. A shorter key can be guessed, and a longer one does
 * not fit into a header.
 */
export const controlKeyCharactersMin = 16;
export const controlKeyCharactersMax = 256;

/**
 * Limits for invalid control keys: attempts per client address in a window of real time, and number of shared
 * counters for all addresses.
 */
export const keyAttemptsMax = 10;
export const keyAttemptWindowMs = 60_000;
export const keyAttemptCounters = 65_536;

/**
 * Lifetime of a console session in milliseconds of real time, and maximum number of remembered sessions that ended
 * earlier.
 */
export const consoleSessionLifetimeMs = 43_200_000;
export const endedConsoleSessionsMax = 10_000;

/** Maximum number of queued and running analyses per server, and of analyses stored with their results. */
export const analysesWaitingMax = 8;
export const analysesKeptMax = 20;

/**
 * Limits for one analysis on a server: simulated days of all users and random seeds together, users, days, random
 * seeds and variants.
 */
export const analysisUserDaysMax = 20_000_000_000;
export const analysisUsersMax = 1_000_000;
export const analysisDaysMax = 730;
/** Maximum length of the properties in a request, in characters. */
export const propertiesTextMax = 65_536;

export const analysisSeedsMax = 50;
export const analysisVariantsMax = 120;

/** Maximum number of journal entries that an analysis on a server compares. */
export const analysisEntriesMax = 500_000;

/** Time limit of an analysis on a server, in milliseconds of real time. */
export const analysisTimeMaxMs = 600_000;

/**
 * Maximum number of changed users, and of attempts per user, listed in a comparison on a server. Further ones are
 * only counted.
 */
export const analysisUsersListedMax = 500;
export const analysisAttemptsListedMax = 500;

/**
 * Maximum number of in-flight requests per server. Further requests are rejected with `Retry-After`. Event streams
 * are counted separately.
 */
export const requestsInFlightMax = 2_048;

/**
 * Thresholds of load shedding: number of connections, and event loop delay in milliseconds. If both are exceeded,
 * requests are rejected with `Retry-After`.
 */
export const crowdedConnectionsMax = 1_000;
export const crowdedDelayMsMax = 250;

/** Maximum number of open connections per server. The operating system rejects connections beyond it. */
export const connectionsMax = 16_384;

/**
 * Maximum time for a client to read a response, and for a silent connection with an in-flight request, in
 * milliseconds of real time.
 */
export const unreadAnswerMs = 30_000;
export const silentConnectionMs = 120_000;

/** Maximum length of a URL that a server states: PostgreSQL cuts off the name of a session after 63 bytes. */
export const advertisedUrlCharactersMax = 54;

/** Time for a connection to another server of the same database, in milliseconds of real time. */
export const handOverConnectMs = 2_000;

/** Interval between checks for requests that take too long to arrive, in milliseconds of real time. */
export const lateRequestCheckMs = 2_000;

/** Maximum time for in-flight requests after a server received a stop signal, in milliseconds of real time. */
export const drainMsMax = 10_000;

/**
 * Limits for failed attempts with passwords or codes: consecutive attempts per user in a window of the virtual
 * clock, and number of shared counters for unknown names.
 */
export const userAttemptsMax = 10;
export const userAttemptWindowMs = 600_000;
export const unknownNameCounters = 4_096;

/**
 * Limits of the tools for agents: concurrent calls that run in threads, calls that wait for one, and the size of a
 * message in bytes. The input of a call has the limit of a request body.
 */
export const toolThreadsMax = 2;
export const toolCallsWaitingMax = 16;
export const toolMessageBytesMax = 8_388_608;
