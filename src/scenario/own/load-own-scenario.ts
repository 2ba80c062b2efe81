import { dirname, relative, resolve } from 'node:path';
import type { z } from 'zod';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import {
  type OwnStepKind,
  ownExpectSchema,
  ownScenarioHeadSchema,
  ownStepSchemas,
} from '../../contract/own-scenario.schema.ts';
import { listProblems } from '../../contract/parse.ts';
import { parseInstant } from '../../core/clock.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { describeUnknownName, suggestName } from '../../core/nearest-name.ts';
import { ProblemList } from '../../core/problem-list.ts';
import { substituteExample } from '../examples.ts';
import type { AnyRuleset } from '../rulesets/read-ruleset.ts';
import { readAnyFile } from '../rulesets/read-ruleset-file.ts';
import type { Scenario } from '../scenario.ts';
import type { ScenarioSource } from '../scenario-source.ts';
import { listDefaults, readDeclared } from './declared-values.ts';
import type { OwnScenarioPlan, OwnStep } from './own-scenario.ts';

/** Scenario of a ruleset file before it has the keys that all scenarios share. */
export type OwnScenario = Pick<Scenario, 'name' | 'covers' | 'tags' | 'timeoutMs'> & { readonly own: OwnScenarioPlan };

/**
 * Reads the ruleset file that a scenario names, relative to the scenario.
 *
 * @throws NudgeLabError `scenario-invalid` with every fault of the ruleset file
 */
export function readScenarioRuleset(
  scenarioPath: string,
  written: string,
  source: ScenarioSource,
): { readonly read: AnyRuleset; readonly displayPath: string } {
  const path = resolve(dirname(scenarioPath), written);
  const display = relative('.', resolve(dirname(source.file), written));
  let result: ReturnType<typeof readAnyFile>;
  try {
    result = readAnyFile(path, display);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalid([{ location: source.place(['ruleset']), message: `ruleset: ${written} cannot be read: ${reason}` }]);
  }
  if (result.read !== null) return { read: result.read, displayPath: display };
  const faults = result.faults.filter(({ severity }) => severity === 'fault');
  throw invalid(
    faults.map(({ code, location, path: key, message }) => ({
      location,
      message: key === '' ? `${code} ${message}` : `${code} ${key}: ${message}`,
    })),
  );
}

/**
 * Builds one scenario of a ruleset file, with one row of its examples or `null`, and with settings that apply where the
 * tenant does not set them.
 */
export function buildOwnScenario(
  source: ScenarioSource,
  row: unknown,
  ruleset: OwnRuleset,
  chosenSettings: Readonly<Record<string, unknown>> = {},
): OwnScenario {
  const data = substituteExample(source, row);
  const wrong = new ProblemList();
  const head = wrong.attempt(() => parseAt(ownScenarioHeadSchema, data, source, []));
  const list = head?.steps ?? [];
  const userIds = Object.keys(head?.given.users ?? {});
  const steps = list.flatMap((step, index) => wrong.attempt(() => parseStep(step, index, source, userIds)) ?? []);
  const nowMs = parseInstant(head?.clock ?? '') ?? 0;
  const given =
    head === undefined
      ? undefined
      : wrong.attempt(() => readGiven(head.given, ruleset, { nowMs, chosenSettings }, source));
  if (steps.length > 0 && steps.length === list.length && steps.every((step) => step.expect === null)) {
    wrong.attempt(() => {
      throw invalid([{ location: source.place(['steps']), message: 'a scenario must have at least one expect' }]);
    });
  }
  if (head === undefined || given === undefined || wrong.problems.length > 0) throw invalid(wrong.problems);
  const { name, tags, timeoutMs } = head;
  return {
    name: row === null ? name : `${name} (${JSON.stringify(row)})`,
    covers: [],
    tags,
    timeoutMs,
    own: { ruleset, nowMs, steps, ...given },
  };
}

function readGiven(
  { tenant, users }: z.output<typeof ownScenarioHeadSchema>['given'],
  { facts, first }: OwnRuleset,
  { nowMs, chosenSettings }: { readonly nowMs: number; readonly chosenSettings: Readonly<Record<string, unknown>> },
  source: ScenarioSource,
): Pick<OwnScenarioPlan, 'tenant' | 'users'> {
  const wrong = new ProblemList();
  const read = (
    written: Readonly<Record<string, unknown>>,
    definitions: typeof first.settings,
    path: readonly string[],
  ) =>
    wrong.attempt(() => {
      try {
        return { ...listDefaults(definitions), ...readDeclared(written, definitions, path.join('.')) };
      } catch (error) {
        if (!(error instanceof NudgeLabError)) throw error;
        throw invalid(
          error.problems.map(({ location, message }) => ({
            location: source.place(path),
            message: `${location}: ${message}`,
          })),
        );
      }
    }) ?? {};
  const tenantFacts = read(tenant.facts, facts.tenant, ['given', 'tenant', 'facts']);
  const settings = read({ ...chosenSettings, ...tenant.settings }, first.settings, ['given', 'tenant', 'settings']);
  const list = Object.entries(users).map(([id, { createdAt, facts: written, ...fixed }]) => {
    const createdAtMs = createdAt === undefined ? nowMs : parseInstant(createdAt);
    if (createdAtMs === null) {
      wrong.attempt(() => {
        const location = source.place(['given', 'users', id, 'createdAt']);
        throw invalid([
          { location, message: `given.users.${id}.createdAt: ${JSON.stringify(createdAt)} is no instant` },
        ]);
      });
    }
    const values = read(written, facts.user, ['given', 'users', id, 'facts']);
    return { user: { id, ...fixed, facts: values }, createdAtMs: createdAtMs ?? nowMs };
  });
  if (wrong.problems.length > 0) throw invalid(wrong.problems);
  const { id, subscription } = tenant;
  return { tenant: { id, subscription, facts: tenantFacts, settings }, users: list };
}

const ownStepKinds = Object.keys(ownStepSchemas) as readonly OwnStepKind[];

function parseStep(step: unknown, index: number, source: ScenarioSource, userIds: readonly string[]): OwnStep {
  const path = ['steps', index];
  const location = source.place(path);
  if (!isPlainObject(step))
    throw invalid([{ location, message: `a step must be a mapping with one of ${ownStepKinds.join(', ')}` }]);
  const { expect, ...verbs } = step;
  const [written = '', ...others] = Object.keys(verbs);
  const kind = ownStepKinds.find((one) => one === written);
  if (kind === undefined || others.length > 0) {
    const message = `a step with a ruleset file must have exactly one of ${ownStepKinds.join(', ')}${suggestName(written, ownStepKinds)}`;
    throw invalid([{ location, message }]);
  }
  const wrong = new ProblemList();
  const say = wrong.attempt(() => parseAt<z.ZodType>(ownStepSchemas[kind], verbs[kind], source, [...path, kind]));
  const expected = wrong.attempt(() =>
    expect === undefined ? null : parseAt(ownExpectSchema, expect, source, [...path, 'expect']),
  );
  if (isPlainObject(say) && typeof say['user'] === 'string' && !userIds.includes(say['user'])) {
    const message = `user ${describeUnknownName(say['user'], userIds)}`;
    wrong.attempt(() => {
      throw invalid([{ location, message }]);
    });
  }
  if (wrong.problems.length > 0) throw invalid(wrong.problems);
  return { kind, say: say ?? {}, expect: expected, line: source.position([...path, kind]).line } as OwnStep;
}

function parseAt<S extends z.ZodType>(
  schema: S,
  value: unknown,
  source: ScenarioSource,
  path: readonly PropertyKey[],
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const messages = listProblems(schema, result.error, value, '');
  throw invalid(
    result.error.issues.map((issue, index) => {
      const at = [...path, ...issue.path];
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
      const where = at.length === 0 ? '' : `${at.map(String).join('.')}: `;
      return {
        location: unknown === undefined ? source.place(at) : source.keyPlace([...at, unknown]),
        message: `${where}${messages[index]?.message ?? issue.message}`,
      };
    }),
  );
}

function invalid(problems: readonly ValidationProblem[]): NudgeLabError {
  return new NudgeLabError('scenario-invalid', { problems });
}
