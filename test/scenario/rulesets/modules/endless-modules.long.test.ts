import { describe, expect, test } from 'vitest';
import { checkOwnFile } from '../../../../src/scenario/rulesets/read-ruleset-file.ts';
import { gateText, rulesetFolder } from './module-folder.ts';

const plain = '{ id: F1, module: ./a.gate.js }';
const endless =
  "({ user: { facts: { level } } }) => { while (level > 3); return level < 2 ? met({}) : stopped('low', {}); }";

/** Without the loop, the check would report that no sample reaches the reason, which the searches look for. */
const unreached = '({ user: { facts: { level } } }) => { while (level > 3); return met({}); }';

describe('RS34 modules that never return', () => {
  test.each([
    ['does not return, for example with user.facts.level: 4', gateText({ judge: endless })],
    ['F1 does not return, for example with user.facts.level: ', gateText({ judge: unreached })],
    ['cannot be loaded: Error: loading it takes more than 5 s', `while (true);\n${gateText({})}`],
  ])(
    '%s',
    (part, text) => {
      const path = rulesetFolder(plain, { 'a.gate.js': text });
      const { faults } = checkOwnFile(path, 'a.ruleset.yaml', 'run');
      expect(faults).toMatchObject([{ code: 'RS34', severity: 'fault', message: expect.stringContaining(part) }]);
    },
    60_000,
  );
});
