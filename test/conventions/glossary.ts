/** A word of the domain and the synonyms that may not stand for it in names of code. */
export interface Term {
  readonly term: string;
  readonly meaning: string;
  /** Lower-case words; a hyphen where the name would have a capital. */
  readonly refuses: readonly string[];
}

/** One word for one thing: names in code, scenarios, pages and reports all use the first column. */
export const glossary: readonly Term[] = [
  {
    term: 'sign-in',
    meaning: 'one attempt of a user to get in, from name to end',
    refuses: ['login', 'logon', 'log-in', 'signin'],
  },
  { term: 'nudge', meaning: 'asking a user to register a stronger method', refuses: ['nag', 'reminder'] },
  { term: 'prompt', meaning: 'one nudge shown in one sign-in', refuses: ['popup', 'pop-up', 'interruption'] },
  {
    term: 'snooze',
    meaning: 'an answered prompt that is put off',
    refuses: ['postponement', 'postpone', 'deferral', 'dismissal', 'dismiss'],
  },
  { term: 'required', meaning: 'a prompt that cannot be skipped', refuses: ['mandatory', 'forced', 'compulsory'] },
  { term: 'register', meaning: 'adding a method to a user', refuses: ['enroll', 'enrol', 'enrollment', 'enrolment'] },
  { term: 'passkey', meaning: 'a credential of the public-key kind', refuses: ['pass-key', 'fido-key'] },
  { term: 'verdict', meaning: 'the answer of the rules for one attempt', refuses: ['ruling'] },
  { term: 'judgement', meaning: 'a verdict with the facts that it was given on', refuses: ['judgment'] },
  { term: 'ruleset', meaning: 'a named, versioned set of rules and data', refuses: ['rule-set', 'rulebook'] },
  {
    term: 'tenant',
    meaning: 'the organisation whose policy holds',
    refuses: ['organization', 'organisation', 'customer', 'company'],
  },
  { term: 'sandbox', meaning: 'one simulated tenant', refuses: ['workspace', 'playground'] },
  { term: 'journal', meaning: 'the append-only record of events', refuses: ['event-log', 'audit-trail'] },
  { term: 'virtual clock', meaning: 'the time of one sandbox', refuses: ['fake-clock', 'mock-clock', 'fake-time'] },
  { term: 'scenario', meaning: 'a short journal with expectations', refuses: ['test-case', 'testcase'] },
  { term: 'driver', meaning: 'what carries out the steps of a scenario', refuses: ['adapter', 'adaptor'] },
  { term: 'include, exclude', meaning: 'lists of a policy', refuses: ['whitelist', 'blacklist', 'denylist'] },
];
