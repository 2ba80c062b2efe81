/** Headings under which the help lists commands. */
type CommandGroup = 'Test' | 'Serve' | 'Generate' | 'Analyze' | 'Tools';

/** What the list of commands shows about one of them. */
export interface ListedCommand {
  readonly group: CommandGroup;
  /** Summary of one line. */
  readonly summary: string;
  /** Syntax of the operands after the options, such as `[paths...]`; `null` if there are none. */
  readonly operands: string | null;
}

/** All commands in the order of the help, which shows this list without loading any command. */
export const commandList = {
  run: { group: 'Test', summary: 'run scenarios', operands: '[paths...]' },
  lint: { group: 'Test', summary: 'validate scenarios and fixtures without running them', operands: '[paths...]' },
  init: { group: 'Test', summary: 'create a first suite in your repository', operands: '[folder]' },
  shrink: { group: 'Test', summary: 'shrink a failing scenario', operands: '<file>' },
  fuzz: { group: 'Test', summary: 'run random journeys on a driver and compare them with the model', operands: null },
  serve: { group: 'Serve', summary: 'start the mock server', operands: null },
  exec: { group: 'Serve', summary: 'run a command with a mock server', operands: '<command...>' },
  token: { group: 'Serve', summary: 'get an access token for a script', operands: null },
  clock: {
    group: 'Serve',
    summary: 'show, move, freeze and resume the virtual clock of a sandbox',
    operands: '[words...]',
  },
  users: { group: 'Serve', summary: 'list the users of a sandbox with their nudge status', operands: '[ids...]' },
  'sign-ins': {
    group: 'Serve',
    summary: 'list recent sign-ins of a sandbox with outcome and reason',
    operands: '[id]',
  },
  documents: { group: 'Serve', summary: 'list, show, add and publish document records', operands: '[words...]' },
  lookup: { group: 'Serve', summary: 'look up an email address or a username', operands: '[words...]' },
  generate: {
    group: 'Generate',
    summary: 'generate the smallest suite that meets a coverage criterion',
    operands: '[model]',
  },
  mutate: { group: 'Generate', summary: 'measure how many faults a suite detects', operands: '[paths...]' },
  reduce: {
    group: 'Generate',
    summary: 'find the fewest scenarios that detect the same faults',
    operands: '[paths...]',
  },
  prioritize: {
    group: 'Generate',
    summary: 'order scenarios by the faults that they detect per second',
    operands: '[paths...]',
  },
  explore: {
    group: 'Generate',
    summary: 'explore the state space of a machine and check its invariants',
    operands: '[machines...]',
  },
  learn: { group: 'Generate', summary: 'learn a system and compare it with the specification', operands: '[machine]' },
  properties: {
    group: 'Generate',
    summary: 'prove temporal properties of a machine, or show a counterexample',
    operands: '[files...]',
  },
  conform: { group: 'Analyze', summary: 'check whether the log of a real system fits the model', operands: '<log>' },
  ruleset: {
    group: 'Analyze',
    summary: 'create, check and compare ruleset files of your own campaign',
    operands: '<words...>',
  },
  explain: { group: 'Analyze', summary: 'explain whether a user would be prompted', operands: null },
  export: {
    group: 'Analyze',
    summary: 'export a part of a journal as a journey file, or its logs',
    operands: '[what]',
  },
  replay: { group: 'Analyze', summary: 'replay journeys from their events or on a driver', operands: '<paths...>' },
  import: {
    group: 'Analyze',
    summary: 'import tenant exports for comparisons and forecasts',
    operands: '[sign-ins...]',
  },
  compare: {
    group: 'Analyze',
    summary: 'report what another policy would have changed, for whom and why',
    operands: '[history]',
  },
  forecast: { group: 'Analyze', summary: 'forecast a campaign day by day', operands: '[file]' },
  doctor: { group: 'Tools', summary: 'check that everything needed to run and serve is installed', operands: null },
  gallery: { group: 'Tools', summary: 'write every sign-in page in every state to a folder', operands: null },
  docs: { group: 'Tools', summary: 'serve the documentation site offline', operands: null },
  schema: { group: 'Tools', summary: 'print a JSON Schema', operands: '[name]' },
  completion: { group: 'Tools', summary: 'print the completion script for your shell', operands: '<shell>' },
  mcp: { group: 'Tools', summary: 'serve tools to agents over the Model Context Protocol', operands: null },
  worker: { group: 'Tools', summary: 'process jobs from a queue', operands: null },
} as const satisfies Readonly<Record<string, ListedCommand>>;

/** Name of a command. */
export type CommandName = keyof typeof commandList;
