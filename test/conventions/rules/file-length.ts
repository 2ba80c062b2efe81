import { type ConventionRule, isTypeScript } from './convention-rule.ts';

/** Maximum number of lines of a file, which can be read in one sitting. Most files stay below three quarters of it. */
const fileLinesMax = 400;

/** Convention: a maximum length of files. */
export const fileLength: ConventionRule = {
  id: 'file-length',
  claim: `a file has ${fileLinesMax} lines at most`,
  covers: isTypeScript,
  inspect: ({ path, text }) => {
    const lines = text.split('\n').length - 1;
    const message = `has ${lines} lines; ${fileLinesMax} are allowed: move one of its jobs to a file of its own.`;
    return lines <= fileLinesMax ? [] : [{ path, line: 0, message }];
  },
  canaries: [{ path: 'src/core/clock.ts', text: '\n'.repeat(fileLinesMax + 1) }],
  innocents: [{ path: 'src/core/clock.ts', text: '\n'.repeat(fileLinesMax) }],
};
