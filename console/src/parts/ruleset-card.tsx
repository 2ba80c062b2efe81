import type { RulesetInForce } from '../control/answers.ts';
import { useControlQuery } from '../control/questions.ts';
import { Card } from './card.tsx';
import { PlainTable } from './data-table.tsx';
import { baseLabels, formatInstant, formatSetting } from './labels.ts';
import { QueryResult } from './query-result.tsx';
import { ScrollBox } from './scroll-box.tsx';

/** Renders the ruleset of a sandbox: its base, the edition and the settings in force, and the texts of an own campaign. */
export function RulesetCards({ sandbox }: { readonly sandbox: string }) {
  const inForce = useControlQuery('getSandboxRuleset', { sandbox });
  return (
    <>
      <Card title="Ruleset">
        <QueryResult to={inForce}>
          {(data) => (
            <>
              <RulesetFacts ruleset={data} />
              <SettingsTable ruleset={data} />
            </>
          )}
        </QueryResult>
      </Card>
      {inForce.data?.base === 'own' && <TextsCard ruleset={inForce.data} />}
    </>
  );
}

/** Renders what identifies a ruleset, and what of it is in force. */
export function RulesetFacts({
  ruleset: { ruleset, title, version, base, edition, editions, method },
}: {
  readonly ruleset: RulesetInForce;
}) {
  return (
    <dl className="facts">
      <dt>Ruleset</dt>
      <dd>
        {title} (<code>{version === '' ? ruleset : `${ruleset} ${version}`}</code>)
      </dd>
      <dt>Base</dt>
      <dd>{baseLabels[base]}</dd>
      {method !== null && (
        <>
          <dt>Prompts for</dt>
          <dd>{method.label}</dd>
        </>
      )}
      {editions.length > 0 && (
        <>
          <dt>Edition in force</dt>
          <dd>{edition ?? 'Before the first edition'}</dd>
          <dt>Editions</dt>
          <dd>{editions.map(({ id, from }) => `${id} from ${formatInstant(from)}`).join(', ')}</dd>
        </>
      )}
    </dl>
  );
}

function SettingsTable({ ruleset: { settings } }: { readonly ruleset: RulesetInForce }) {
  if (settings.length === 0) return null;
  const data = {
    head: ['Setting', 'Value', 'Type', 'Set by'],
    rows: settings.map(({ name, type, value, isDefault }) => [
      name,
      formatSetting(type, value),
      type,
      isDefault ? 'ruleset' : 'tenant',
    ]),
  };
  return (
    <ScrollBox label="Settings of the ruleset">
      <PlainTable title="Settings in force" data={data} />
    </ScrollBox>
  );
}

const effectLabels: Readonly<Record<string, string>> = {
  snooze: 'starts a snooze',
  never: 'no further prompt',
  session: 'no further prompt in this session',
  nothing: 'stores nothing',
};

const screenTitles: Readonly<Record<string, string>> = {
  prompt: 'Prompt',
  required: 'Required prompt',
  error: 'Setup failed',
  blocked: 'Sign-in blocked',
};

/** Renders the texts of an own campaign: its answers, and the screens that the ruleset words. */
function TextsCard({ ruleset: { answers, screens } }: { readonly ruleset: RulesetInForce }) {
  const buttons = {
    head: ['Answer', 'Text', 'Effect', 'Required prompt'],
    rows: answers
      .filter(({ hasButton }) => hasButton)
      .map(({ id, label, effects, whenRequired }) => [
        id,
        label,
        effects.map((effect) => effectLabels[effect] ?? effect).join(', '),
        whenRequired,
      ]),
  };
  const worded = Object.entries(screens);
  return (
    <Card title="Texts of the prompt">
      {worded.length === 0 ? (
        <p className="hint">The ruleset words no screen, so the pages have their generic texts.</p>
      ) : (
        <div className="grid">
          {worded.map(([name, { heading, text, buttons: labels }]) => (
            <figure className="worded" key={name}>
              <figcaption className="hint">{screenTitles[name] ?? name}</figcaption>
              {heading !== null && <strong>{heading}</strong>}
              {text !== null && <p>{text}</p>}
              {Object.entries(labels).length > 0 && (
                <ul className="plain">
                  {Object.entries(labels).map(([button, label]) => (
                    <li key={button}>
                      <code>{button}</code> {label}
                    </li>
                  ))}
                </ul>
              )}
            </figure>
          ))}
        </div>
      )}
      <ScrollBox label="Answers of the prompt">
        <PlainTable title="Answers" data={buttons} />
      </ScrollBox>
    </Card>
  );
}
