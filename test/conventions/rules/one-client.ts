import type { Fault, TextFile } from '../repository.ts';
import { type ConventionRule, matches } from './convention-rule.ts';

const patterns = [
  {
    pattern: /['"`/]_control\/v1/,
    message: 'names a path of the control API: src/client has a method for each operation',
  },
  { pattern: /\w*OnTheWire\b/, message: 'states the type of a response by hand: it is ControlReply of src/client' },
  {
    pattern: /\bnew (EventSource|XMLHttpRequest|WebSocket)\b/,
    message: 'opens a connection by hand: src/client has a method for each stream and upload',
  },
];

/** Patterns for files that have the URL of an operation, which is for links and images. */
const fetchPatterns = [
  { pattern: /\bfetch\w*\(/, message: 'sends a request by hand: src/client has a method for each operation' },
];

function inspect(file: TextFile): readonly Fault[] {
  const isFetchRefused = /\.getUrl\(/.test(file.text);
  return matches(file, isFetchRefused ? [...patterns, ...fetchPatterns] : patterns);
}

/**
 * Convention: there is one client of the control API. Its paths and types are derived from the operations, and another
 * client would drift from them.
 */
export const oneClient: ConventionRule = {
  id: 'one-client',
  claim: 'clients of the control API use src/client alone',
  covers: (path) => /^(console\/src|src\/(cli|scenario|testing))\/.*\.tsx?$/.test(path),
  inspect,
  canaries: [
    { path: 'console/src/views/user.view.tsx', text: "await fetch('/_control/v1/sandboxes');" },
    { path: 'src/cli/token/get-token.ts', text: "const url = server + '/_control/v1/tokens';" },
    { path: 'src/scenario/drivers/http/sandbox-control.ts', text: 'interface NudgeStatusOnTheWire {}' },
    { path: 'console/src/control/live.tsx', text: "const source = new EventSource(api.getUrl('streamEvents', {}));" },
    {
      path: 'src/cli/documents/add-files.ts',
      text: "const url = server.getUrl('uploadDocument', {});\nawait fetchFrom(url, { body });",
    },
  ],
  innocents: [
    { path: 'src/cli/token/get-token.ts', text: 'await serverClient(url).issueToken({ sandbox, body });' },
    { path: 'console/src/control/live.tsx', text: 'await api.streamEvents({ sandbox, signal });' },
    { path: 'console/src/views/settings.view.tsx', text: "const openapi = api.getUrl('getOpenapi', {});" },
    { path: 'src/cli/serve/startup-message.ts', text: 'print(stdout, controlUrl, (url) => [url]);' },
  ],
};
