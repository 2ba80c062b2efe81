import { type ConventionRule, matches } from './convention-rule.ts';

const patterns = [
  {
    pattern: /['"`/]_control\/v1/,
    message: 'names a path of the control API: src/client has a method for each operation',
  },
  { pattern: /\w*OnTheWire\b/, message: 'states the type of a response by hand: it is ControlReply of src/client' },
];

/**
 * Convention: there is one client of the control API. Its paths and types are derived from the operations, and another
 * client would drift from them.
 */
export const oneClient: ConventionRule = {
  id: 'one-client',
  claim: 'clients of the control API use src/client alone',
  covers: (path) => /^(console\/src|src\/(cli|scenario|testing))\/.*\.tsx?$/.test(path),
  inspect: (file) => matches(file, patterns),
  canaries: [
    { path: 'console/src/views/user.view.tsx', text: "await fetch('/_control/v1/sandboxes');" },
    { path: 'src/cli/token/get-token.ts', text: "const url = server + '/_control/v1/tokens';" },
    { path: 'src/scenario/drivers/http/sandbox-control.ts', text: 'interface NudgeStatusOnTheWire {}' },
  ],
  innocents: [
    { path: 'src/cli/token/get-token.ts', text: 'await serverClient(url).issueToken({ sandbox, body });' },
    { path: 'src/cli/serve/startup-message.ts', text: 'print(stdout, controlUrl, (url) => [url]);' },
  ],
};
