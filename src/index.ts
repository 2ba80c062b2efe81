/**
 * Public API of the package `nudgelab` for suites, drivers and tests. Everything that is not exported here can
 * change in any version.
 *
 * ```ts
 * import { planSandbox, Sandboxes, MemoryStore, startServer } from 'nudgelab';
 *
 * const sandboxes = await Sandboxes.open(new MemoryStore());
 * await sandboxes.create('default', planSandbox({ tenant: {}, users: [{ id: 'ada' }] }));
 * const server = await startServer({ sandboxes, port: 0 });
 * // … sign in at `${server.baseUrl}/sign-in` …
 * await server.close();
 * ```
 */

import './testing/supported-node.ts';

// Rules: a verdict for facts, without a sandbox.
export { evaluate } from '../machines/evaluate.ts';
export { rulesetIds, rulesets } from '../machines/rulesets/ruleset-registry.ts';
export type {
  AttemptFacts,
  Facts,
  RuleResult,
  Ruleset,
  TenantFacts,
  UserFacts,
  Verdict,
} from '../machines/vocabulary.ts';
// Test attestation: a root certificate, and signed metadata in the format of the FIDO Metadata Service.
export { AttestationAuthority, type AttestationAuthorityOptions } from './authenticators/attestation-authority.ts';
export {
  type MetadataBlob,
  type MetadataModel,
  type MetadataOptions,
  metadataBlob,
} from './authenticators/metadata-blob.ts';
// The configuration.
export { defineConfig, type NudgeLabConfig } from './cli/config.schema.ts';
export type { DriverEntry } from './cli/config-values.ts';
// State spaces: the reachable states of a machine and its invariants.
export type { CompiledMachine } from './compiled/compiled-machine.ts';
export type { Edge, ExploreOptions, Invariant, Model, Violation } from './compiled/model.ts';
export { completeAttempt, completeFacts } from './contract/attempt-facts.ts';
// Facts: completed with defaults and validated.
export { type AttemptPatch, factsSchema } from './contract/facts.schema.ts';
// Forecasts: the daily effect of a campaign on a tenant described by distributions.
export type { ForecastInput } from './contract/forecast.schema.ts';
export type {
  Band,
  ForecastDay,
  ForecastFigures,
  ForecastReport,
  PromptCounts,
} from './contract/forecast-report.ts';
export type { CoverageReport, RunReport, ScenarioResult, StepResult } from './contract/result.schema.ts';
export type { Expectation, Step } from './contract/scenario.schema.ts';
export type { PageName, StepKind } from './contract/step-names.ts';
export { defaultSandboxId } from './core/default-sandbox.ts';
export { type ErrorCode, NudgeLabError, type ValidationProblem } from './core/errors.ts';
export { type ForecastOptions, forecast } from './forecast/forecast-once.ts';
// Covering arrays: few rows that contain every combination of some parameters, and sign-ins as such parameters.
export { type ArrayJourney, arrayJourneys } from './generate/covering-arrays/array-journeys.ts';
export type {
  Constraint,
  CoveringArray,
  CoveringArrayOptions,
  Json,
  Parameter,
  TestRow,
  ValueCombination,
  VariableStrength,
} from './generate/covering-arrays/array-options.ts';
export { coveringArray } from './generate/covering-arrays/covering-array.ts';
// Tests of a machine: transition tours, coverage criteria, random walks and distinguishing sequences.
export {
  type CriterionOptions,
  type CriterionSuite,
  generateCriterionSuite,
} from './generate/criteria/coverage-criteria.ts';
export { type EligibilityReport, exploreEligibility } from './generate/exploration/eligibility.ts';
export { explore, exploreByReference, type StateSpaceCounts } from './generate/exploration/explore.ts';
export {
  CompiledProduct,
  type ExploredProduct,
  exploreProductByReference,
} from './generate/exploration/explore-product.ts';
export {
  type Action,
  eventsSent,
  type Move,
  type Product,
  type ProductInvariant,
  type Reading,
} from './generate/exploration/product.ts';
// Journeys with expected results, and their output formats.
export {
  type ExpectedStep,
  expectedScenario,
  type Journey,
  type ScenarioData,
  toScenario,
} from './generate/journey.ts';
export { type LifecycleAlphabet, lifecycleProduct } from './generate/models/lifecycle-product.ts';
export { type ControlView, controlView, type UserView, userView } from './generate/models/lifecycle-view.ts';
export { maskingFreeConstraints, signInArray } from './generate/models/sign-in-array.ts';
// Mutants: the mutation score of a suite, and the shortest event sequences that kill its survivors.
export type { StateProjection } from './generate/mutate/machine-difference.ts';
export { type MachineMutant, type MachineOperator, machineOperators } from './generate/mutate/machine-mutant.ts';
export { type ClassifiedMutant, type MutantsOptions, type MutantsReport, mutants } from './generate/mutate/mutants.ts';
export {
  type DistinguishingSequence,
  distinguishingSequences,
  productDistinguishingSequences,
  type SeparatedStates,
} from './generate/separation/distinguishing-sequences.ts';
export { type LifecycleSuite, lifecycleSuite } from './generate/suites/lifecycle-journeys.ts';
export {
  type CoverageCriterion,
  coverageCriteria,
  type GeneratedSuite,
  generatedSuite,
} from './generate/suites/suite.ts';
export {
  type RandomWalk,
  type RandomWalkOptions,
  randomProductWalk,
  randomWalk,
  type VisitedState,
} from './generate/tours/random-walk.ts';
export {
  type CoverOptions,
  createProductTour,
  type ProductTourOptions,
  type Tour,
  type TourOptions,
  transitionTour,
} from './generate/tours/transition-tour.ts';
export { scenarioYaml } from './generate/write/scenario-yaml.ts';
// Sandboxes and journal stores.
export type { JournalEntry } from './journal/journal-event.ts';
export type { JournalStore } from './journal/store.ts';
export { MemoryStore } from './journal/stores/memory.store.ts';
export { PostgresStore } from './journal/stores/postgres.store.ts';
export { SqliteStore } from './journal/stores/sqlite.store.ts';
export { planSandbox, Sandbox, type SandboxInput, type SandboxPlan } from './sandbox/sandbox.ts';
export { Sandboxes } from './sandbox/sandboxes.ts';
// Scenarios and drivers.
export type { Driver, DriverSession, Observation, ObservedNudgeStatus } from './scenario/driver.ts';
export { HttpDriver } from './scenario/drivers/http.driver.ts';
export { ModelDriver } from './scenario/drivers/model.driver.ts';
export { FixtureLibrary } from './scenario/fixture-library.ts';
export { type LoadedScenarios, loadScenarios } from './scenario/load.ts';
export { type RunOptions, runSuite, type Selection, selectScenarios, unsupportedSteps } from './scenario/run-suite.ts';
export type { Scenario } from './scenario/scenario.ts';
export { scenarioFiles } from './scenario/scenario-files.ts';
export { shippedFixturesFolder } from './scenario/shipped.ts';
// The mock server.
export { type RunningServer, type ServerOptions, startServer } from './server/start.ts';
export type { SandboxSetup } from './testing/given.ts';
// Sandboxes in the test's own process. Fixtures and matchers are in nudgelab/vitest and nudgelab/playwright.
export { createSandbox, type InProcessSandbox, type SignInTab } from './testing/in-process-sandbox.ts';
