import { useMemo } from 'react';
import type { ComparisonResult } from '../control/analyses.ts';
import { Card, Empty } from './card.tsx';
import { CsvButton, PlainTable, type TableData } from './data-table.tsx';
import { DayChart } from './day-chart.tsx';
import { formatCode, formatCount, outcomeLabels } from './labels.ts';
import { ScrollBox } from './scroll-box.tsx';
import { SelectField } from './select-field.tsx';

type ComparedVariant = ComparisonResult['comparison']['variants'][number];
type ComparedSide = ComparedVariant['byRule'][number]['before'];
type Changes = ComparedVariant['totals']['certain'];
type Parts = ComparedVariant['byDay'];

/**
 * Renders the result of a comparison: totals, upcoming required prompts, rules, days, platforms, groups and users.
 */
export function ComparisonResultCards({
  result: { comparison, changedUsers },
  shown,
  onShow,
  onUser,
}: {
  readonly result: ComparisonResult;
  /** Name of the policy that is shown in detail. */
  readonly shown: string;
  readonly onShow: (policy: string) => void;
  readonly onUser: (user: string) => void;
}) {
  const { variants } = comparison;
  const variant = variants.find(({ name }) => name === shown) ?? variants[0];
  if (variant === undefined || comparison.attempts === 0) {
    return <Empty>No one has signed in to this sandbox yet, so there is nothing to evaluate.</Empty>;
  }
  return (
    <>
      {variants.length > 1 && <SideBySide variants={variants} shown={variant.name} onShow={onShow} />}
      {variant.warnings.length > 0 && (
        <ul className="warnings">
          {variant.warnings.map(({ code, rule, message }) => (
            <li key={code}>
              {message} {rule !== '' && `(${rule})`}
            </li>
          ))}
        </ul>
      )}
      <div className="grid wide">
        <Card title="Sign-ins">
          <ScrollBox label="Table of sign-ins">
            <PlainTable
              title={`${formatCount(comparison.attempts, 'sign-in')} under “${variant.name}”`}
              data={createTotals(variant)}
            />
          </ScrollBox>
          <Answers variant={variant} />
          <CsvButton title="Sign-ins" data={createTotals(variant)} file="compare-sign-ins" />
        </Card>
        <Card title="Users">
          <UsersInShort variant={variant} />
        </Card>
      </div>
      <Card title="Day by day">
        <Days byDay={variant.byDay} />
      </Card>
      <Card title="Results by rule">
        <ScrollBox label="Table of rules">
          <PlainTable
            title="Sign-ins by rule results before and now, most frequent first"
            data={createRuleTable(variant)}
          />
        </ScrollBox>
        <CsvButton title="Results by rule" data={createRuleTable(variant)} file="compare-rules" />
      </Card>
      <div className="grid wide">
        <Parted title="By platform" parts={variant.byPlatform} file="compare-platforms" />
        <Parted title="By group" parts={variant.byGroup} file="compare-groups" />
      </div>
      <Card title="Users affected">
        <ChangedUsers
          users={changedUsers.filter((changed) => changed.variant === variant.name)}
          all={variant.users.changed}
          onUser={onUser}
        />
      </Card>
    </>
  );
}

/** Renders the results of several policies side by side and selects the one to show in detail. */
function SideBySide({
  variants,
  shown,
  onShow,
}: {
  readonly variants: readonly ComparedVariant[];
  readonly shown: string;
  readonly onShow: (policy: string) => void;
}) {
  const data = {
    head: ['Sign-ins and users', ...variants.map(({ name }) => name)],
    rows: [
      ...(Object.keys(changeLabels) as (keyof Changes)[]).map((name) => [
        changeLabels[name],
        ...variants.map(({ totals: { certain, assumed } }) => certain[name] + assumed[name]),
      ]),
      ['Users affected', ...variants.map(({ users }) => users.changed)],
      ['Required at the next sign-in if applied now', ...variants.map(countRequiredNext)],
    ],
  };
  return (
    <Card title="Side by side">
      <ScrollBox label="Table of policies">
        <PlainTable title="Side by side" data={data} captioned={false} />
      </ScrollBox>
      <CsvButton title="Side by side" data={data} file="compare-policies" />
      <SelectField
        label="Selected policy"
        value={shown}
        options={variants.map(({ name }) => [name, name] as const)}
        onChange={onShow}
      />
    </Card>
  );
}

function countRequiredNext({ requiredAtNextSignIn: { ifAppliedNow } }: ComparedVariant): number {
  return ifAppliedNow.users + ifAppliedNow.stillSnoozing;
}

const changeLabels: Readonly<Record<keyof Changes, string>> = {
  attempts: 'All',
  promptedInBaseline: 'Prompted before',
  promptedInVariant: 'Prompted now',
  requiredBefore: 'Required before',
  requiredAfter: 'Required now',
  newlyPrompted: 'Newly prompted',
  noLongerPrompted: 'No longer prompted',
  newlyRequired: 'Newly required',
  noLongerRequired: 'No longer required',
};

function createTotals({ totals: { certain, assumed } }: ComparedVariant): TableData {
  return {
    head: ['Sign-ins', 'Certain', 'With an assumed action'],
    rows: (Object.keys(changeLabels) as (keyof Changes)[]).map((name) => [
      changeLabels[name],
      certain[name],
      assumed[name],
    ]),
  };
}

function Answers({ variant: { actions: answers } }: { readonly variant: ComparedVariant }) {
  return (
    <p className="hint">
      Of the recorded actions, {answers.applied.toLocaleString('en')} still apply, and{' '}
      {answers.inapplicable.toLocaleString('en')} no longer apply, because their prompt would not appear. An action is
      assumed for {formatCount(answers.assumed, 'new prompt')}.
    </p>
  );
}

function UsersInShort({ variant: { users, requiredAtNextSignIn } }: { readonly variant: ComparedVariant }) {
  const { ifAppliedNow, ifAppliedThroughout } = requiredAtNextSignIn;
  const next = ({ users: now, stillSnoozing }: typeof ifAppliedThroughout): string =>
    stillSnoozing === 0 ? now.toLocaleString('en') : `${now.toLocaleString('en')} + ${stillSnoozing} still snoozing`;
  return (
    <dl className="facts even">
      <dt>All</dt>
      <dd>{users.all.toLocaleString('en')}</dd>
      <dt>Users affected</dt>
      <dd>{users.changed.toLocaleString('en')}</dd>
      <dt>Newly prompted</dt>
      <dd>{users.newlyPrompted.toLocaleString('en')}</dd>
      <dt>No longer prompted</dt>
      <dd>{users.noLongerPrompted.toLocaleString('en')}</dd>
      <dt>Newly required</dt>
      <dd>{users.newlyRequired.toLocaleString('en')}</dd>
      <dt>Required at the next sign-in if applied now</dt>
      <dd>
        <strong>{next(ifAppliedNow)}</strong>
      </dd>
      <dt>Required at the next sign-in if applied throughout</dt>
      <dd>{next(ifAppliedThroughout)}</dd>
    </dl>
  );
}

function Days({ byDay }: { readonly byDay: Parts }) {
  const { dates, series } = useMemo(() => {
    const days = Object.keys(byDay).toSorted();
    const of = (name: keyof Changes): number[] =>
      days.map((day) => (byDay[day]?.certain[name] ?? 0) + (byDay[day]?.assumed[name] ?? 0));
    return {
      dates: days,
      series: [
        { name: 'Prompted before', look: 'first', values: of('promptedInBaseline') },
        { name: 'Prompted now', look: 'second', values: of('promptedInVariant') },
        { name: 'Required now', look: 'third', values: of('requiredAfter') },
      ] as const,
    };
  }, [byDay]);
  return (
    <DayChart
      title="Prompts per day"
      says="Sign-ins per day at which a user was prompted, would be prompted, and would be required to register."
      dates={dates}
      series={series}
      file="compare-days"
    />
  );
}

function createRuleTable({ byRule }: ComparedVariant): TableData {
  return {
    head: ['Before', 'Now', 'Certain', 'With an assumed action'],
    rows: byRule.map(({ before, after, certain, assumed }) => [
      sideLabels(before),
      sideLabels(after),
      certain,
      assumed,
    ]),
  };
}

function sideLabels({ outcome, reason, rule }: ComparedSide): string {
  if (reason === null) return outcomeLabels[outcome];
  return `${formatCode(reason)}${rule === null ? '' : ` (${rule})`}`;
}

function Parted({ title, parts, file }: { readonly title: string; readonly parts: Parts; readonly file: string }) {
  const names = Object.keys(parts).toSorted();
  const sum = (name: string, key: keyof Changes): number =>
    (parts[name]?.certain[key] ?? 0) + (parts[name]?.assumed[key] ?? 0);
  const keys = ['attempts', 'promptedInBaseline', 'promptedInVariant', 'requiredAfter'] as const;
  const data = {
    head: [title.replace(/^By /, ''), 'Sign-ins', 'Prompted before', 'Prompted now', 'Required now'],
    rows: names.map((name) => [name, ...keys.map((key) => sum(name, key))]),
  };
  const [head = '', ...counts] = data.head;
  const shown = { ...data, head: [`${head.charAt(0).toUpperCase()}${head.slice(1)}`, ...counts] };
  return (
    <Card title={title}>
      {names.length === 0 ? (
        <Empty>No groups to compare.</Empty>
      ) : (
        <>
          <ScrollBox label={`Table: ${title}`}>
            <PlainTable title={title} data={shown} captioned={false} />
          </ScrollBox>
          <CsvButton title={title} data={data} file={file} />
        </>
      )}
    </Card>
  );
}

function ChangedUsers({
  users,
  all,
  onUser,
}: {
  readonly users: ComparisonResult['changedUsers'];
  readonly all: number;
  readonly onUser: (user: string) => void;
}) {
  if (users.length === 0) return <Empty>None</Empty>;
  const sorted = users.toSorted((a, b) => computeWeight(b) - computeWeight(a));
  return (
    <>
      {users.length < all && (
        <p className="hint">
          Showing the first {users.length.toLocaleString('en')} of {all.toLocaleString('en')}.
        </p>
      )}
      <ScrollBox label="Table of users" tall>
        <table>
          <thead>
            <tr>
              {['User', 'Sign-ins that change', 'Newly prompted', 'No longer prompted', 'Newly required'].map(
                (head, column) => (
                  <th scope="col" key={head} className={column === 0 ? undefined : 'number'}>
                    {head}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ user, attempts, newlyPrompted, noLongerPrompted, newlyRequired }) => (
              <tr key={user}>
                <th scope="row">
                  <button type="button" className="link" onClick={() => onUser(user)}>
                    {user}
                  </button>
                </th>
                {[attempts, newlyPrompted, noLongerPrompted, newlyRequired].map((count, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns are never moved.
                  <td className="number" key={place}>
                    {count.toLocaleString('en')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

function computeWeight({
  newlyPrompted,
  noLongerPrompted,
  newlyRequired,
}: ComparisonResult['changedUsers'][number]): number {
  return newlyPrompted + noLongerPrompted + newlyRequired;
}
