import { join } from 'node:path';
import { type OwnRules, type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import { getPlatform } from '../../../machines/platform.ts';
import type { AttemptFacts, TenantFacts } from '../../../machines/vocabulary.ts';
import type { Comparison } from '../../contract/comparison.schema.ts';
import type { ImportManifest } from '../../contract/import-manifest.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { nameBrowser } from '../../journal/own-campaign-facts.ts';
import { decodeAttempt } from '../attempt-code.ts';
import { type DuckDbSession, fileLiteral } from '../import/duckdb-session.ts';
import { keptName, listKeptColumns } from '../import/kept-columns.ts';
import { checkKeptTexts } from './check-kept-texts.ts';
import { findSelectedUser } from './compare-import.ts';
import { type CompareOwnOptions, describeOwn, isPrompt } from './compare-own-journey.ts';
import { comparedRules } from './compared-rules.ts';
import { type Counted, createComparison } from './comparison-report.ts';
import { ComparisonTally } from './comparison-tally.ts';
import { DefaultedFacts, RecordedFacts } from './defaulted-facts.ts';
import type { KeptTexts } from './imported-own-facts.ts';
import { ImportedOwnHistory, type ImportedOwnVerdict } from './imported-own-history.ts';
import { OwnChanges } from './own-changes.ts';
import { OwnImportUsers } from './own-import-users.ts';
import { classifyNext, type NextSignIns } from './own-next-sign-in.ts';
import { hasColumn, readKnownMoments, readManifest } from './read-import.ts';
import { VerdictCodes } from './variant-evaluator.ts';

/** Options of a comparison of an import. Without a baseline, sign-ins without any campaign are the baseline. */
export type CompareOwnImportOptions = Omit<CompareOwnOptions, 'baseline'> & { readonly baseline: OwnRuleset | null };

/** Attempt of an import as its tables contain it. */
interface Row {
  readonly uid: number;
  readonly atMs: number;
  readonly code: number;
  readonly device: number;
  readonly moment: number;
  readonly texts: KeptTexts;
}

interface Side {
  readonly name: string;
  readonly history: ImportedOwnHistory;
  readonly recorded: RecordedFacts;
  readonly tally: ComparisonTally;
  readonly changes: OwnChanges;
  readonly defaulted: DefaultedFacts;
  readonly bits: Map<number, number>;
}

/**
 * Compares the sign-ins of an import under own rulesets, by folding them in order of time under each (OC50). All actions
 * are assumed because exports do not contain them, and only the sign-ins before them are certain. Facts are read from the
 * columns that the import has kept; other facts have their defaults.
 *
 * @param session - database
 * @param folder - folder of the import
 * @param options - baseline, variants and assumption
 * @returns the comparison
 * @throws `import-unrecognized`, `log-value-invalid` for a text that a fact does not allow, `usage-invalid` for facts of
 *   the tenant or of annotations that a variant does not allow, and `user-not-found`
 */
export async function compareOwnImport(
  session: DuckDbSession,
  folder: string,
  options: CompareOwnImportOptions,
): Promise<Comparison> {
  const manifest = await readManifest(folder);
  const users = await OwnImportUsers.read(session, folder);
  const table = fileLiteral(join(folder, 'attempts.parquet'));
  const rulesets = [...options.variants.map(({ ruleset }) => ruleset), ...(options.baseline ? [options.baseline] : [])];
  const columns = manifest.keptColumns ?? [];
  await checkKeptTexts(session, { folder, table, columns, users }, listKeptColumns(rulesets));
  const known = await readKnownMoments(folder);
  const user = await findSelectedUser(session, folder, options.user);
  const [span] = await session.rows(`SELECT min(t)::DOUBLE FROM ${table}`);
  const run = new OwnImportComparison(
    { manifest, users, known, startMs: Number(span?.[0] ?? 0) },
    { ...options, user },
  );
  const device = (await hasColumn(session, table, 'device')) ? 'device' : '0::INTEGER AS device';
  const moment = (await hasColumn(session, table, 'known')) ? 'known' : '0::INTEGER AS known';
  const kept = columns.map((_, index) => keptName(index));
  const order = ['t', 'uid', 'code', ...kept].join(', ');
  const selected = ['uid', 't::DOUBLE', 'code', device, moment, ...kept].join(', ');
  for await (const chunk of session.chunks(`SELECT ${selected} FROM ${table} ORDER BY ${order}`)) {
    const [uids, times, codes, devices, moments] = [0, 1, 2, 3, 4].map((column) => chunk.numbers(column));
    for (let row = 0; row < chunk.rowCount; row += 1) {
      run.add({
        uid: uids?.[row] as number,
        atMs: times?.[row] as number,
        code: codes?.[row] as number,
        device: devices?.[row] as number,
        moment: moments?.[row] as number,
        texts: kept.map((_, index) => chunk.value(index + 5, row) as string | null),
      });
    }
  }
  return run.end(folder);
}

/** What a comparison reads from an import before its attempts. */
interface ImportedParts {
  readonly manifest: ImportManifest;
  readonly users: OwnImportUsers;
  readonly known: Awaited<ReturnType<typeof readKnownMoments>>;
  /** Time of the first attempt, 0 without attempts. */
  readonly startMs: number;
}

class OwnImportComparison {
  readonly #parts: ImportedParts;
  readonly #options: CompareOwnImportOptions;
  readonly #codes = new VerdictCodes();
  readonly #base: ImportedOwnHistory;
  readonly #sides: readonly Side[];
  readonly #places = new Map<number, number>();
  readonly #tenants: readonly { readonly fromMs: number; readonly tenant: TenantFacts }[];
  #tenantsBegun = 0;
  /** Index of the tenant's facts in the latest annotation; -1 without one. */
  #annotated = -1;
  #attempts = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ImportedParts, options: CompareOwnImportOptions) {
    this.#parts = parts;
    this.#options = options;
    const { manifest, startMs } = parts;
    const [first, ...later] = manifest.policies;
    this.#tenants = later.map(({ fromMs, tenant }) => ({ fromMs: fromMs ?? Number.NEGATIVE_INFINITY, tenant }));
    const columns = (manifest.keptColumns ?? []).map((column) =>
      manifest.report.columns[`rulesets.${column}`] === null ? null : column,
    );
    const open = (ruleset: OwnRuleset, recorded: RecordedFacts): ImportedOwnHistory => {
      for (const { tenant } of manifest.policies) recorded.check({ tenant });
      return new ImportedOwnHistory(ruleset, { tenant: first?.tenant as TenantFacts, columns, startMs }, recorded);
    };
    const [variant] = options.variants;
    if (variant === undefined) throw new RangeError('A comparison without a variant was not rejected.');
    const baseline = options.baseline ?? withoutCampaign(variant.ruleset);
    this.#base = open(baseline, new RecordedFacts(baseline));
    this.#sides = options.variants.map(({ name, ruleset }) => {
      const recorded = new RecordedFacts(ruleset);
      return {
        name,
        recorded,
        history: open(ruleset, recorded),
        tally: new ComparisonTally(this.#codes),
        changes: new OwnChanges(),
        defaulted: new DefaultedFacts(ruleset, { tenant: {}, user: {}, attempt: {} }, true),
        bits: new Map(),
      };
    });
  }

  /** Counts an attempt. Attempts must be in order of time. */
  add(row: Row): void {
    const { uid, atMs } = row;
    this.#attempts += 1;
    this.#lastMs = atMs;
    this.#beginTenants(row);
    const signIn = this.#createSignIn(row);
    const base = this.#base.signIn(signIn, atMs);
    const before = this.#codes.getCode(base.verdict);
    for (const side of this.#sides) {
      const variant = side.history.signIn(signIn, atMs);
      this.#compare(side, uid, base, { before, variant });
      if (!isPrompt(variant.verdict)) continue;
      side.tally.answers.assumed += 1;
      side.history.act(this.#options.assumedAction, variant);
    }
    if (isPrompt(base.verdict)) this.#base.act(this.#options.assumedAction, base);
  }

  /** Begins the policies up to the time of an attempt, or that of its annotation. */
  #beginTenants({ atMs, moment }: Row): void {
    const { known } = this.#parts;
    for (let next = this.#tenants[this.#tenantsBegun]; next !== undefined && next.fromMs <= atMs; ) {
      this.#changeTenant(next.tenant, Math.max(next.fromMs, this.#parts.startMs));
      this.#tenantsBegun += 1;
      next = this.#tenants[this.#tenantsBegun];
    }
    const index = known.moments[moment - 1]?.tenant ?? -1;
    const tenant = known.tenants[index];
    if (tenant === undefined || index === this.#annotated) return;
    this.#annotated = index;
    for (const { recorded } of this.#sides) recorded.check({ tenant });
    this.#changeTenant(tenant, atMs);
  }

  #changeTenant(tenant: TenantFacts, atMs: number): void {
    for (const history of this.#histories()) history.changeTenant(tenant, atMs);
  }

  #histories(): readonly ImportedOwnHistory[] {
    return [this.#base, ...this.#sides.map(({ history }) => history)];
  }

  #createSignIn({ uid, atMs, code, device, moment, texts }: Row): Parameters<ImportedOwnHistory['signIn']>[0] {
    const user = this.#parts.users.get(uid);
    const known = this.#parts.known.moments[moment - 1];
    const place = (this.#places.get(uid) ?? 0) + 1;
    this.#places.set(uid, place);
    const { id } = user.facts;
    const attempt: AttemptFacts = {
      ...decodeAttempt(code),
      nowMs: atMs,
      // A device without an id is one of its own for each user, so users do not share its ledgers.
      deviceId: device === 0 ? `unnamed device of ${id}` : `device-${device}`,
      ...(known?.attempt === undefined ? {} : { facts: known.attempt }),
    };
    const number = `sign-in-${this.#attempts}`;
    return {
      user,
      attempt,
      texts,
      known: known === undefined ? null : { user: known.user, moment },
      session: {
        id: `${id}#${place}`,
        drawId: number,
        kind: 'signIn',
        sessionId: `session-${number}`,
        browserId: nameBrowser(attempt),
      },
    };
  }

  #compare(
    side: Side,
    uid: number,
    base: ImportedOwnVerdict,
    { before, variant }: { readonly before: number; readonly variant: ImportedOwnVerdict },
  ): void {
    const { input, given, verdict } = variant;
    const { attempt, user } = input.facts;
    side.defaulted.add(input, given);
    const after = this.#codes.getCode(verdict);
    const certain = !(base.isAssumed || variant.isAssumed);
    const platform = getPlatform(attempt);
    side.tally.add({ before, after, certain, platform, atMs: attempt.nowMs, groups: user.groups });
    side.bits.set(uid, (side.bits.get(uid) ?? 0) | side.tally.getChange(before, after));
    side.changes.add(user.id, this.#codes.side(before), this.#codes.side(after), certain);
    const { see, user: only } = this.#options;
    if (see === undefined || (only === undefined ? before === after : only !== user.id)) return;
    see({
      variant: side.name,
      user: user.id,
      attempt: attempt.id,
      at: toInstant(attempt.nowMs),
      platform,
      before: this.#codes.side(before),
      after: this.#codes.side(after),
      changed: before !== after,
      certain,
      answer: isPrompt(verdict) ? 'assumed' : 'none',
      ...(only === undefined ? {} : { rules: comparedRules(base.verdict, verdict) }),
    });
  }

  /** Returns the comparison after all attempts are counted. */
  end(source: string): Comparison {
    const { report } = this.#parts.manifest;
    for (const history of this.#histories()) history.settle(this.#lastMs);
    return createComparison(
      {
        source,
        kind: 'import',
        from: report.from,
        to: report.to,
        attempts: this.#attempts,
        users: this.#parts.users.size,
        assumedAction: this.#options.assumedAction,
        baseRuleset: this.#options.baseline === null ? 'no campaign' : describeOwn(this.#options.baseline),
      },
      this.#options.baseline === null ? new Map() : listMissing(this.#base),
      this.#sides.map((side) => this.#close(side)),
    );
  }

  #close({ name, history, tally, changes, defaulted, bits }: Side): Counted {
    const { users } = this.#parts;
    for (let uid = 0; uid < users.size; uid += 1) tally.addUser(bits.get(uid) ?? 0);
    const now = this.#countNext(history, this.#base);
    const throughout = this.#countNext(history, history);
    return {
      name,
      ruleset: { id: describeOwn(history.ruleset) },
      tally,
      warnings: listMissing(history),
      requiredAtNextSignIn: { ifAppliedNow: now.required, ifAppliedThroughout: throughout.required },
      own: {
        ...changes.report(),
        blockedAtNextSignIn: { ifAppliedNow: now.blocked, ifAppliedThroughout: throughout.blocked },
        defaults: defaulted.report(),
      },
    };
  }

  #countNext(history: ImportedOwnHistory, current: ImportedOwnHistory): NextSignIns {
    const counts = { required: 0, stillSnoozing: 0, blocked: 0 };
    for (const input of history.listNextInputs(current, this.#lastMs)) {
      const next = classifyNext(history.ruleset, input);
      if (next !== null) counts[next] += 1;
    }
    const { required, stillSnoozing, blocked } = counts;
    return { required: { users: required, stillSnoozing }, blocked };
  }
}

/** Returns a campaign that reaches no sign-in, as the baseline of a comparison with a single ruleset. */
function withoutCampaign(ruleset: OwnRuleset): OwnRuleset {
  const rollout: OwnRules['rollout'] = { percent: { constant: 0 }, by: 'user', salt: null, steps: [], variants: [] };
  const rules: OwnRules = { ...rulesAt({ ...ruleset, editions: [] }, 0), gates: ['X.rollout'], rollout, resets: [] };
  return { ...ruleset, id: 'no-campaign', first: rules, editions: [] };
}

/** Returns a warning for the facts of a ruleset whose columns the import does not have. */
function listMissing({ facts: { missing } }: ImportedOwnHistory): ReadonlyMap<string, string> {
  if (missing.length === 0) return new Map();
  const names = missing.map(({ path, column }) => `${path} (column ${column})`).join(', ');
  const message = `The import does not have the columns of these facts, which have their defaults: ${names}. Import the log with --ruleset to keep them.`;
  return new Map([['column-missing', message]]);
}
