import { useId } from 'react';
import type { OtherPolicy } from '../control/comparison-order.ts';
import { methodLabels, rolloutLabels } from './labels.ts';
import { SelectField } from './select-field.tsx';

const asItWas = ['', 'Unchanged'] as const;
const states = [asItWas, ['enabled', 'Enabled'], ['default', 'Provider managed'], ['disabled', 'Disabled']] as const;
const snoozeDaysMax = 14;
const days = [
  asItWas,
  ...Array.from(
    { length: snoozeDaysMax + 1 },
    (_, day) => [String(day), day === 0 ? '0: every sign-in' : String(day)] as const,
  ),
];
const limits = [asItWas, ['true', 'Required after three snoozes'], ['false', 'No limit']] as const;
const answers = [
  ['skip', 'They skip'],
  ['register', 'They register'],
  ['close', 'They close the browser'],
] as const;
/** Renders the inputs of a variant policy. An input keeps the current value until it is changed. */
export function VariantInputs({
  other,
  rulesets,
  isOwn,
  onMove,
}: {
  readonly other: OtherPolicy;
  /** Rulesets to choose from, with their labels. */
  readonly rulesets: readonly (readonly [id: string, label: string])[];
  /** True for the sandbox of an own campaign, which has no policy: only its ruleset can be another one. */
  readonly isOwn: boolean;
  readonly onMove: (change: Readonly<Record<string, string>>) => void;
}) {
  const textId = useId();
  const fixed = other.text !== '';
  const select = (
    label: string,
    name: 'state' | 'method' | 'snoozeDays' | 'limited' | 'ruleset' | 'assumedAction',
    options: readonly (readonly [string, string])[],
    disabled = false,
  ) => (
    <SelectField
      label={label}
      value={other[name]}
      options={options}
      disabled={disabled}
      onChange={(value) => onMove({ [name]: value })}
    />
  );
  const chooseRuleset = select('Ruleset', 'ruleset', [asItWas, ...rulesets]);
  const chooseAnswer = select('Newly prompted users', 'assumedAction', answers);
  if (isOwn) {
    return (
      <div className="inputs">
        {chooseRuleset}
        {chooseAnswer}
        {rulesets.length === 0 && (
          <p className="hint">
            The server has no other ruleset with the base own. Start it with <code>--ruleset</code> and the files to
            compare.
          </p>
        )}
      </div>
    );
  }
  return (
    <>
      <div className="inputs">
        {select('State', 'state', states, fixed)}
        {select('Method', 'method', [asItWas, ...Object.entries(methodLabels)], fixed)}
        {select('Days allowed to snooze', 'snoozeDays', days, fixed)}
        {select('Limited number of snoozes', 'limited', limits, fixed)}
        {chooseRuleset}
        {chooseAnswer}
      </div>
      <fieldset>
        <legend>Rollout switches turned on</legend>
        <div className="inputs">
          {Object.entries(rolloutLabels).map(([name, words]) => (
            <label className="switch" key={name}>
              <input
                type="checkbox"
                checked={other.rollout.includes(name)}
                onChange={({ target }) =>
                  onMove({
                    rollout: (target.checked
                      ? [...other.rollout, name]
                      : other.rollout.filter((one) => one !== name)
                    ).join(','),
                  })
                }
              />
              {words}
            </label>
          ))}
        </div>
      </fieldset>
      <details open={fixed}>
        <summary>Policy as JSON instead of the inputs</summary>
        <div className="field">
          <label htmlFor={textId}>Complete or partial policy, or tenant facts</label>
          <textarea id={textId} rows={6} value={other.text} onChange={({ target }) => onMove({ text: target.value })} />
        </div>
      </details>
    </>
  );
}
