/** Paths of views that belong to another view of the navigation. */
export const pathsBelow: ReadonlyMap<string, string> = new Map([
  ['add-user', 'users'],
  ['registrations', 'users'],
]);

/** Views of a sandbox, in the order of the navigation. */
export const views = [
  { path: 'overview', title: 'Overview', words: 'clock campaign state activity warnings' },
  { path: 'campaign', title: 'Campaign', words: 'policy settings snooze limit targets preview' },
  { path: 'users', title: 'Users', words: 'people why verdict snoozes search' },
  { path: 'journeys', title: 'Journeys', words: 'sign-ins attempts' },
  { path: 'model', title: 'Model', words: 'statechart machines states transitions coverage rules' },
  { path: 'properties', title: 'Properties', words: 'always never counterexample' },
  { path: 'results', title: 'Results', words: 'open file conform misfits log learn learned machine differences' },
  { path: 'scenarios', title: 'Scenarios', words: 'suite run results editor dry run coverage matrix' },
  { path: 'journal', title: 'Journal', words: 'events entries live' },
  {
    path: 'requests',
    title: 'Requests',
    words: 'http log path status client received administrators tools policy directory api',
  },
  { path: 'forecast', title: 'Forecast', words: 'sweep sensitivity bands expect days charts' },
  { path: 'compare', title: 'Compare', words: 'what if another policy changed inapplicable' },
  { path: 'lookup', title: 'Lookup', words: 'tools quota tokens email username' },
  { path: 'documents', title: 'Documents', words: 'records pdf upload pages' },
  { path: 'faults', title: 'Faults', words: 'failures slow denied' },
  { path: 'gallery', title: 'Gallery', words: 'sign-in pages states screens brand language arabic dark preview' },
  { path: 'assumptions', title: 'Assumptions', words: 'decisions switches' },
  {
    path: 'settings',
    title: 'Settings',
    words: 'theme dark light branding color logo tokens limits server version password',
  },
] as const;
