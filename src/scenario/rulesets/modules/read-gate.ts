import { basename } from 'node:path';
import { z } from 'zod';
import type { FactValue, ModuleGate, OwnGateOutcome } from '../../../../machines/own/own-ruleset.ts';
import type { GateResult } from '../../../contract/gate.ts';
import { listProblems } from '../../../contract/parse.ts';
import { gateIdPattern } from '../../../contract/ruleset.schema.ts';
import { reasonCodePattern } from '../../../contract/ruleset-values.schema.ts';
import { fitsType } from '../../../contract/ruleset-values.ts';
import { computeSha256 } from '../../../core/digest.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { suggestName } from '../../../core/nearest-name.ts';
import type { Path } from '../ruleset-fault.ts';
import { GateFacts } from './gate-facts.ts';
import { findModule } from './gate-folder.ts';
import { loadModule } from './load-module.ts';
import type { GatePlace, ModuleReader, WrittenModuleGate } from './module-reader.ts';

const values = z.union([z.boolean(), z.number(), z.string(), z.array(z.string()).readonly(), z.null()]);

/** Shape of a gate's definition, which JavaScript modules do not check. */
const definitionSchema = z.strictObject({
  id: z.string().regex(gateIdPattern, 'must be an upper-case letter, then letters, digits or dots'),
  summary: z.string().min(1).max(300),
  source: z.array(z.string().min(1).max(300)).default([]),
  appliesTo: z.string().default('both'),
  reads: z.array(z.string()).min(1, 'is empty; list the paths of the facts that the gate reads').max(64),
  reasons: z
    .record(z.string().regex(reasonCodePattern, 'must be a code in lower case'), z.string().min(1).max(2_000))
    .refine((reasons) => Object.keys(reasons).length > 0, 'must have at least one reason'),
  samples: z.record(z.string(), z.array(values).min(1).max(64)).default({}),
  schema: z
    .custom<{ safeParse(value: unknown): z.ZodSafeParseResult<unknown> }>(
      (schema) => typeof schema === 'object' && schema !== null && 'safeParse' in schema,
      'must be a schema of zod',
    )
    .optional(),
  judge: z.custom<(facts: object, settings: unknown) => unknown>(
    (judge) => typeof judge === 'function',
    'must be a function of facts and settings',
  ),
});
type Definition = z.output<typeof definitionSchema>;

const outcomeSchema = z.union([
  z.strictObject({ outcome: z.enum(['met', 'not-applicable']), saw: z.record(z.string(), values) }),
  z.strictObject({ outcome: z.literal('stopped'), reason: z.string(), saw: z.record(z.string(), values) }),
]);

/** Reader that loads the modules beside or below a ruleset file. */
export class ModuleFolder implements ModuleReader {
  readonly #rulesetPath: string;

  /** Creates a reader for the modules of a ruleset file. */
  constructor(rulesetPath: string) {
    this.#rulesetPath = rulesetPath;
  }

  read(written: WrittenModuleGate, at: Path, place: GatePlace): ModuleGate | null {
    const { faults } = place.scope;
    const fail = (message: string, key = 'module'): null => {
      faults.add('RS34', [...at, key], message);
      return null;
    };
    const source = findModule(this.#rulesetPath, written.module);
    if ('message' in source) return fail(source.message);
    const digest = computeSha256(source.text);
    const loaded = tryTo(() => loadModule(source.path, digest));
    if ('message' in loaded) return fail(`the module cannot be loaded: ${loaded.message}`);
    const { default: given } = loaded.value.exports;
    if (typeof given !== 'object' || given === null || !('judge' in given)) {
      return fail('the module has no gate as its default export; write export default defineGate({ … })');
    }
    const read = definitionSchema.safeParse(given);
    if (!read.success) {
      const problems = describeProblems(definitionSchema, read.error, given);
      return fail(`the gate of the module has faults: ${problems.join('; ')}`);
    }
    const definition = read.data;
    if (definition.id !== written.id) {
      return fail(`the gate of the module has the id "${definition.id}"; write id: ${definition.id}`, 'id');
    }
    const problem = describeProblem(definition, place);
    if (problem !== null) return fail(problem);
    const settings = readSettings(definition, written.with);
    if ('message' in settings) {
      return fail(settings.message, written.with === undefined ? 'module' : 'with');
    }
    return createGate({ module: written.module, ruleset: place.ruleset }, definition, settings.value, {
      digest,
      impure: loaded.value.impure,
      literals: listLiterals(source.text),
    });
  }
}

/** Result of a task, or the message of its error. */
type Tried<T> = { readonly value: T } | { readonly message: string };

function tryTo<T>(task: () => T): Tried<T> {
  try {
    return { value: task() };
  } catch (error) {
    return { message: describeCause(error) };
  }
}

function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ERR_REQUIRE_ASYNC_MODULE') {
    return 'it uses await outside functions; load what it needs without waiting';
  }
  return `${error.name}${describeSyntaxPlace(error)}: ${error.message}`;
}

/** Returns the line and the file of a syntax error, which are at the start of its stack only; else an empty text. */
function describeSyntaxPlace(error: Error): string {
  if (error.name !== 'SyntaxError') return '';
  const [path = '', line] = /^([^\n]+):(\d+)\n/.exec(error.stack ?? '')?.slice(1) ?? [];
  return line === undefined ? '' : ` at line ${line} of ${basename(path.replace(/\?gate=\w+$/, ''))}`;
}

/** Describes the faults of a value by their paths, such as `reads is missing; must be a list`. */
function describeProblems(schema: z.ZodType, error: z.ZodError, value: unknown): readonly string[] {
  const problems = listProblems(schema, error, value, '');
  return error.issues.map((issue, index) => {
    const isGeneral = issue.message.startsWith('Invalid') || issue.code === 'unrecognized_keys';
    const message = isGeneral ? (problems[index]?.message ?? issue.message) : issue.message;
    return `${issue.path.map(String).join('.')} ${lowerFirst(message)}`.trimStart();
  });
}

/** Returns what is wrong with the paths, values and methods that a gate names, or `null`. */
function describeProblem({ reads, samples, appliesTo }: Definition, { scope, methodIds }: GatePlace): string | null {
  for (const path of reads) {
    if (scope.findType(path) === null) {
      return `reads: no fact has the path "${path}"${suggestName(path, scope.paths) || '; declare it under facts'}`;
    }
  }
  for (const [path, list] of Object.entries(samples)) {
    if (!reads.includes(path)) return `samples: reads does not list "${path}"${suggestName(path, reads)}`;
    const type = scope.findType(path);
    const wrong = list.find((value) => type !== null && !fitsType(value, type));
    if (wrong !== undefined)
      return `samples: ${JSON.stringify(wrong)} is no value of "${path}", which is ${type?.type}`;
  }
  if (appliesTo !== 'both' && !methodIds.includes(appliesTo)) {
    return `appliesTo: no method has the id "${appliesTo}"; write both, or one of ${methodIds.join(', ')}`;
  }
  return null;
}

function readSettings({ schema }: Definition, written: unknown): Tried<unknown> {
  if (schema === undefined) return { value: freeze(structuredClone(written ?? {})) };
  const parsed = tryTo(() => schema.safeParse(written ?? {}));
  if ('message' in parsed) return { message: `the schema of the module failed: ${parsed.message}` };
  if (parsed.value.success) return { value: freeze(parsed.value.data) };
  const problems = parsed.value.error.issues.map(({ path, message }) =>
    path.length === 0 ? lowerFirst(message) : `${path.map(String).join('.')}: ${lowerFirst(message)}`,
  );
  return { message: `does not fit the schema of the module: ${problems.join('; ')}` };
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** What is known of the source of a gate. */
interface GateSource {
  readonly digest: string;
  readonly impure: readonly string[];
  readonly literals: readonly string[];
}

/** Maximum number of texts of a source that a check tries as values. */
const literalsMax = 64;

/** Returns the texts that a source contains in quotation marks: those that a module can compare a fact with. */
function listLiterals(source: string): readonly string[] {
  const found = [...source.matchAll(/'([^'\\\n]{1,64})'|"([^"\\\n]{1,64})"|`([^`$\\\n]{1,64})`/g)];
  return [...new Set(found.map(([, single, double, back]) => single ?? double ?? back ?? ''))].slice(0, literalsMax);
}

/** Gate of a module with what the check of the ruleset needs to know of its source. */
export interface LoadedGate extends ModuleGate {
  readonly impure: readonly string[];
  /** Texts of the source, which text facts are tried with. */
  readonly literals: readonly string[];
}

/** What the errors of a gate name besides its id. */
interface GateOrigin {
  /** Path of the module as the ruleset states it. */
  readonly module: string;
  readonly ruleset: string;
}

function createGate(
  origin: GateOrigin,
  definition: Definition,
  settings: unknown,
  { digest, impure, literals }: GateSource,
): LoadedGate {
  const { id, summary, source, appliesTo, reads, reasons, samples } = definition;
  const { module } = origin;
  const gate = { id, summary, source, module, appliesTo, reads, reasons, samples, with: settings, digest };
  return { ...gate, impure, literals, evaluate: (read) => evaluate(definition, settings, origin, read) };
}

/**
 * Evaluates a module on a frozen copy of the facts that it declares.
 *
 * @throws NudgeLabError `gate-read-undeclared`, even if the module caught it; `gate-failed` for everything else
 */
function evaluate(
  { id, reads, reasons, judge }: Definition,
  settings: unknown,
  { module, ruleset }: GateOrigin,
  read: (path: string) => FactValue,
): OwnGateOutcome {
  const named = `The gate ${id} (${module}) of the ruleset ${ruleset}`;
  const fail = (what: string, cause?: unknown): NudgeLabError =>
    new NudgeLabError('gate-failed', {
      message: `${named} ${what}.`,
      publicMessage: `The gate ${id} of the ruleset ${ruleset} failed.`,
      cause,
    });
  const undeclared = (path: string): NudgeLabError =>
    new NudgeLabError('gate-read-undeclared', {
      message: `${named} reads "${path}", which its reads does not list.`,
      publicMessage: `The gate ${id} of the ruleset ${ruleset} reads a fact that it does not declare.`,
    });
  const view = new GateFacts(reads, read, undeclared);
  let given: unknown;
  try {
    given = judge(view.facts, settings);
  } catch (error) {
    const [path] = view.undeclared;
    throw path === undefined ? fail(`failed: ${describeCause(error)}`, error) : undeclared(path);
  }
  const [path] = view.undeclared;
  if (path !== undefined) throw undeclared(path);
  const outcome = outcomeSchema.safeParse(given);
  if (!outcome.success) {
    const kind = given instanceof Promise ? 'a promise' : 'no outcome';
    throw fail(`returned ${kind}; return met, stopped or notApplicable with the evaluated values`);
  }
  const result: GateResult = outcome.data;
  if (result.outcome === 'stopped' && !Object.hasOwn(reasons, result.reason)) {
    throw fail(`stopped with "${result.reason}", which its reasons does not list`);
  }
  return result;
}
