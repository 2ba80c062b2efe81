import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type ComparisonResult, isOpen, useAnalysis, useStartAnalysis } from '../control/analyses.ts';
import type { RulesetInForce, Rulesets, Tenant } from '../control/answers.ts';
import {
  comparisonOrder,
  keptLabels,
  keptPolicies,
  type OtherPolicy,
  otherPolicy,
  policiesMax,
  policyName,
} from '../control/comparison-order.ts';
import { useControlQuery, useRulesets } from '../control/questions.ts';
import { AnalysisProgress } from '../parts/analysis-progress.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { ComparisonResultCards } from '../parts/comparison-result.tsx';
import { formatRuleset } from '../parts/labels.ts';
import { PolicyChips } from '../parts/policy-chips.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { UserTimeline } from '../parts/user-timeline.tsx';
import { VariantInputs } from '../parts/variant-inputs.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/**
 * Renders the sign-ins of a sandbox that another policy would have changed, with the affected users and the
 * reasons.
 */
export function CompareView({ sandbox }: { readonly sandbox: string }) {
  const tenant = useControlQuery('getTenant', { sandbox });
  return (
    <>
      <ViewTitle title="Compare">
        <Link href={`/s/${sandbox}/registrations`}>Registration report</Link>
      </ViewTitle>
      <QueryResult to={tenant}>{(data) => <Comparing sandbox={sandbox} tenant={data} />}</QueryResult>
    </>
  );
}

function Comparing({ sandbox, tenant }: { readonly sandbox: string; readonly tenant: Tenant }) {
  const { address, keep, user, policies, begin, fault, start, follow } = useComparison(sandbox, tenant);
  const inForce = useControlQuery('getSandboxRuleset', { sandbox });
  const known = useRulesets();
  const { other, kept, compared, isNew, rearrange } = policies;
  const id = address.get('analysis');
  const followed = useAnalysis(sandbox, id);
  const ofUser = useAnalysis(sandbox, address.get('userAnalysis'));
  const result = followed.result?.kind === 'comparison' ? followed.result : null;
  const shown = shownPolicy(result, address.get('variant'));
  const busy = start.isPending || (id !== null && followed.error === null && isOpen(followed.analysis));
  return (
    <>
      <Card title={kept.length === 0 ? 'Variant policy' : 'Variant policies'}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            keep({ user: null, userAnalysis: null });
            begin(null);
          }}
        >
          <PolicyChips policies={kept} onChange={(left) => rearrange(left, false)} />
          <VariantInputs
            other={other}
            rulesets={listComparable(inForce.data, known.data)}
            isOwn={inForce.data?.base === 'own'}
            onMove={keep}
          />
          <Fault text={fault} />
          <div className="buttons">
            <button type="submit" className="primary" disabled={busy}>
              {compared.length > 1 ? `Compare ${compared.length} policies` : 'Compare'}
            </button>
            <button
              type="button"
              disabled={!isNew || compared.length >= policiesMax}
              onClick={() => rearrange(compared, true)}
            >
              Add another policy
            </button>
          </div>
          <AnalysisProgress sandbox={sandbox} followed={followed} start={start} />
        </form>
      </Card>
      {user !== null && (
        <Card
          title={`${user}, sign-in by sign-in`}
          aside={
            <button type="button" onClick={() => keep({ user: null, userAnalysis: null })}>
              Close
            </button>
          }
        >
          <AnalysisProgress sandbox={sandbox} followed={ofUser} start={follow} />
          {ofUser.result?.kind === 'comparison' && (
            <UserTimeline sandbox={sandbox} user={user} attempts={listTimeline(ofUser.result, shown)} />
          )}
        </Card>
      )}
      {result !== null && (
        <ComparisonResultCards
          result={result}
          shown={shown}
          onShow={(variant) => keep({ variant })}
          onUser={(one) => {
            keep({ user: one, userAnalysis: null });
            begin(one);
          }}
        />
      )}
      {result === null && !busy && <HowItIsCompared />}
    </>
  );
}

/** Returns the rulesets that sign-ins of a sandbox can be evaluated by: those of the same base. */
function listComparable(
  inForce: RulesetInForce | undefined,
  known: Rulesets | undefined,
): readonly (readonly [id: string, label: string])[] {
  return (known?.rulesets ?? [])
    .filter(({ base, ruleset }) => base === inForce?.base && !(base === 'own' && ruleset === inForce.ruleset))
    .map((one) => [one.ruleset, formatRuleset(one)] as const);
}

/**
 * Returns the comparison inputs from the URL and the analyses started for it: one for all users and one for a
 * single user.
 */
function useComparison(sandbox: string, tenant: Tenant) {
  const [address, setAddress] = useSearchParams();
  const [fault, setFault] = useState<string | null>(null);
  const keep = (change: Readonly<Record<string, string | null>>): void =>
    setAddress(
      (before) => {
        for (const [name, value] of Object.entries(change)) {
          if (value === null || value === '') before.delete(name);
          else before.set(name, value);
        }
        return before;
      },
      { replace: true },
    );
  const policies = usePolicies();
  const start = useStartAnalysis(sandbox, (analysis) => keep({ analysis }));
  const follow = useStartAnalysis(sandbox, (userAnalysis) => keep({ userAnalysis }));
  const begin = (one: string | null): void => {
    const { compared, other } = policies;
    try {
      const order = comparisonOrder(compared, other.assumedAction, tenant, one);
      setFault(compared.length === 0 ? 'This policy matches the current one. Change at least one setting.' : null);
      if (compared.length > 0) (one === null ? start : follow).mutate(order);
    } catch (cause) {
      setFault(`This is not a valid JSON policy: ${cause instanceof Error ? cause.message : String(cause)}.`);
    }
  };
  return { address, keep, user: address.get('user'), policies, begin, fault, start, follow };
}

/** Returns the policies of a comparison from the URL: the saved policies and the one in the inputs. */
function usePolicies() {
  const [address, setAddress] = useSearchParams();
  const other = otherPolicy(address);
  const kept = keptPolicies(address);
  const name = policyName(other);
  const isNew = name !== '' && !kept.some((one) => policyName(one) === name);
  const rearrange = (policies: readonly OtherPolicy[], resetInputs: boolean): void =>
    setAddress(
      (before) => {
        before.delete('kept');
        for (const policy of policies) before.append('kept', keptLabels(policy));
        if (resetInputs) for (const input of new URLSearchParams(keptLabels(other)).keys()) before.delete(input);
        return before;
      },
      { replace: true },
    );
  return { other, kept, compared: isNew ? [...kept, other] : kept, isNew, rearrange };
}

function Fault({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p className="failure" role="alert">
      {text}
    </p>
  );
}

function HowItIsCompared() {
  return (
    <Empty>
      Every sign-in of this sandbox is evaluated again under another policy, or under up to {policiesMax} policies at
      once. Recorded actions apply where the same prompt appears; for new prompts an action is assumed. Comparisons are
      lost when the server stops.
    </Empty>
  );
}

/** Returns the name of the policy to show in detail: the selected one, or the first one by default. */
function shownPolicy(result: ComparisonResult | null, chosen: string | null): string {
  const names = result?.comparison.variants.map(({ name }) => name) ?? [];
  return names.find((name) => name === chosen) ?? names[0] ?? '';
}

/** Returns the sign-ins of the selected user under the policy that is shown. */
function listTimeline({ timeline }: ComparisonResult, variantName: string): readonly object[] {
  const attempts = (timeline ?? []) as readonly { readonly variant: string }[];
  return attempts.filter(({ variant }) => variant === variantName);
}
