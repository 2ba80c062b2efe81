import type { ForecastInputs } from '../control/forecast-order.ts';
import { formatCount, methodLabels } from './labels.ts';
import { SelectField } from './select-field.tsx';
import { SliderField } from './slider-field.tsx';

const states = [
  ['enabled', 'Enabled'],
  ['default', 'Provider managed'],
  ['disabled', 'Disabled'],
] as const;

const snoozeDaysMax = 14;
const daysMax = 365;
const seedsMax = 20;

/** Number of slider steps per power of ten in the number of users. */
const usersSteps = 10;
const usersMax = 1_000_000;

type Move = (change: Partial<Record<keyof ForecastInputs, string | number | boolean>>) => void;

/** Renders the inputs of a forecast: the policy, the duration, the number of users, and their behavior. */
export function ForecastInputsForm({
  inputs,
  behavior,
  onMove,
}: {
  readonly inputs: ForecastInputs;
  /** True if user behavior can be edited. An uploaded or pasted description defines the behavior itself. */
  readonly behavior: boolean;
  readonly onMove: Move;
}) {
  const managed = inputs.state === 'default';
  return (
    <>
      <div className="inputs">
        <SelectField label="State" value={inputs.state} options={states} onChange={(state) => onMove({ state })} />
        <SelectField
          label="Method"
          value={inputs.method}
          options={Object.entries(methodLabels)}
          onChange={(method) => onMove({ method })}
        />
        <SliderField
          label="Days allowed to snooze"
          value={inputs.snoozeDays}
          min={0}
          max={snoozeDaysMax}
          disabled={managed}
          words={inputs.snoozeDays === 0 ? 'every sign-in' : formatCount(inputs.snoozeDays, 'day')}
          onChange={(snoozeDays) => onMove({ snoozeDays })}
        />
        <label className="switch">
          <input
            type="checkbox"
            checked={inputs.limited}
            disabled={managed}
            onChange={({ target }) => onMove({ limited: target.checked })}
          />
          Required after three snoozes
        </label>
      </div>
      {managed && <p className="hint">The provider sets the snooze duration and limit (R11).</p>}
      <div className="inputs">
        <SliderField
          label="Forecast days"
          value={inputs.days}
          min={7}
          max={daysMax}
          words={formatCount(inputs.days, 'day')}
          onChange={(days) => onMove({ days })}
        />
        <SliderField
          label="Users"
          value={usersSteps * Math.log10(Math.max(1, inputs.users))}
          min={0}
          max={usersSteps * Math.log10(usersMax)}
          words={inputs.users.toLocaleString('en')}
          onChange={(place) => onMove({ users: roundUsers(10 ** (place / usersSteps)) })}
        />
        <SliderField
          label="Random seeds for percentile bands"
          value={inputs.seeds}
          min={1}
          max={seedsMax}
          words={inputs.seeds === 1 ? 'no bands' : String(inputs.seeds)}
          onChange={(seeds) => onMove({ seeds })}
        />
      </div>
      {behavior && <Behavior inputs={inputs} onMove={onMove} />}
      <div className="inputs">
        <label className="switch">
          <input type="checkbox" checked={inputs.sweep} onChange={({ target }) => onMove({ sweep: target.checked })} />
          Compare with other policies
        </label>
        <label className="switch">
          <input
            type="checkbox"
            checked={inputs.sensitivity}
            onChange={({ target }) => onMove({ sensitivity: target.checked })}
          />
          Run sensitivity analysis
        </label>
      </div>
    </>
  );
}

function Behavior({ inputs, onMove }: { readonly inputs: ForecastInputs; readonly onMove: Move }) {
  const sliders = [
    ['signIn', 'Sign in on a working day'],
    ['register', 'Register when prompted'],
    ['close', 'Close the browser when prompted'],
    ['failure', 'Registrations that fail'],
  ] as const;
  return (
    <fieldset>
      <legend>User behavior</legend>
      <div className="inputs">
        {sliders.map(([name, label]) => (
          <SliderField
            key={name}
            label={label}
            value={Math.round(inputs[name] * 100)}
            min={0}
            max={name === 'close' ? Math.round((1 - inputs.register) * 100) : 100}
            words={`${Math.round(inputs[name] * 100)} %`}
            onChange={(percent) => onMove({ [name]: percent / 100 })}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Rounds a number of users to two significant figures. */
function roundUsers(users: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(users)) - 1);
  return Math.max(1, Math.round(users / unit) * unit);
}
