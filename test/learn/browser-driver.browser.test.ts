import { expect, it } from 'vitest';
import { learn } from '../../src/learn/learn.ts';
import { areIsomorphic } from '../../src/learn/mealy/compare-machines.ts';
import { adaptAlphabet, DriverSystem } from '../../src/learn/systems/driver-system.ts';
import { builtInAlphabet } from '../../src/learn/systems/learning-alphabet.ts';
import { exploreSpecification } from '../../src/learn/systems/specification.ts';
import { findBrowser } from '../../src/scenario/drivers/browser/find-browser.ts';
import { BrowserDriver } from '../../src/scenario/drivers/browser.driver.ts';
import { startTestServer } from '../test-server.ts';

it('LN30: in a browser, the pages of the mock are learned as the specification', { timeout: 600_000 }, async () => {
  const { controlUrl } = await startTestServer();
  const driver = new BrowserDriver({ controlUrl, browser: await findBrowser(process.env), evidence: null });
  const inputs = builtInAlphabet.inputs.filter(({ name }) => ['signIn', 'skip', 'day'].includes(name));
  const { alphabet, omittedInputs } = await adaptAlphabet(driver, { ...builtInAlphabet, inputs });
  expect(omittedInputs).toEqual([]);
  const specification = await exploreSpecification(alphabet);
  const system = new DriverSystem(driver, alphabet);
  const result = await learn(system, { depth: 0, randomTests: 2, resetCost: 5, reference: specification });
  await driver.close();
  expect(result.differences).toEqual([]);
  expect(areIsomorphic(result.machine, specification)).toBe(true);
});
