import { accessErrors } from './access-errors.ts';
import { analysisErrors } from './analysis-errors.ts';
import { type ErrorDefinition, row } from './error-definition.ts';
import { fileErrors } from './file-errors.ts';
import { passkeyErrors } from './passkey-errors.ts';
import { storeErrors } from './store-errors.ts';

/**
 * The one table of expected failures: stable code, title, what to do about it, HTTP status and exit code of a command.
 * Only expected failures stand here; a broken invariant is an assertion.
 */
const table = {
  ...analysisErrors,
  'bad-request': row('The request is not valid', 'Correct the fields that the message names.', 400, 2),
  unauthenticated: row(
    'No valid access token',
    'Send a bearer token that this sandbox issued and that has not expired.',
    401,
    2,
  ),
  'access-denied': row(
    'The token does not allow this',
    'Ask for the permission or role that the message names.',
    403,
    2,
  ),
  ...accessErrors,
  'not-found': row('No such address', 'Compare the path with the OpenAPI document.', 404, 2),
  'sandbox-not-found': row(
    'No such sandbox',
    'Create the sandbox, or leave the prefix out for the default one.',
    404,
    2,
  ),
  'console-missing': row(
    'The console is not built',
    'In a checkout run `npm run build:console`, then start the server again; the package has it built.',
    404,
    2,
  ),
  'docs-missing': row(
    'The documentation site is not built',
    'In a checkout run `npm run site`; elsewhere name the folder of a built site with --folder. The package does not contain it.',
    404,
    2,
  ),
  'second-factor-rejected': row(
    'The second factor was not accepted',
    'Ask for it again, or choose another method.',
    401,
    1,
  ),
  ...passkeyErrors,
  'user-not-found': row('No such user in this sandbox', 'List the users of the sandbox.', 404, 2),
  'sign-in-not-found': row('No such sign-in', 'Begin a new sign-in, or look for it in the journal.', 404, 2),
  'interaction-unknown': row(
    'The sign-in for the application is over',
    'Go back to the application and sign in from there.',
    404,
    2,
  ),
  'client-not-found': row(
    'No such application',
    'Register the application, or use one of the clients of this sandbox.',
    400,
    2,
  ),
  'redirect-uri-mismatch': row(
    'The application may not be sent there',
    'Register the redirect address for the client; it is compared as a whole.',
    400,
    2,
  ),
  'authorization-invalid': row(
    'The authorization request is not valid',
    'Correct what the message names in the application’s request.',
    400,
    2,
  ),
  'document-not-found': row('No such document', 'List the documents of the sandbox.', 404, 2),
  'document-unreadable': row(
    'The file cannot be read as a PDF',
    'Open it in a viewer: it is damaged, cut short, empty, or no PDF.',
    422,
    2,
  ),
  'document-encrypted': row(
    'The file is encrypted',
    'Give the password that opens it: `documents add --password`, or the header Document-Password.',
    422,
    2,
  ),
  'document-too-large': row(
    'The file is more than may be read',
    'Split it, or make it smaller; the message names the limit.',
    413,
    2,
  ),
  'document-canceled': row('The reading was canceled', 'Add the file again; nothing of it was kept.', 499, 1),
  'document-step-refused': row(
    'The document is not in a state for this',
    'Look at its state; advance the clock, or take the step that comes first.',
    409,
    1,
  ),
  'not-acceptable': row('No such representation', 'Accept application/json.', 406, 2),
  'document-queue-full': row('Too many files wait to be read', 'Wait for the time in Retry-After.', 503, 1),
  'too-many-documents': row(
    'The sandbox holds too many documents',
    'Remove documents, or use another sandbox.',
    503,
    3,
  ),
  'suite-missing': row(
    'The server was given no scenarios',
    'Start it with `nudgelab serve --scenarios FOLDER`.',
    404,
    2,
  ),
  'suite-file-unknown': row('No such scenario file', 'List the files of the suite.', 404, 2),
  'suite-read-only': row(
    'Scenario files may not be written',
    'Start the server with `--allow-scenario-edits`, or copy the text into the file yourself.',
    403,
    2,
  ),
  'run-not-found': row('No such run', 'List the runs; the oldest ones are forgotten.', 404, 2),
  'too-many-runs': row('Too many runs wait', 'Cancel a run, or wait for the time in Retry-After.', 503, 3),
  'snapshot-not-found': row('No such snapshot', 'Take a snapshot first and use the name in its answer.', 404, 2),
  'method-not-allowed': row('The method is not allowed here', 'Use a method that the Allow header lists.', 405, 2),
  'sandbox-exists': row('A sandbox of this id exists', 'Choose another id, or delete the sandbox first.', 409, 2),
  'skip-not-allowed': row('This prompt cannot be skipped', 'Register the method: the snoozes are used up.', 409, 1),
  'prompt-expired': row('The prompt has expired', 'Sign in again.', 409, 1),
  'prompt-not-open': row('There is no open prompt', 'Sign in until a prompt is shown, then answer it.', 409, 1),
  'unexpected-screen': row('The sign-in is at another screen', 'Follow the screen that the sign-in shows.', 409, 1),
  'second-factor-pending': row('The second factor has not come', 'Ask for it again, or choose another method.', 409, 1),
  'too-many-prompts': row('The user has too many open prompts', 'Answer or let expire the open ones.', 409, 1),
  'precondition-failed': row('The resource changed since it was read', 'Read it again and repeat the change.', 412, 2),
  'payload-too-large': row('The body is too large', 'Send a smaller body.', 413, 2),
  'unsupported-media-type': row(
    'The media type is not supported',
    'Send the media type that the message names.',
    415,
    2,
  ),
  'too-many-requests': row('Too many requests', 'Wait for the time in Retry-After.', 429, 1),
  'internal-error': row(
    'The simulator failed',
    'Report it with the request id; the server log has the details.',
    500,
    3,
  ),
  'fault-injected': row(
    'A fault of this sandbox was met',
    'It was asked for: list or clear the faults of the sandbox in the control API.',
    503,
    1,
  ),
  'journal-full': row('The journal is at its limit', 'Fork, reset or delete the sandbox, or raise the limit.', 503, 3),
  'server-not-ready': row(
    'The server is not ready',
    'Wait for the time in Retry-After, or ask another instance; the message says why.',
    503,
    3,
  ),
  'server-busy': row(
    'The server has as much to do as it can',
    'Wait for the time in Retry-After, then ask again; nothing was done.',
    503,
    1,
  ),
  'too-many-sandboxes': row('The server holds too many sandboxes', 'Delete sandboxes that are no longer used.', 503, 3),
  'too-many-streams': row(
    'Too many event streams are open',
    'Close a stream, or wait for the time in Retry-After.',
    503,
    3,
  ),
  ...storeErrors,
  'scenario-invalid': row(
    'The scenario is not valid',
    'Correct the place that the message names; `nudgelab lint` shows all of them.',
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
  'fixture-not-found': row('No such fixture', 'Use a name from the fixtures folder.', 400, 2),
  'fixture-invalid': row('The fixture is not valid', 'Correct the place that the message names.', 400, 2),
  'config-invalid': row('The configuration is not valid', 'Correct the key that the message names.', 400, 2),
  'usage-invalid': row('The command line is not valid', 'See the command’s --help.', 400, 2),
  ...fileErrors,
  'driver-not-found': row('No such driver', 'Use model, http or browser, or name one in nudgelab.config.ts.', 400, 2),
  'driver-failed': row(
    'The driver could not do the step',
    'See the message; the step’s page and answer stand beside it.',
    400,
    1,
  ),
  'browser-missing': row(
    'No browser was found',
    'Install Chromium, Chrome, Edge or the package @sparticuz/chromium, or name one in NUDGELAB_BROWSER.',
    500,
    2,
  ),
  'address-in-use': row('The address is in use', 'Choose another port, or 0 for any free one.', 500, 2),
  'server-unreachable': row(
    'The server does not answer',
    'Start it with `nudgelab serve`, or correct --url. For https set NODE_EXTRA_CA_CERTS to the authority that serve printed.',
    500,
    2,
  ),
  'alphabet-empty': row(
    'The alphabet is empty',
    'Give the events to try: an array `events` of at least one event of the machine.',
    400,
    2,
  ),
  'machine-not-explorable': row(
    'The machine moves by something else than events',
    'Say delays and the answers of actors by events of the alphabet, at the state that the message names.',
    400,
    2,
  ),
  'state-space-too-large': row(
    'The state space is larger than the limit',
    'Bound the key that the message names, give `serialize` for a quotient of it, or raise the limit.',
    400,
    2,
  ),
  'time-limit-too-short': row(
    'The time was over before anything was done',
    'Give more time with --time-limit, or ask for less: fewer durations, another goal, a lower strength.',
    400,
    2,
  ),
  'journey-impossible': row(
    'A journey has a step that cannot be done',
    'Correct the step that the message names, or what the journey begins with.',
    400,
    2,
  ),
  'journey-unrecognized': row(
    'The file is not a journey',
    'Name a file that `nudgelab export` wrote; an export of a real tenant is read by `nudgelab import`.',
    400,
    2,
  ),
  'journey-version': row(
    'The journey has a newer format version',
    'Use the program version that wrote it, or a later one.',
    400,
    2,
  ),
  'journey-damaged': row(
    'The journey was cut short or changed',
    'Export it again; the message names the first line that is not as it was written.',
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
    'Install the package that the message names, beside this one.',
    500,
    2,
  ),
  'array-invalid': row(
    'The covering array is not asked for rightly',
    'Correct the factor, strength, constraint or row that the message names.',
    400,
    2,
  ),
  'constraints-unsatisfiable': row(
    'No row fulfils the constraints',
    'Remove or relax one of the constraints that the message names.',
    400,
    2,
  ),
  'array-too-large': row(
    'The covering array is too large',
    'Lower the strength, combine fewer factors or values, or ask for the strength of some factors by `mixed`.',
    400,
    2,
  ),
  'forecast-invalid': row(
    'The description of the tenant is not valid',
    'Correct the place that the message names; `nudgelab schema forecast` prints the schema.',
    400,
    2,
  ),
  'queue-missing': row(
    'The queue is not installed',
    'Install the optional peers of this package: npm install bullmq ioredis.',
    500,
    2,
  ),
  'queue-unreachable': row(
    'Redis does not answer',
    'Start it, or correct the address of --queue: redis://host:port.',
    503,
    2,
  ),
  'queue-job-failed': row(
    'A worker could not do its part',
    'See the message; workers must be of the version that asks, and can be started again at any time.',
    500,
    3,
  ),
  'forecast-too-large': row(
    'The forecast is larger than its tables',
    'Describe fewer kinds of users, platforms or circumstances; the message names the limit.',
    400,
    2,
  ),
  'runtime-too-old': row('Node is too old', 'Run it through npm scripts, or install Node 24 or later.', 500, 2),
} as const;

/** Stable codes of the expected failures. */
export type ErrorCode = keyof typeof table;

/** The table by code, for the documentation page and the tests that hold it. */
export const errorTable: Readonly<Record<ErrorCode, ErrorDefinition>> = table;

/** One thing that is wrong: where, what stands there, and what is allowed. */
export interface ValidationProblem {
  /** Path of the field, or file with line and column. */
  readonly place: string;
  readonly message: string;
}

export interface ErrorDetails {
  /** What happened this time, naming place, value and what is allowed. */
  readonly message?: string;
  readonly problems?: readonly ValidationProblem[];
  /** Headers that the HTTP answer must carry, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** The one error class of expected failures; routes and commands turn it into their own shape. */
export class NudgeLabError extends Error {
  override readonly name = 'NudgeLabError';
  readonly code: ErrorCode;
  readonly problems: readonly ValidationProblem[];
  readonly headers: Readonly<Record<string, string>>;

  /** Takes the code of a row and what happened; without a message the row's title stands. */
  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? messageOf(code, details.problems), { cause: details.cause });
    this.code = code;
    this.problems = details.problems ?? [];
    this.headers = details.headers ?? {};
  }

  /**
   * The message as visitors may see it: messages about stores and files name paths and databases, which are the operator's
   * business, so only the title remains of them.
   */
  get publicMessage(): string {
    return this.code in storeErrors || this.code === 'file-unreadable'
      ? `${errorTable[this.code].title}.`
      : this.message;
  }

  /** HTTP status of the answer. */
  get status(): number {
    return errorTable[this.code].status;
  }

  /** Exit code of a command that ends with this error. */
  get exitCode(): 1 | 2 | 3 {
    return errorTable[this.code].exitCode;
  }

  /** What the caller can do about it. */
  get action(): string {
    return errorTable[this.code].action;
  }
}

function messageOf(code: ErrorCode, problems: readonly ValidationProblem[] | undefined): string {
  const title = errorTable[code].title;
  if (problems === undefined || problems.length === 0) return `${title}.`;
  return `${title}: ${problems.map((problem) => `${problem.place}: ${problem.message}`).join('; ')}`;
}
