import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type CampaignSettings, patchBetween, updatePolicy } from '../control/policy.ts';
import { refresh } from '../control/questions.ts';
import { Card, Empty } from './card.tsx';
import { CodeBlock } from './code-block.tsx';
import { ChangePreview } from './preview-table.tsx';
import { Failure } from './query-result.tsx';
import { SelectField } from './select-field.tsx';
import { TargetPicker } from './target-picker.tsx';

const states = [
  ['enabled', 'Enabled'],
  ['default', 'Provider managed'],
  ['disabled', 'Disabled'],
] as const;

const snoozeDaysMax = 14;
const days = Array.from(
  { length: snoozeDaysMax + 1 },
  (_, day) => [String(day), day === 0 ? '0: every sign-in' : String(day)] as const,
);

const limits = [
  ['true', 'Yes: required after three snoozes'],
  ['false', 'No: unlimited snoozes'],
] as const;

/** Renders the campaign settings with a preview of the request and of the affected users. */
export function CampaignForm({
  sandbox,
  stored,
  beginning,
  saved,
  onSaved,
}: {
  readonly sandbox: string;
  readonly stored: CampaignSettings;
  /** Initial settings of the form: the stored settings, or settings restored from the change history. */
  readonly beginning: CampaignSettings;
  /** Set to true after a save. The re-created form then shows a confirmation, takes the focus and clears the flag. */
  readonly saved: RefObject<boolean>;
  readonly onSaved: () => void;
}) {
  const [wanted, setWanted] = useState(beginning);
  const queries = useQueryClient();
  const patch = patchBetween(stored, wanted);
  const save = useMutation({
    mutationFn: () => updatePolicy(sandbox, patch ?? {}),
    onSuccess: async () => {
      saved.current = true;
      onSaved();
      await refresh(queries, sandbox);
    },
  });
  const managed = wanted.state === 'default';
  const [isSaved] = useState(saved.current);
  const note = useRef<HTMLParagraphElement>(null);
  // Saving re-creates the form, so the button that had the focus no longer exists.
  useEffect(() => {
    if (!isSaved) return;
    note.current?.focus();
    saved.current = false;
  }, [isSaved, saved]);
  const change = (settings: Partial<CampaignSettings>): void => setWanted({ ...wanted, ...settings });
  return (
    <div className="grid wide">
      <Card title="Settings">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (patch !== null) save.mutate();
          }}
        >
          <div className="filters">
            <SelectField
              label="State"
              value={wanted.state}
              options={states}
              onChange={(state) => change({ state: state as CampaignSettings['state'] })}
            />
            <SelectField
              label="Days allowed to snooze"
              value={String(wanted.snoozeDurationInDays)}
              options={days}
              disabled={managed}
              onChange={(value) => change({ snoozeDurationInDays: Number(value) })}
            />
            <SelectField
              label="Limited number of snoozes"
              value={String(wanted.enforceRegistrationAfterAllowedSnoozes)}
              options={limits}
              disabled={managed}
              onChange={(value) => change({ enforceRegistrationAfterAllowedSnoozes: value === 'true' })}
            />
          </div>
          {managed && (
            <p className="hint">
              The provider sets the snooze duration and limit (R11). To edit these settings, choose another state.
            </p>
          )}
          <TargetPicker sandbox={sandbox} wanted={wanted} onChange={change} />
          <Failure of={save.error} />
          {isSaved && patch === null && (
            <p role="status" tabIndex={-1} ref={note}>
              Settings saved.
            </p>
          )}
          <div className="buttons">
            <button type="submit" className="primary" disabled={patch === null || save.isPending}>
              Save
            </button>
            <button type="button" disabled={patch === null} onClick={() => setWanted(stored)}>
              Discard changes
            </button>
          </div>
        </form>
      </Card>
      <Card title="Before you save">
        {patch === null ? (
          <Empty>Change a setting to see which users it affects and the request to be sent.</Empty>
        ) : (
          <>
            <ChangePreview sandbox={sandbox} change={{ patch }} />
            <h3>PATCH request</h3>
            <CodeBlock text={JSON.stringify(patch, null, 2)} />
          </>
        )}
      </Card>
    </div>
  );
}
