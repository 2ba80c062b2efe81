import { type OtherPolicy, policyName } from '../control/comparison-order.ts';

/** Renders the policies that are saved for a comparison, each with a button to remove it. */
export function PolicyChips({
  policies,
  onChange,
}: {
  readonly policies: readonly OtherPolicy[];
  readonly onChange: (policies: readonly OtherPolicy[]) => void;
}) {
  if (policies.length === 0) return null;
  return (
    <ul className="chips" aria-label="Compared policies">
      {policies.map((policy) => (
        <li key={policyName(policy)}>
          {policyName(policy)}
          <button
            type="button"
            aria-label={`Remove ${policyName(policy)}`}
            onClick={() => onChange(policies.filter((one) => one !== policy))}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
