import { accessErrors } from './access-errors.ts';
import { analysisErrors } from './analysis-errors.ts';
import { applicationErrors } from './application-errors.ts';
import { conformanceErrors } from './conformance-errors.ts';
import { documentErrors } from './document-errors.ts';
import { type ErrorDefinition, row } from './error-definition.ts';
import { fileErrors } from './file-errors.ts';
import { gateErrors } from './gate-errors.ts';
import { learningErrors } from './learning-errors.ts';
import { passkeyErrors } from './passkey-errors.ts';
import { propertyErrors } from './property-errors.ts';
import { rulesetErrors } from './ruleset-errors.ts';
import { storeErrors } from './store-errors.ts';

/**
 * Definitions of all expected errors: stable code, title, suggested action, HTTP status and exit code of a command.
 * A violated invariant of the program is not listed, because it is an assertion.
 */
const table = {
  ...analysisErrors,
  'bad-request': row('The request is not valid', 'Correct the fields that the message names.', 400, 2),
  'not-simulated': row('This operation is not simulated', 'Use the control API, or the pages of the sandbox.', 501, 2),
  unauthenticated: row(
    'No valid access token',
    'Send a bearer token that this sandbox issued and that has not expired.',
    401,
    2,
  ),
  'access-denied': row(
    'The token does not allow this request',
    'Use a token with the permission or role that the message names.',
    403,
    2,
  ),
  ...accessErrors,
  'not-found': row('Path not found', 'Compare the path with the OpenAPI document.', 404, 2),
  'sandbox-not-found': row(
    'Sandbox not found',
    'Create the sandbox, or omit the prefix to use the default one.',
    404,
    2,
  ),
  'console-missing': row(
    'The console is not built',
    'In a checkout, run `npm run build:console` and restart the server; the published package includes the console.',
    404,
    2,
  ),
  'second-factor-rejected': row(
    'The second factor was not accepted',
    'Request it again, or choose another method.',
    401,
    1,
  ),
  ...learningErrors,
  ...passkeyErrors,
  ...propertyErrors,
  ...conformanceErrors,
  ...rulesetErrors,
  'user-not-found': row(
    'User not found in this sandbox',
    'List the users of the sandbox, and use an id, not a username.',
    404,
    2,
  ),
  'sign-in-not-found': row('Sign-in not found', 'Start a new sign-in, or look for it in the journal.', 404, 2),
  ...applicationErrors,
  ...documentErrors,
  'gallery-missing': row(
    'The server has no gallery of its pages',
    'Start the server with `nudgelab serve`, or write the gallery with `nudgelab gallery`.',
    404,
    2,
  ),
  'suite-missing': row(
    'The server has no scenario folder',
    'Start it with `nudgelab serve --scenarios FOLDER`.',
    404,
    2,
  ),
  'suite-file-unknown': row('Scenario file not found', 'List the files of the suite.', 404, 2),
  'suite-read-only': row(
    'Scenario files are read-only',
    'Start `serve` or `mcp` with `--allow-scenario-edits`, or copy the text into the file yourself.',
    403,
    2,
  ),
  'run-not-found': row('Run not found', 'List the runs; the oldest ones are removed.', 404, 2),
  'too-many-runs': row('Too many runs are queued', 'Cancel a run, or wait for the time in Retry-After.', 503, 3),
  'snapshot-not-found': row('Snapshot not found', 'Take a snapshot first and use the name in its response.', 404, 2),
  'method-not-allowed': row('The method is not allowed here', 'Use a method that the Allow header lists.', 405, 2),
  'sandbox-exists': row(
    'A sandbox with this id already exists',
    'Choose another id, or delete the sandbox first.',
    409,
    2,
  ),
  'object-exists': row('The object already exists', 'Change the existing object, or use another id.', 409, 2),
  'skip-not-allowed': row('This prompt cannot be skipped', 'Register the method: no snoozes are left.', 409, 1),
  'prompt-expired': row('The prompt has expired', 'Sign in again.', 409, 1),
  'prompt-not-open': row('No prompt is open', 'Sign in until a prompt is shown, then choose an action.', 409, 1),
  'unexpected-screen': row(
    'The sign-in shows another screen',
    'Continue on the screen that the sign-in shows.',
    409,
    1,
  ),
  'second-factor-pending': row('The second factor is pending', 'Request it again, or choose another method.', 409, 1),
  'too-many-prompts': row(
    'The user has too many open prompts',
    'Complete the open prompts, or let them expire.',
    409,
    1,
  ),
  'dependency-failed': row(
    'A request that this one depends on failed',
    'Correct the request that the message names.',
    424,
    1,
  ),
  'precondition-failed': row('The resource changed since it was read', 'Read it again and repeat the change.', 412, 2),
  'payload-too-large': row('The body is too large', 'Send a smaller body.', 413, 2),
  'unsupported-media-type': row(
    'The media type is not supported',
    'Send the media type that the message names.',
    415,
    2,
  ),
  'too-many-requests': row('Too many requests', 'Wait for the time in Retry-After.', 429, 1),
  'internal-error': row('Internal error', 'Report it with the request id; the server log has the details.', 500, 3),
  'fault-injected': row(
    'A fault of this sandbox was injected',
    'The failure is intended: list or clear the faults of the sandbox in the control API.',
    503,
    1,
  ),
  'journal-full': row(
    'The journal has reached its limit',
    'Fork, reset or delete the sandbox, or raise the limit.',
    503,
    3,
  ),
  'server-not-ready': row(
    'The server is not ready',
    'Wait for the time in Retry-After, or use another instance; a server whose store has failed must be restarted.',
    503,
    3,
  ),
  'server-busy': row(
    'The server is overloaded',
    'Wait for the time in Retry-After, then try again; nothing was changed.',
    503,
    1,
  ),
  'too-many-sandboxes': row('The server has too many sandboxes', 'Delete sandboxes that are no longer used.', 503, 3),
  'too-many-streams': row(
    'Too many event streams are open',
    'Close a stream, or wait for the time in Retry-After.',
    503,
    3,
  ),
  ...storeErrors,
  'scenario-invalid': row(
    'The scenario is not valid',
    'Correct the location that the message names; `nudgelab lint` lists all of them.',
    400,
    2,
  ),
  'scenario-empty': row('No scenario was run', 'Check the path and the filters.', 400, 1),
  'facts-invalid': row(
    'The facts are not valid',
    'Compare them with the schema that `nudgelab schema facts` prints.',
    400,
    2,
  ),
  'fixture-not-found': row('Fixture not found', 'Use a name from the fixtures folder.', 400, 2),
  'fixture-invalid': row('The fixture is not valid', 'Correct the location that the message names.', 400, 2),
  'config-invalid': row('The configuration is not valid', 'Correct the key that the message names.', 400, 2),
  'usage-invalid': row(
    'The command line is not valid',
    'Run the command with --help for its options and examples.',
    400,
    2,
  ),
  ...fileErrors,
  ...gateErrors,
  'driver-not-found': row(
    'Driver not found',
    'Use model, http or browser, or define a driver in nudgelab.config.ts.',
    400,
    2,
  ),
  'driver-failed': row(
    'The driver could not perform the step',
    'See the message, and the page and response of the step.',
    400,
    1,
  ),
  'browser-missing': row(
    'No browser was found',
    'Install Chromium, Chrome, Edge or the package @sparticuz/chromium, or specify a browser in NUDGELAB_BROWSER.',
    500,
    2,
  ),
  'address-in-use': row('The address is in use', 'Choose another port, or 0 for any free one.', 500, 2),
  'server-unreachable': row(
    'The server does not respond',
    'Start it with `nudgelab serve`, or correct --url. For HTTPS, set NODE_EXTRA_CA_CERTS to the authority that serve printed.',
    500,
    2,
  ),
  'alphabet-empty': row(
    'No events were specified',
    'Provide an array `events` with at least one event of the machine.',
    400,
    2,
  ),
  'machine-not-explorable': row(
    'The machine changes state without events',
    'Replace delays and actor results with events in `events`, at the state that the message names.',
    400,
    2,
  ),
  'state-space-too-large': row(
    'The state space is larger than the limit',
    'Limit the key that the message names, provide `serialize` to define an abstraction, or raise the limit.',
    400,
    2,
  ),
  'time-limit-too-short': row(
    'The time limit was too short for any result',
    'Raise --time-limit, or request less: fewer durations, another coverage criterion, a lower strength.',
    400,
    2,
  ),
  'journey-impossible': row(
    'A journey has an impossible step',
    'Correct the step that the message names, or the initial state of the journey.',
    400,
    2,
  ),
  'journey-unrecognized': row(
    'The file is not a journey',
    'Name a file that `nudgelab export` wrote; import exports of a real tenant with `nudgelab import`.',
    400,
    2,
  ),
  'journey-version': row(
    'The journey has a newer format version',
    'Use the program version that wrote it, or a newer one.',
    400,
    2,
  ),
  'journey-damaged': row(
    'The journey is truncated or modified',
    'Export it again; the message names the first modified line.',
    400,
    2,
  ),
  'import-unrecognized': row(
    'The folder is not an import of this version',
    'Name a folder that `nudgelab import` wrote, or import the exports again.',
    400,
    2,
  ),
  'package-missing': row(
    'An optional package is not installed',
    'Install the package that the message names next to this one.',
    500,
    2,
  ),
  'array-invalid': row(
    'Invalid covering array request',
    'Correct the parameter, strength, constraint or row that the message names.',
    400,
    2,
  ),
  'constraints-unsatisfiable': row(
    'No row satisfies the constraints',
    'Remove or relax one of the constraints that the message names.',
    400,
    2,
  ),
  'array-too-large': row(
    'The covering array is too large',
    'Lower the strength, use fewer parameters or values, or raise the strength of some parameters only with `mixed`.',
    400,
    2,
  ),
  'forecast-invalid': row(
    'The tenant description is not valid',
    'Correct the location that the message names; `nudgelab schema forecast` prints the schema.',
    400,
    2,
  ),
  'queue-missing': row(
    'The queue packages are not installed',
    'Install the optional packages: npm install bullmq ioredis.',
    500,
    2,
  ),
  'command-canceled': row('The command was canceled', 'Repeat it to start from the beginning.', 499, 1),
  'queue-unreachable': row(
    'Redis does not respond',
    'Start Redis, or correct the URL of --queue: redis://host:port.',
    503,
    2,
  ),
  'queue-job-failed': row(
    'A worker could not complete its job',
    'See the message. Workers must have the same version as this program and can be restarted at any time.',
    500,
    3,
  ),
  'forecast-too-large': row(
    'The forecast exceeds its table size',
    'Describe fewer kinds of users, platforms or sign-in contexts; the message names the limit.',
    400,
    2,
  ),
  'runtime-too-old': row('Node is too old', 'Run it through npm scripts, or install Node 22.18 or later.', 500, 2),
} as const;

/** Stable code of an expected error. */
export type ErrorCode = keyof typeof table;

/** Error definitions by code, for the documentation page and the tests that compare it with the table. */
export const errorTable: Readonly<Record<ErrorCode, ErrorDefinition>> = table;

/** Validation problem with its location, the invalid value and the allowed values. */
export interface ValidationProblem {
  /** Path of the field, or file with line and column. */
  readonly location: string;
  readonly message: string;
}

export interface ErrorDetails {
  /** Detail of this error, with location, value and allowed values. */
  readonly message?: string;
  readonly problems?: readonly ValidationProblem[];
  /** Detail for visitors of pages, if the message is meant for the operator. Default: the title of the code. */
  readonly publicMessage?: string;
  /** HTTP response headers, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Part of the request that caused the error, for APIs that have a code for it. */
  readonly aspect?: ErrorAspect;
  readonly cause?: unknown;
}

/** Part of a request that caused an error: a segment of the path, a query option, or a missing role. */
export type ErrorAspect = 'segment' | 'option' | 'role';

/** Single class for all expected errors. Routes and commands convert it to their own format. */
export class NudgeLabError extends Error {
  override readonly name = 'NudgeLabError';
  readonly code: ErrorCode;
  readonly problems: readonly ValidationProblem[];
  readonly headers: Readonly<Record<string, string>>;
  readonly aspect: ErrorAspect | undefined;
  readonly #publicMessage: string | undefined;

  /** Creates an error from its code and details. The default message is the title of the code. */
  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? formatMessage(code, details.problems), { cause: details.cause });
    this.code = code;
    this.problems = details.problems ?? [];
    this.headers = details.headers ?? {};
    this.aspect = details.aspect;
    this.#publicMessage = details.publicMessage;
  }

  /** Message for visitors of a page, without the paths and databases that messages for the operator can name. */
  get publicMessage(): string {
    return this.code in storeErrors || this.code in gateErrors || this.code === 'file-unreadable'
      ? (this.#publicMessage ?? `${errorTable[this.code].title}.`)
      : this.message;
  }

  /** HTTP status of the response. */
  get status(): number {
    return errorTable[this.code].status;
  }

  /** Exit code of a command that ends with this error. */
  get exitCode(): 1 | 2 | 3 {
    return errorTable[this.code].exitCode;
  }

  /** Suggested action for the caller. */
  get action(): string {
    return errorTable[this.code].action;
  }
}

function formatMessage(code: ErrorCode, problems: readonly ValidationProblem[] | undefined): string {
  const title = errorTable[code].title;
  if (problems === undefined || problems.length === 0) return `${title}.`;
  return `${title}: ${problems.map((problem) => `${problem.location}: ${problem.message}`).join('; ')}`;
}
