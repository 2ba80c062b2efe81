import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../control/control-client.ts';
import { useRulesets } from '../control/questions.ts';
import { formatRuleset } from './labels.ts';
import { Failure } from './query-result.tsx';
import { SelectField } from './select-field.tsx';

/** Renders the form that creates a sandbox with a ruleset of the server, and opens it. */
export function NewSandbox() {
  const [id, setId] = useState('');
  const [ruleset, setRuleset] = useState('');
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const rulesets = useRulesets();
  const fieldId = useId();
  const create = useMutation({
    mutationFn: () =>
      api.createSandbox({ body: { ...(id === '' ? {} : { id }), ...(ruleset === '' ? {} : { ruleset }) } }),
    onSuccess: async (created) => {
      await queries.invalidateQueries({ queryKey: ['sandboxes'] });
      navigate(`/s/${created.id}/overview`);
    },
  });
  const options = (rulesets.data?.rulesets ?? []).map((one) => [one.ruleset, formatRuleset(one)] as const);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <div className="inputs">
        <div className="field">
          <label htmlFor={fieldId}>Id</label>
          <input
            id={fieldId}
            value={id}
            placeholder="A random one"
            autoComplete="off"
            onChange={({ target }) => setId(target.value)}
          />
        </div>
        <SelectField
          label="Ruleset"
          value={ruleset}
          options={[['', 'Default'], ...options]}
          onChange={(value) => setRuleset(value)}
        />
      </div>
      <div className="buttons">
        <button type="submit" className="primary" disabled={create.isPending}>
          Create sandbox
        </button>
      </div>
      <Failure of={create.error} />
    </form>
  );
}
