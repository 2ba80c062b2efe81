import { type ConventionRule, isTypeScript } from './convention-rule.ts';

/** A file is read at one sitting; most stay below three quarters of this. */
const fileLinesMax = 400;

/** Length of files. */
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
