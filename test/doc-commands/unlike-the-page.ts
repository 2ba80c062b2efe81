/** Shell text by page that creates the files which readers already have when they reach the page. */
export const before: ReadonlyMap<string, string> = new Map([
  [
    'docs/how-to/mutation-testing.md',
    `cat > failing.yaml <<'END'
name: The second sign-in is no prompt, as the first one was
given: { tenant: app-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
  - skip: {}
  - advance: { hours: 23 }
  - signIn: { user: ada }
    expect: { page: prompt }
END
(cat failing.yaml && echo 'examples: [{ row: 1 }, { row: 2 }]') > rows.yaml
`,
  ],
  [
    'docs/how-to/temporal-properties.md',
    `code=0
nudgelab properties docs/examples/skips.properties.yaml --out counterexamples || code=$?
[ "$code" = 1 ]
`,
  ],
  [
    'docs/how-to/conformance.md',
    `code=0
nudgelab conform docs/examples/prompts-march.csv --mapping docs/examples/prompts.mapping.yaml || code=$?
[ "$code" = 1 ]
`,
  ],
]);

/** Lines that are not executed here, with the reason. Their options are checked against the program. */
export const elsewhere: ReadonlyMap<string, string> = new Map([
  [
    'npm run nudgelab -- generate --strength 2 --mode optimal --format csv --out arrays',
    'takes half a minute: test/generate/covering-arrays',
  ],
  [
    'nudgelab replay journey.ndjson --interactive            # right and left, g and G for the ends, q to leave',
    'needs a terminal: test/cli/replay.test.ts',
  ],
  ['npm run nudgelab -- docs', 'serves until it is stopped: test/cli/docs.test.ts'],
  [
    'npm run nudgelab -- serve --dialect entra --clients tools.yaml --https --port 443 --public-url https://login.microsoftonline.com --allowed-host graph.microsoft.com',
    'needs the port 443: npm run soak -- administrator-tools',
  ],
  ['npm run nudgelab -- mutate', 'takes minutes: test/cli/mutate.long.test.ts'],
  ['npm run nudgelab -- mutate scenarios/snooze --rule R5,R6', 'takes minutes: test/cli/mutate.long.test.ts'],
  ['npm run nudgelab -- mutate --skip-equivalence --json', 'takes minutes: test/cli/mutate.long.test.ts'],
  ['npm run nudgelab -- mutate --generated', 'takes minutes: npm run bench -- mutants'],
]);

/** Replacements of lines that take minutes, contain a value to fill in, or follow actions of readers on pages. */
export const shortened: ReadonlyMap<string, string> = new Map([
  [
    'nudgelab export --out journey.ndjson                     # the default sandbox of the server on this machine',
    `sign-in-and-skip sms-user
curl localhost:4700/_control/v1/sandboxes/default/clock/advance -H 'content-type: application/json' -d '{"days":1}'
sign-in-and-skip sms-user
nudgelab export --out journey.ndjson`,
  ],
  [
    'npm run nudgelab -- run --covers <ID> --driver model,http',
    'npm run nudgelab -- run --covers R6 --driver model,http --shard 1/4',
  ],
  [
    'npm run nudgelab -- run scenarios/<area>/<name>.yaml --driver model,http',
    'npm run nudgelab -- run scenarios/scope/no-end-date.yaml --driver model,http',
  ],
  ['npm run nudgelab -- <name> --help', 'npm run nudgelab -- run --help'],
  ['npx nudgelab run --driver browser', 'npx nudgelab run --driver browser --shard 1/500'],
  [
    'npx nudgelab run scenarios/passkey --driver model,http,browser --report nudgelab-report',
    'npx nudgelab run scenarios/passkey --driver model,http,browser --report nudgelab-report --shard 1/60',
  ],
  [
    'npx nudgelab run --driver model,http --report nudgelab-report',
    'npx nudgelab run --driver model,http --report nudgelab-report --shard 1/30',
  ],
  ['npx nudgelab run --shard 1/4 --driver http', 'npx nudgelab run --shard 1/40 --driver http'],
  ['npx nudgelab run --driver http --workers 16', 'npx nudgelab run --driver http --workers 16 --shard 1/30'],
  ['npm run nudgelab -- fuzz --runs 200', 'npm run nudgelab -- fuzz --runs 5'],
  ...[
    'npm run nudgelab -- clock advance 1d',
    'npm run nudgelab -- users --state snoozed',
    'npm run nudgelab -- sign-ins --user sms-user',
  ].map((line) => [line, `${line} --url http://localhost:4700`] as const),
  ['npm run nudgelab -- fuzz --driver browser --runs 20', 'npm run nudgelab -- fuzz --driver browser --runs 1'],
  [
    'npm run nudgelab -- fuzz --url http://localhost:4700 --seed 7',
    'npm run nudgelab -- fuzz --url http://localhost:4700 --seed 7 --runs 5',
  ],
]);

/**
 * Matches commands that need a Redis or PostgreSQL server, which is missing here. test/forecast/queue and test/journal
 * run such commands with real servers.
 */
export const needsService = /nudgelab.*(?:redis|postgres):\/\//;
