import { useSearchParams } from 'wouter';
import type { SignIn, SignInDetail } from '../control/answers.ts';
import { useControlQuery } from '../control/questions.ts';
import { Filmstrip } from '../journey/filmstrip.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { formatCode, formatRuleOutcome, outcomeLabels } from '../parts/labels.ts';
import { QueryResult } from '../parts/query-result.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { TableHead } from '../parts/table-head.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Renders two sign-ins side by side with their filmstrips and their differences. */
export function JourneyPairView({ sandbox }: { readonly sandbox: string }) {
  const [address, setAddress] = useSearchParams();
  const signIns = useControlQuery('listSignIns', { sandbox });
  const keep = (name: string, value: string): void =>
    setAddress(
      (before) => {
        before.set(name, value);
        return before;
      },
      { replace: true },
    );
  return (
    <>
      <ViewTitle title="Two journeys" />
      <QueryResult to={signIns}>
        {({ signIns: rows }) => {
          const one = address.get('one') ?? rows[0]?.id ?? '';
          const other = address.get('other') ?? rows.find(({ id }) => id !== one)?.id ?? '';
          if (rows.length < 2) return <Empty>A comparison requires two sign-ins. Sign in once more to continue.</Empty>;
          return (
            <>
              <div className="filters">
                <SelectField
                  label="Sign-in A"
                  value={one}
                  options={listOptions(rows, one)}
                  onChange={(id) => keep('one', id)}
                />
                <SelectField
                  label="Sign-in B"
                  value={other}
                  options={listOptions(rows, other)}
                  onChange={(id) => keep('other', id)}
                />
              </div>
              <Pair sandbox={sandbox} one={one} other={other} />
            </>
          );
        }}
      </QueryResult>
    </>
  );
}

/** Returns the sign-ins to choose from. The selected one is added if it is older than the listed ones. */
function listOptions(rows: readonly SignIn[], chosen: string): readonly (readonly [string, string])[] {
  const listed = rows.map(({ id, userId, os, screen }) => [id, `${id}: ${userId} on ${os}, ${screen}`] as const);
  return rows.some(({ id }) => id === chosen) ? listed : [[chosen, chosen], ...listed];
}

function Pair({ sandbox, one, other }: { readonly sandbox: string; readonly one: string; readonly other: string }) {
  const first = useControlQuery('getSignIn', { sandbox, signIn: one });
  const second = useControlQuery('getSignIn', { sandbox, signIn: other });
  return (
    <>
      <div className="grid wide pair">
        {[first, second].map((detail, index) => (
          <Card key={index === 0 ? 'one' : 'other'} title={index === 0 ? `Sign-in ${one}` : `Sign-in ${other}`}>
            <QueryResult to={detail}>
              {(data) => (
                <>
                  <p>
                    {data.signIn.userId} on {data.signIn.os}:{' '}
                    <strong>{data.verdict === null ? 'not evaluated yet' : outcomeLabels[data.verdict.outcome]}</strong>
                    {data.verdict?.reason !== null && data.verdict !== null && ` (reason: ${data.verdict.reason})`}.
                  </p>
                  <Filmstrip sandbox={sandbox} detail={data} />
                </>
              )}
            </QueryResult>
          </Card>
        ))}
      </div>
      {first.data !== undefined && second.data !== undefined && (
        <Card title="Differences">
          <Differences sandbox={sandbox} one={first.data} other={second.data} />
        </Card>
      )}
    </>
  );
}

/** Value that differs between two sign-ins. */
interface Difference {
  readonly of: string;
  readonly one: string;
  readonly other: string;
}

function Differences({
  sandbox,
  one,
  other,
}: {
  readonly sandbox: string;
  readonly one: SignInDetail;
  readonly other: SignInDetail;
}) {
  const { data: rules } = useControlQuery('listRules', { sandbox });
  const getSummary = (gate: string): string => rules?.rules.find((rule) => rule.gate === gate)?.summary ?? '';
  const differences = [
    ...between('Attempt', flat({ ...one.attempt }), flat({ ...other.attempt })),
    ...between('Verdict', flat(describeVerdict(one)), flat(describeVerdict(other))),
    ...between('Rule', describeOutcomes(one), describeOutcomes(other)).map(({ of, ...said }) => ({
      of: `${of} ${getSummary(of.replace('Rule ', ''))}`,
      ...said,
    })),
    ...between('Step', describeSteps(one), describeSteps(other)),
  ];
  if (differences.length === 0) return <Empty>No differences: attempt, verdict and steps are the same.</Empty>;
  return (
    <ScrollBox label="Differences" tall>
      <table>
        <TableHead columns={['Of', one.signIn.id, other.signIn.id]} />
        <tbody>
          {differences.map(({ of, one: said, other: saidToo }) => (
            <tr key={of}>
              <th scope="row">{of}</th>
              <td className="breaks">{said}</td>
              <td className="breaks">{saidToo}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the keys with different values in two objects. `nowMs` is ignored, because the time of an attempt always
 * differs.
 */
function between(what: string, one: Values, other: Values): readonly Difference[] {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => key !== 'nowMs');
  return keys
    .map((key) => ({ of: `${what} ${key}`, one: formatValue(one[key]), other: formatValue(other[key]) }))
    .filter((difference) => difference.one !== difference.other);
}

/** Flattens nested objects to keys such as `mfa.method`, so only the parts that differ are reported. */
function flat(data: Values, above = ''): Values {
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(flat(value as Values, `${above}${key}.`))
        : [[`${above}${key}`, value]],
    ),
  );
}

function formatValue(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function describeVerdict({ verdict }: SignInDetail): Values {
  return verdict === null ? {} : { outcome: verdict.outcome, reason: verdict.reason, campaign: verdict.campaign };
}

function describeOutcomes({ verdict }: SignInDetail): Values {
  return Object.fromEntries(
    (verdict?.rules ?? []).map((rule) => [
      rule.id,
      rule.outcome === 'stopped' ? formatCode(rule.reason) : formatRuleOutcome(rule.outcome),
    ]),
  );
}

function describeSteps({ events }: SignInDetail): Values {
  return Object.fromEntries(events.map(({ event: input }, index) => [String(index + 1), input.type]));
}
