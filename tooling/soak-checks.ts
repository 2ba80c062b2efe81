/** Long-running check. Its exit code reports whether it passed, and its last line reports what was checked. */
export interface SoakCheck {
  readonly name: string;
  /** Sentence that is true if the check passes. */
  readonly sentence: string;
  /** Command without the arguments for the amount of work. */
  readonly command: readonly string[];
  /** Arguments for the complete check. The next member contains those for CI; `null` if CI does not run the check. */
  readonly whole: readonly string[];
  readonly ci: readonly string[] | null;
  /** Description of the part that CI runs. */
  readonly part: string;
  /** True if the check reports times, so nothing else may run at the same time. */
  readonly alone: boolean;
}

const simulation = ['node', 'test/simulation/simulation-process.ts'];
const kills = ['node', 'test/soak/kill-cycles-process.ts'];
const load = ['node', 'test/soak/journey-load-process.ts', '--rate', '25', '--users', '10000'];

/** Long-running checks, starting with the one that is fastest to repair. */
export const soakChecks: readonly SoakCheck[] = [
  {
    name: 'simulation',
    sentence:
      'Every acknowledged event is in the journal exactly once despite failures of clients, network, disk and clocks',
    command: [...simulation, '--store', 'disk', '--steps', '1000'],
    whole: ['--seeds', '5000'],
    ci: ['--seeds', '250'],
    part: '5 % of 5,000,000 steps',
    alone: false,
  },
  {
    name: 'simulation-sqlite',
    sentence: 'The same holds for an SQLite file whose last commit is truncated anywhere',
    command: [...simulation, '--store', 'sqlite', '--steps', '1000'],
    whole: ['--seeds', '400'],
    ci: ['--seeds', '20'],
    part: '5 % of 400,000 steps',
    alone: false,
  },
  {
    name: 'own-properties',
    sentence: 'Every property of the larger example rulesets is violated by a faulty version of them',
    command: ['node', 'test/soak/own-properties-process.ts'],
    whole: ['passkey-90-days', 'passkey-week'],
    ci: null,
    part: '',
    alone: false,
  },
  {
    name: 'spin',
    sentence: 'The model checker Spin decides each property as the check does, also on faulty machines',
    command: ['node', 'test/soak/spin-process.ts'],
    whole: ['second-factor-deadline', 'passkey-by-ecosystem'],
    ci: null,
    part: '',
    alone: false,
  },
  {
    name: 'fuzz',
    sentence:
      'Every request to the APIs and pages gets a response that matches the OpenAPI documents, and the server keeps running',
    command: ['node', 'test/soak/fuzz-process.ts', '--seed', '1'],
    whole: ['--requests', '1000000'],
    ci: ['--requests', '20000'],
    part: '20,000 of 1,000,000 requests',
    alone: false,
  },
  {
    name: 'fuzz-imports',
    sentence: 'Every export is either imported or rejected',
    command: ['node', 'test/soak/fuzz-imports-process.ts', '--seed', '1'],
    whole: ['--files', '20000'],
    ci: ['--files', '400'],
    part: '400 of 20,000 files',
    alone: false,
  },
  {
    name: 'node-versions',
    sentence: 'The packed package runs the shipped suite on every maintained version of Node, and rejects an older one',
    command: ['node', 'test/soak/node-versions-process.ts'],
    whole: ['--versions', '22.18.0,22,24,26'],
    ci: null,
    part: 'nothing, because it takes eight minutes',
    alone: false,
  },
  {
    name: 'administrator-tools',
    sentence:
      'A public administration program and the typed SDK run unchanged against a served sandbox and read its facts',
    command: ['node', 'test/soak/administrator-tools-process.ts'],
    whole: ['--cli', '11.11.0', '--sdk', '1.0.0-preview.90'],
    ci: null,
    part: 'nothing, because it installs 460 MB',
    alone: false,
  },
  {
    name: 'kill-sqlite',
    sentence: 'An SQLite server that is killed under load neither loses nor duplicates entries',
    command: [...kills, '--store', 'sqlite'],
    whole: ['--cycles', '100'],
    ci: ['--cycles', '10'],
    part: '10 of 100 kills',
    alone: false,
  },
  {
    name: 'kill-postgres',
    sentence: 'Two PostgreSQL servers that are killed in turn neither lose nor duplicate entries',
    command: [...kills, '--store', 'postgres', '--servers', '2'],
    whole: ['--cycles', '100'],
    ci: ['--cycles', '5'],
    part: '5 of 100 times',
    alone: false,
  },
  {
    name: 'load-memory',
    sentence: 'Complete sign-ins of 10,000 users reach the memory store without errors, and memory use stays flat',
    command: [...load, '--store', 'memory'],
    whole: ['--seconds', '600'],
    ci: ['--seconds', '30'],
    part: '30 of 600 seconds',
    alone: true,
  },
  {
    name: 'load-sqlite',
    sentence: 'The same holds for SQLite',
    command: [...load, '--store', 'sqlite'],
    whole: ['--seconds', '600'],
    ci: ['--seconds', '30'],
    part: '30 of 600 seconds',
    alone: true,
  },
  {
    name: 'load-postgres',
    sentence: 'The same holds for PostgreSQL',
    command: [...load, '--store', 'postgres'],
    whole: ['--seconds', '600'],
    ci: ['--seconds', '30'],
    part: '30 of 600 seconds',
    alone: true,
  },
  {
    name: 'stress',
    sentence: 'No test fails in any round while eight other processes keep every core busy',
    command: ['node', 'tooling/stress.ts'],
    whole: ['--rounds', '5', '--busy', '8'],
    ci: null,
    part: 'none',
    alone: true,
  },
];
