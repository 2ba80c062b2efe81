import type { Fault, TextFile } from '../repository.ts';
import { type ConventionRule, matches } from './convention-rule.ts';

const message = 'names a provider: names on the wire are data of a dialect, see src/contract/directory-api/dialects';

const patterns = [
  { pattern: /microsoft/i, message },
  { pattern: /\bazure\b/i, message },
  { pattern: /\bentra\b/i, message },
  { pattern: /\baadsts/i, message },
];

/** Words that are no name of a provider: those of the browser, and the names of the built-in dialect. */
const innocentWords = [
  /microsoft[- \\]+edge/gi,
  /entraDialectFile/g,
  /\/entra-dialect/g,
  /[`']entra[`']/g,
  /\bentra:/g,
];

function inspect({ path, text }: TextFile): readonly Fault[] {
  return matches({ path, text: innocentWords.reduce((rest, word) => rest.replaceAll(word, ''), text) }, patterns);
}

/** Convention: code holds no provider name, which is data of a dialect (DIR90). */
export const providerNames: ConventionRule = {
  id: 'provider-names',
  claim: 'code names no provider outside the data of the dialects',
  covers: (path) =>
    /^(src|machines|console\/src)\/.*\.tsx?$/.test(path) &&
    !/^src\/(contract\/directory-api\/dialects|replay\/import)\//.test(path),
  inspect,
  canaries: [
    { path: 'src/server/app.ts', text: "const root = 'https://graph.microsoft.com';" },
    { path: 'src/sandbox/policy-service.ts', text: "if (name === 'MicrosoftAuthenticator') return;" },
    { path: 'src/server/oidc/answers.ts', text: "const prefix = 'AADSTS';" },
    { path: 'console/src/views/users.view.tsx', text: '<p>The users of Entra</p>' },
  ],
  innocents: [
    { path: 'src/scenario/drivers/browser/find-browser.ts', text: "'microsoft-edge-stable'" },
    { path: 'src/contract/directory-api/dialect.ts', text: "export const builtInDialects = ['seed', 'entra'];" },
    { path: 'src/server/app.ts', text: '// The entrance of an entrant.' },
  ],
};
