import { useId } from 'react';

/** Renders a slider for a number, with the meaning of the value in words. */
export function SliderField({
  label,
  value,
  min,
  max,
  step = 1,
  words,
  disabled = false,
  onChange,
}: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly words: string;
  readonly disabled?: boolean;
  readonly onChange: (value: number) => void;
}) {
  const id = useId();
  return (
    <div className="field slider">
      <label htmlFor={id}>{label}</label>
      <span className="value" aria-hidden="true">
        {words}
      </span>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={disabled}
        aria-valuetext={words}
        onChange={({ target }) => onChange(Number(target.value))}
      />
    </div>
  );
}
