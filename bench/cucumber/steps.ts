import { strict as assert } from 'node:assert';
import { After, Given, setDefaultTimeout, Then, When } from '@cucumber/cucumber';
import type { Expectation, Step } from '../../src/contract/scenario.schema.ts';
import type { DriverSession, Observation } from '../../src/scenario/driver.ts';
import { HttpDriver } from '../../src/scenario/drivers/http.driver.ts';
import { listMismatches } from '../../src/scenario/expect.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';

/** Context of a Cucumber.js scenario, its World. Its steps use the same client code as the http driver. */
interface ScenarioContext {
  session: DriverSession;
  observation: Observation;
  signInId: string | undefined;
  userId: string | undefined;
}

const driver = new HttpDriver({ controlUrl: process.env['CONTROL_URL'] ?? '' });
setDefaultTimeout(10_000);

Given('a sandbox', async function (this: ScenarioContext, plan: string) {
  this.session = await driver.open({ plan: JSON.parse(plan) } as Scenario);
});

When('the step', async function (this: ScenarioContext, text: string) {
  const step = JSON.parse(text) as Step & { say: { user?: string } };
  this.observation = await this.session.perform(step);
  this.signInId = this.observation.signInId ?? this.signInId;
  this.userId = step.say.user ?? this.userId;
});

Then('it shows', async function (this: ScenarioContext, text: string) {
  const expected = JSON.parse(text) as Expectation;
  const verdict =
    this.observation.explained ?? (this.signInId === undefined ? null : await this.session.verdict(this.signInId));
  const nudgeStatus = this.userId === undefined ? null : await this.session.nudgeStatus(this.userId);
  assert.deepEqual(listMismatches(expected, { observation: this.observation, verdict, nudgeStatus }), []);
});

After(async function (this: ScenarioContext) {
  await this.session.close();
});
