/** Named limits. Units stand last in each name; a caller may lower most of them by an option. */

/** The latest instant that a clock shows, in ms since 1970: the last that ISO 8601 writes with a year of four digits. */
export const instantMsMax = 253_402_300_799_999;

/** Entries of one sandbox's journal; at the limit writes are refused with 503. */
export const journalEntriesMax = 20_000_000;

/** Entries of one sandbox's journal that the memory store holds. */
export const memoryJournalEntriesMax = 2_000_000;

/** Sandboxes in one process. */
export const sandboxesMax = 10_000;

/** Snapshots kept by name in one sandbox. */
export const namedSnapshotsMax = 100;

/** Open prompts of one user; the next sign-in that would show another is refused. */
export const openPromptsMax = 32;

/** Finished sign-ins of a sandbox kept for questions; the journal holds all of them. */
export const finishedSignInsMax = 10_000;

/** Unfinished sign-ins of a sandbox; beyond it the oldest one is forgotten and must begin again. */
export const unfinishedSignInsMax = 100_000;

/** Requests kept in the ring of one sandbox. */
export const requestLogMax = 10_000;

/** Bodies of API requests and of forms. */
export const apiBodyBytesMax = 1_048_576;
export const formBodyBytesMax = 16_384;

/** Users of one sandbox. */
export const usersMax = 1_000_000;

/** Verified access tokens remembered by one sandbox. */
export const verifiedTokensMax = 10_000;

/** Clients of one sandbox, those that fixtures name and those that register themselves, each; of the latter the oldest is replaced. */
export const clientsMax = 1_000;

/** Sessions, grants, codes, refresh tokens and waiting sign-ins of one sandbox, each; beyond it the oldest one is forgotten. */
export const oidcRecordsMax = 10_000;

/** Used passkey challenges that one sandbox stores; beyond it the oldest are removed, and older challenges are rejected. */
export const usedChallengesMax = 10_000;

/** Rows of one page of a control API list. */
export const listRowsMax = 1_000;

/** Streams of events open at once on one sandbox. */
export const eventStreamsMax = 100;

/** Journal entries between two stored snapshots of a durable sandbox. */
export const snapshotIntervalEntries = 20_000;

/** Lifetime of an issued access token when the caller names none, and the longest it may name, in seconds. */
export const tokenLifetimeDefaultSeconds = 3_600;
export const tokenLifetimeMaxSeconds = 31_536_000;

/** Timeout of a scenario when it names none, in ms of real time. */
export const scenarioTimeoutDefaultMs = 10_000;

/** Timeouts of the server, in ms of real time. */
export const requestTimeoutMs = 30_000;
export const headersTimeoutMs = 10_000;

/** Targets of one list in a PATCH of the policy; a list that is longer already may be sent back as it is. */
export const policyTargetsMax = 1_000;

/** Faults that the answer to one PATCH of the policy lists; the rest is counted. */
export const policyProblemsMax = 1_000;

/** Seconds after which a client may come back when an answer asks it to wait and no one named a time. */
export const retryAfterDefaultSeconds = 1;

/** Days, users and attempts of one user on one day in a forecast. A user is a 32-bit number of the random stream. */
export const forecastDaysMax = 3_660;
export const forecastUsersMax = 4_000_000_000;
export const forecastAttemptsOfADayMax = 4;

/** What the tables of a forecast may hold: kinds of attempt of one segment, and classes of users. */
export const forecastAttemptKindsMax = 2_000;
export const forecastUserClassesMax = 65_000;

/** Columns of the tables that the sign-ins of all segments are drawn from. */
export const forecastColumnsMax = 8_388_608;

/** Users whose end a forecast keeps one by one, and counters of all its seeds together. */
export const forecastKeptUsersMax = 67_108_864;
export const forecastCountersMax = 33_554_432;

/** Seeds of one forecast, and variants of one sweep. */
export const forecastSeedsMax = 1_000;
export const forecastVariantsMax = 500;

/** Characters of the access key: fewer can be guessed, more fit into no header. */
export const controlKeyCharactersMin = 16;
export const controlKeyCharactersMax = 256;

/** Wrong control keys from one address in a window of real time, and counters that all addresses share. */
export const keyAttemptsMax = 10;
export const keyAttemptWindowMs = 60_000;
export const keyAttemptCounters = 65_536;

/** How long a browser stays signed in to the console, in ms of real time, and sessions remembered that ended before. */
export const consoleSessionLifetimeMs = 43_200_000;
export const endedConsoleSessionsMax = 10_000;

/** Analyses that wait or go on at once in one server, and those that it keeps with their results. */
export const analysesWaitingMax = 8;
export const analysesKeptMax = 20;

/** What one analysis of a server may take: days simulated of all users and seeds together, users, and days. */
export const analysisUserDaysMax = 20_000_000_000;
export const analysisUsersMax = 1_000_000;
export const analysisDaysMax = 730;
export const analysisSeedsMax = 50;
export const analysisVariantsMax = 120;

/** Entries of a journal that an analysis of a server compares. */
export const analysisEntriesMax = 500_000;

/** Real time after which an analysis of a server is ended, in ms. */
export const analysisTimeMaxMs = 600_000;

/** Users who changed, and attempts of one user, that a comparison of a server lists; the rest is counted. */
export const analysisUsersListedMax = 500;
export const analysisAttemptsListedMax = 500;

/** Requests that a server has in progress at once; beyond it the next one is told to come back. Streams are counted apart. */
export const requestsInFlightMax = 2_048;

/** More connections than this are a crowd: while the event loop is later than this for them, requests are told to come back. */
export const crowdedConnectionsMax = 1_000;
export const crowdedDelayMsMax = 250;

/** Connections that a server has at once; beyond it the system is told to refuse them. */
export const connectionsMax = 16_384;

/** How long a client may leave an answer unread, and a connection be silent while something is in progress, in ms of real time. */
export const unreadAnswerMs = 30_000;
export const silentConnectionMs = 120_000;

/** How often a server looks for requests that have taken too long to arrive, in ms of real time. */
export const lateRequestCheckMs = 2_000;

/** How long requests may go on after a server was asked to end, in ms of real time. */
export const drainMsMax = 10_000;

/** Wrong passwords, or codes, of one user in a row within a window of the virtual clock, and counters that names share which no one has. */
export const userAttemptsMax = 10;
export const userAttemptWindowMs = 600_000;
export const unknownNameCounters = 4_096;
