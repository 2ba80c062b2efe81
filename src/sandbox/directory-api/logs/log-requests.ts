import { appliedPolicyPermissions } from '../../../contract/directory-api/access.ts';
import type { DirectoryApiOperation } from '../../../contract/directory-api/directory-api-operations.ts';
import { resourceTypes } from '../../../contract/directory-api/resource-types.ts';
import type { QueryOptions } from '../../../contract/odata/query-options.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { pageTestedRowsMax } from '../../../core/limits.ts';
import { LruMap } from '../../../core/lru-map.ts';
import { TimeSlices } from '../../../core/time-slices.ts';
import type { Recorder } from '../../recorder.ts';
import type { StoredSecret } from '../../stored-secret.ts';
import type { Caller } from '../../token-service.ts';
import type { DirectoryApiResponse } from '../directory-exchange.ts';
import type { DirectoryStates } from '../directory-states.ts';
import type { DirectoryView } from '../directory-view.ts';
import { createFilterTest } from '../filter-test.ts';
import { type IdForms, withIdForms } from '../resource-list.ts';
import type { ResourceResponse } from '../resource-response.ts';
import type { AnyResourceSet } from '../resource-set.ts';
import type { IdKind } from '../wire-ids.ts';
import { ActivityLog, type LogIndex } from './activity-log.ts';
import { type AuditRow, readAuditRow } from './audit-rows.ts';
import { namesSilentSignIns, narrowWindow, type TimeWindow } from './log-filter.ts';
import { LogTokens } from './log-tokens.ts';
import { type LogPosition, type LogRange, type LogRow, walkLog } from './log-walk.ts';
import { annotateSignIn, isInteractive, listShownLeads, readSignInRow, splitSignIn } from './sign-in-rows.ts';

/** Operations of the logs. */
const logOperations = ['listSignIns', 'getSignIn', 'listDirectoryAudits', 'getDirectoryAudit'] as const;
export type LogOperationId = (typeof logOperations)[number];

/** Request to a log after its path, access and options were checked. */
export interface LogCall {
  readonly operation: DirectoryApiOperation;
  readonly params: Readonly<Record<string, string>>;
  readonly options: QueryOptions;
  readonly caller: Pick<Caller, 'permissions'>;
  /** Identifies the list with its filter and order. */
  readonly listKey: string;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Number of days that logs contain without a setting. */
const retentionDays = { paid: 30, free: 7, trial: 7 } as const;

/** Number of records that a page remembers, because the rows of one record can be apart. */
const recentRecordsMax = 64;

/** Log with its rows. */
interface Log {
  readonly range: Omit<LogRange, 'isDescending' | 'after' | keyof TimeWindow>;
  /** Returns the shown rows of a record. */
  readonly split: (index: number) => readonly LogRow[];
  readonly set: Omit<AnyResourceSet, 'rows'>;
  readonly timePath: string;
  readonly idForms: IdForms;
  /** Returns the indexes of the records that can have a row with an id in responses. */
  readonly findRecords: (id: string) => Promise<readonly number[]>;
}

/** Page to read from a log. */
interface PageQuery {
  readonly options: QueryOptions;
  readonly view: DirectoryView;
  /** Position of the last row before the page, or `null` for the first page. */
  readonly after: LogPosition | null;
  readonly size: number;
  readonly write: (row: LogRow) => string;
}

/** Written rows of a page, and the position after which the next one starts, or `null` after the last page. */
interface PageRows {
  readonly rows: readonly string[];
  readonly last: LogPosition | null;
}

/** Returns `true` for an operation of the logs. */
export function isLogOperation(id: string): id is LogOperationId {
  return logOperations.some((one) => one === id);
}

/**
 * Sign-in log and audit log of the directory API. Each page is read from the records by itself, so a list of any length
 * needs no more memory than one page.
 */
export class LogRequests {
  readonly #recorder: Recorder;
  readonly #states: DirectoryStates;
  readonly #tokens: LogTokens;
  readonly #log: ActivityLog;

  constructor(
    recorder: Recorder,
    { states, secret }: { readonly states: DirectoryStates; readonly secret: StoredSecret },
  ) {
    this.#recorder = recorder;
    this.#states = states;
    this.#tokens = new LogTokens(secret);
    this.#log = new ActivityLog(recorder);
  }

  /** Returns a page of a log, or one row. Throws `bad-request` for an invalid page token, and `not-found`. */
  async answer(call: LogCall, response: ResourceResponse): Promise<DirectoryApiResponse> {
    const { options, operation, listKey } = call;
    const after = options.skiptoken === null ? null : await this.#tokens.read(options.skiptoken, listKey);
    if (after !== null) await this.#states.requireHistory(after.seq);
    const index = await this.#log.read();
    const view = this.#states.current();
    const seq = after?.seq ?? view.seq;
    const log = this.#describe(index, { call, view, seq });
    if (operation.result === 'object') return response.single(await this.#findOne(log, call, view));
    const size = response.pageSize(operation.row.page, 0);
    const set = { ...log.set, rows: [] };
    const write = response.createWriter(set);
    const { rows, last } = await this.#readPage(log, { options, view, after, size, write });
    const token = last === null ? null : await this.#tokens.sign({ ...last, seq }, listKey);
    return response.rows(set, rows, { token, page: operation.row.page });
  }

  #describe(
    { signIns, syntheticSignIns: past, audits, signInIds, auditIds }: LogIndex,
    { call, view, seq }: { readonly call: LogCall; readonly view: DirectoryView; readonly seq: number },
  ): Log {
    const toForms = (kind: IdKind) => (id: string) => [view.wireIds.compute(kind, id)];
    if (call.operation.types[0] === 'signIn') {
      const context = {
        view,
        showsPolicies: appliedPolicyPermissions.some((one) => call.caller.permissions.includes(one)),
      };
      const addsFirstSteps = view.settings.signInRows === 'real';
      const showsSilent = call.operation.result === 'object' || namesSilentSignIns(call.options.filter);
      return {
        range: {
          runs: [...(past === null ? [] : [past.run]), ...signIns.records.runs],
          length: signIns.records.countUpTo(seq),
          leadsMs: listShownLeads(addsFirstSteps),
          getTime: (index) => (past !== null && index < 0 ? past.getTime(index) : signIns.records.getTime(index)),
        },
        split: (index) => {
          const signIn = past !== null && index < 0 ? past.read(index) : signIns.read(index, seq);
          return showsSilent || isInteractive(signIn) ? splitSignIn(signIn, index, addsFirstSteps) : [];
        },
        set: {
          entitySet: 'auditLogs/signIns',
          types: [resourceTypes.signIn],
          getType: () => resourceTypes.signIn,
          order: [],
          read: (row, name) => readSignInRow(row, name, context),
          annotate: annotateSignIn,
        },
        timePath: 'createdDateTime',
        findRecords: async (id) => {
          const synthetic = past?.findIndex(id.toLowerCase()) ?? null;
          return [...(synthetic === null ? [] : [synthetic]), ...(await signInIds[view.wireIds.form].find(id))];
        },
        idForms: {
          id: toForms('sign-in'),
          userId: toForms('user'),
          appId: toForms('client'),
          correlationId: toForms('correlation'),
          originalRequestId: toForms('request'),
        },
      };
    }
    return {
      range: {
        runs: audits.records.runs,
        length: audits.records.countUpTo(seq),
        leadsMs: [0],
        getTime: audits.records.getTime,
      },
      split: (index): readonly AuditRow[] => {
        const change = audits.read(index);
        return [{ atMs: change.atMs, index, change }];
      },
      set: {
        entitySet: 'auditLogs/directoryAudits',
        types: [resourceTypes.directoryAudit],
        getType: () => resourceTypes.directoryAudit,
        order: [],
        read: (row, name) => readAuditRow(row, name, view),
      },
      timePath: 'activityDateTime',
      findRecords: (id) => auditIds[view.wireIds.form].find(id),
      idForms: {
        id: toForms('audit'),
        correlationId: toForms('correlation'),
        'initiatedBy/user/id': toForms('user'),
        'initiatedBy/app/appId': toForms('client'),
        'targetResources/id': (id) => [...toForms('user')(id), ...toForms('group')(id)],
      },
    };
  }

  /**
   * Returns a page of the rows that a query selects, and its last position if the list continues. A page ends early,
   * possibly without a row, when many positions were visited.
   */
  async #readPage(
    { range, split, set, timePath, idForms }: Log,
    { options, view, after, size, write }: PageQuery,
  ): Promise<PageRows> {
    const { filter, orderby } = options;
    const isDescending = orderby[0]?.descending ?? true;
    const window = narrowWindow(this.#shownWindow(view), filter, timePath);
    const test =
      filter === null
        ? () => true
        : createFilterTest(withIdForms(filter, idForms), (name) => (row: LogRow) => set.read(row, name));
    const readRows = createRowReader(split);
    const rows: string[] = [];
    let last = after;
    const slices = new TimeSlices();
    let visited = 0;
    for (const position of walkLog({ ...range, ...window, isDescending, after })) {
      if (visited === pageTestedRowsMax) return { rows, last };
      visited += 1;
      if (slices.isDue()) await slices.pause();
      const row = readRows(position.index).find(({ atMs }) => atMs === position.atMs);
      if (row !== undefined && test(row)) {
        if (rows.length === size) return { rows, last };
        rows.push(write(row));
      }
      last = { atMs: position.atMs, index: position.index };
    }
    return { rows, last: null };
  }

  /** Returns the set with the row whose id, in either form, is in the path. Throws `not-found`. */
  async #findOne(log: Log, { params }: LogCall, view: DirectoryView): Promise<AnyResourceSet> {
    const given = Object.values(params)[0] ?? '';
    const forms = new Set([given, ...(log.idForms['id']?.(given) ?? [])].map((id) => id.toLowerCase()));
    const { fromMs, toMs } = this.#shownWindow(view);
    const isShown = (row: LogRow) =>
      row.atMs >= fromMs && row.atMs <= toMs && forms.has(String(log.set.read(row, 'id')).toLowerCase());
    for (const form of forms) {
      for (const index of await log.findRecords(form)) {
        const row = log.split(index).find(isShown);
        if (row !== undefined) return { ...log.set, rows: [row] };
      }
    }
    const type = log.set.types[0]?.name ?? 'row';
    throw new NudgeLabError('not-found', { message: `The ${type} '${given}' does not exist.` });
  }

  /** Returns the times of the rows that the log shows: neither too old nor too recent (DIR72). */
  #shownWindow({ settings, state }: DirectoryView): TimeWindow {
    const nowMs = this.#recorder.nowMs();
    const days = settings.auditRetentionDays ?? retentionDays[state.tenant.subscription];
    return { fromMs: nowMs - days * dayMs, toMs: nowMs - (settings.auditDelayMinutes ?? 0) * minuteMs };
  }
}

/** Returns a function that splits records, and remembers the last ones, whose rows are mostly close together. */
function createRowReader(split: Log['split']): Log['split'] {
  const recent = new LruMap<number, readonly LogRow[]>({ max: recentRecordsMax });
  return (index) => {
    const known = recent.get(index);
    if (known !== undefined) return known;
    const rows = split(index);
    recent.set(index, rows);
    return rows;
  };
}
