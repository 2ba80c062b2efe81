import { type Component, defineComponent, h, onMounted, shallowRef, type VNode } from 'vue';
import { attemptKinds } from '../../machines/own/own-ruleset.ts';
import { ruleOutcomeLabels } from '../../machines/verdict-sentences.ts';
import {
  browsers,
  operatingSystems,
  passkeyTypes,
  registeredMethods,
  targetedMethods,
} from '../../machines/vocabulary.ts';
import type { ValidationProblem } from '../../src/core/errors.ts';
import { declaredFields } from './declared-fields.ts';
import { button, input, select } from './fields.ts';
import { listValueProblems, noValues } from './given-values.ts';
import { createLink, readLink } from './link.ts';
import { type RulesetActions, rulesetFields, textInUse } from './ruleset-fields.ts';
import { builtInTexts, exampleTexts } from './ruleset-files.ts';
import { type CheckedRuleset, checkRuleset, getBuiltIn, type PlaygroundRuleset, writtenRuleset } from './rulesets.ts';
import { actionsMax, initialSettings, type Settings, snoozeDays, states, toDay } from './settings.ts';
import type { ShownVerdict } from './timeline.ts';
import { createView, type PlaygroundView } from './view.ts';

/** Everything that the page shows. It is replaced as a whole. */
interface PageState {
  readonly settings: Settings;
  readonly checked: CheckedRuleset;
  readonly problems: readonly ValidationProblem[];
  /** `null` if the ruleset or the given values have faults. */
  readonly view: PlaygroundView | null;
  readonly isReadable: boolean;
  readonly isLinkComplete: boolean;
}

/** Fields for ruleset, tenant, user, device and actions, with the sentences of each verdict. */
export const Playground: Component = defineComponent({
  name: 'PlaygroundPage',
  setup() {
    const state = shallowRef<PageState | null>(null);
    const draft = shallowRef('');
    const isOpen = shallowRef(false);
    let latest: Settings = initialSettings;
    const show = async (next: Settings, isReadable = true): Promise<void> => {
      latest = next;
      const checked = checkCurrent(next, state.value);
      const { ruleset } = checked;
      const problems = ruleset === null ? [] : listValueProblems(next.given, ruleset);
      const view = ruleset === null || problems.length > 0 ? null : await createView(next, ruleset);
      const { fragment, isComplete } = await createLink(next);
      if (latest !== next) return;
      history.replaceState(history.state, '', `#${fragment}`);
      state.value = { settings: next, checked, problems, view, isReadable, isLinkComplete: isComplete };
    };
    onMounted(async () => {
      const { settings, isReadable } = await readLink(location.hash.slice(1), [...exampleTexts.keys()]);
      draft.value = textInUse(settings);
      isOpen.value = settings.ruleset === writtenRuleset;
      await show(settings, isReadable);
    });
    const change = (part: Partial<Settings>): void => {
      show({ ...latest, ...part }).catch(reportError);
    };
    const rulesetActions: RulesetActions = {
      choose: (id) => {
        const next: Settings = { ...latest, ruleset: id, text: '', given: noValues, actions: ['sign-in'] };
        draft.value = textInUse(next);
        isOpen.value = id === writtenRuleset;
        show(next).catch(reportError);
      },
      edit: (text) => {
        draft.value = text;
      },
      apply: () => {
        if (draft.value === textInUse(latest) && latest.ruleset !== writtenRuleset) return;
        change({ ruleset: writtenRuleset, text: draft.value });
      },
      toggle: (next) => {
        isOpen.value = next;
      },
    };
    return () => {
      const { value } = state;
      if (value === null) return h('div', { class: 'playground' });
      const { settings, checked, problems, view } = value;
      const { ruleset } = checked;
      return h('div', { class: 'playground' }, [
        rulesetFields({ ...value, draft: draft.value, isOpen: isOpen.value }, rulesetActions),
        ruleset === null
          ? null
          : h('form', { 'aria-label': 'Tenant, user and device', onSubmit: (event: Event) => event.preventDefault() }, [
              h('h2', 'Tenant, user and device'),
              h('div', { class: 'playground-choices' }, choices(settings, ruleset, change)),
              ...declaredFields(ruleset, { given: settings.given, problems }, (given) => change({ given })),
            ]),
        ...(view === null || ruleset === null ? [] : results(settings, ruleset, view, change)),
      ]);
    };
  },
});

/** Returns the ruleset of settings. A text is checked only when it has changed. */
function checkCurrent({ ruleset, text }: Settings, before: PageState | null): CheckedRuleset {
  if (before !== null && before.settings.ruleset === ruleset && before.settings.text === text) return before.checked;
  if (builtInTexts.has(ruleset)) return { ruleset: getBuiltIn(ruleset), faults: [] };
  return checkRuleset(exampleTexts.get(ruleset) ?? text, exampleTexts);
}

type Change = (part: Partial<Settings>) => void;

function choices(settings: Settings, { own }: PlaygroundRuleset, change: Change): VNode[] {
  const ofCampaign = [
    select('Targeted method', targetedMethods, settings.method, (method) => change({ method })),
    select('Campaign state', states, settings.state, (chosen) => change({ state: chosen })),
    select('Snooze days', snoozeDays, String(settings.days), (days) => change({ days: Number(days) })),
    select('Limited snoozes', ['yes', 'no'], settings.limited ? 'yes' : 'no', (answer) =>
      change({ limited: answer === 'yes' }),
    ),
  ];
  const start = input({
    id: 'start',
    label: 'First day',
    type: 'date',
    value: settings.start,
    change: (text) => change({ start: toDay(text) }),
  });
  return [
    ...(own === null ? ofCampaign : []),
    select('Second factor', ['none', ...registeredMethods], settings.factor, (factor) => change({ factor })),
    select('Passkey', ['none', ...passkeyTypes], settings.passkey, (passkey) => change({ passkey })),
    select('Operating system', operatingSystems, settings.os, (os) => change({ os })),
    select('Browser', browsers, settings.browser, (browser) => change({ browser })),
    ...(own === null ? [] : [select('Kind of sign-in', attemptKinds, settings.kind, (kind) => change({ kind }))]),
    start,
  ];
}

function results(settings: Settings, ruleset: PlaygroundRuleset, view: PlaygroundView, change: Change): VNode[] {
  return [
    h('h2', 'Timeline'),
    buttons(settings, view, change),
    h(
      'ol',
      view.steps.map(({ name, at, result }) => h('li', [h('strong', name), ` at ${at}: ${result}`])),
    ),
    h('p', { role: 'status' }, `${view.status}.`),
    h('h2', 'Verdict of the latest sign-in'),
    verdictTable(view.verdict),
    ...savedFiles(settings, ruleset, view),
  ];
}

function buttons({ actions, ruleset, text }: Settings, view: PlaygroundView, change: Change): VNode {
  const isFull = actions.length >= actionsMax;
  return h('div', { class: 'playground-actions' }, [
    ...view.actions.map(({ action, label, isPossible }) =>
      button(label, isPossible && !isFull, () => change({ actions: [...actions, action] })),
    ),
    button('Undo', actions.length > 0, () => change({ actions: actions.slice(0, -1) })),
    button('Reset', true, () => change({ ...initialSettings, ruleset, text })),
  ]);
}

function verdictTable(verdict: ShownVerdict | null): VNode {
  if (verdict === null) return h('p', 'There is no verdict yet. Sign in once.');
  const rows = verdict.rules.map(({ id, outcome, sentence }) =>
    h('tr', [h('td', id), h('td', ruleOutcomeLabels[outcome]), h('td', sentence)]),
  );
  const titles = ['Rule', 'Result', 'Explanation'].map((title) => h('th', { scope: 'col' }, title));
  return h('div', [
    h('p', [h('strong', verdict.headline)]),
    ...verdict.details.map((detail) => h('p', detail)),
    ...(verdict.otherwise.length === 0
      ? []
      : [
          h('h3', 'What would prompt the user'),
          h(
            'ul',
            verdict.otherwise.map((line) => h('li', line)),
          ),
        ]),
    h('table', { tabindex: 0 }, [h('thead', h('tr', titles)), h('tbody', rows)]),
  ]);
}

function savedFiles(settings: Settings, { id, digest }: PlaygroundRuleset, { scenario }: PlaygroundView): VNode[] {
  const file = `${id}.ruleset.yaml`;
  const isFile = digest !== null;
  return [
    h('h2', 'Scenario'),
    h('p', [
      isFile ? 'Save it beside its ruleset and run it with ' : 'Save it in a suite and run it with ',
      h('code', 'nudgelab run'),
      '. The address of this page contains the same settings. ',
      download('Download the scenario', 'playground.yaml', scenario),
      ...(isFile ? [' · ', download('Download the ruleset', file, textInUse(settings))] : []),
    ]),
    h('pre', { tabindex: 0, class: 'playground-scenario' }, scenario),
  ];
}

function download(label: string, name: string, text: string): VNode {
  return h('a', { download: name, href: `data:text/yaml;charset=utf-8,${encodeURIComponent(text)}` }, label);
}
