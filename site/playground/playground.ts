import { type Component, defineComponent, h, onMounted, shallowRef, type VNode } from 'vue';
import { ruleOutcomeLabels } from '../../machines/verdict-sentences.ts';
import {
  browsers,
  operatingSystems,
  passkeyTypes,
  registeredMethods,
  targetedMethods,
} from '../../machines/vocabulary.ts';
import {
  type Action,
  actionsMax,
  fromFragment,
  initialSettings,
  type Settings,
  snoozeDays,
  states,
  toFragment,
  toScenario,
} from './settings.ts';
import { createTimeline, describeStatus, type Timeline } from './timeline.ts';

const actionLabels: Readonly<Record<Action, string>> = {
  'sign-in': 'Sign in',
  skip: 'Skip',
  close: 'Close browser',
  register: 'Register',
  hour: '+1 hour',
  day: '+1 day',
};

/** Form for tenant, user, device and actions, with the sentences of each verdict. */
export const Playground: Component = defineComponent({
  name: 'PlaygroundPage',
  setup() {
    const settings = shallowRef<Settings>(initialSettings);
    const timeline = shallowRef<Timeline | null>(null);
    const show = async (next: Settings): Promise<void> => {
      settings.value = next;
      history.replaceState(history.state, '', `#${toFragment(next)}`);
      const created = await createTimeline(next);
      if (settings.value === next) timeline.value = created;
    };
    onMounted(() => show(fromFragment(location.hash.slice(1))));
    const change = (part: Partial<Settings>): void => {
      show({ ...settings.value, ...part }).catch(reportError);
    };
    return () =>
      h('div', { class: 'playground' }, [
        choices(settings.value, change),
        timeline.value === null ? null : results(settings.value, timeline.value, change),
      ]);
  },
});

type Change = (part: Partial<Settings>) => void;

function choices(settings: Settings, change: Change): VNode {
  return h('form', { class: 'playground-choices', 'aria-label': 'Tenant, user and device' }, [
    select('Targeted method', targetedMethods, settings.method, (method) => change({ method })),
    select('Campaign state', states, settings.state, (state) => change({ state })),
    select('Snooze days', snoozeDays, String(settings.days), (days) => change({ days: Number(days) })),
    select('Limited snoozes', ['yes', 'no'], settings.limited ? 'yes' : 'no', (answer) =>
      change({ limited: answer === 'yes' }),
    ),
    select('Second factor', registeredMethods, settings.factor, (factor) => change({ factor })),
    select('Passkey', ['none', ...passkeyTypes], settings.passkey, (passkey) => change({ passkey })),
    select('Operating system', operatingSystems, settings.os, (os) => change({ os })),
    select('Browser', browsers, settings.browser, (browser) => change({ browser })),
  ]);
}

function select<T extends string>(label: string, values: readonly T[], chosen: T, change: (value: T) => void): VNode {
  const onChange = (event: Event): void => {
    const value = values.find((one) => one === (event.target as HTMLSelectElement).value);
    if (value !== undefined) change(value);
  };
  return h('label', [
    h('span', label),
    h(
      'select',
      { value: chosen, onChange },
      values.map((value) => h('option', { value, selected: value === chosen }, value)),
    ),
  ]);
}

function results(settings: Settings, timeline: Timeline, change: Change): VNode[] {
  return [
    h('h2', 'Timeline'),
    buttons(settings, timeline, change),
    h(
      'ol',
      timeline.steps.map(({ action, at, result }) =>
        h('li', [h('strong', actionLabels[action]), ` at ${at}: ${result}`]),
      ),
    ),
    h('p', { role: 'status' }, `${describeStatus(timeline.status)}.`),
    h('h2', 'Verdict of the latest sign-in'),
    verdictTable(timeline),
    ...savedScenario(settings, timeline),
  ];
}

function buttons({ actions }: Settings, { screen }: Timeline, change: Change): VNode {
  const isPrompt = screen === 'prompt' || screen === 'required';
  const possible: Readonly<Record<Action, boolean>> = {
    'sign-in': true,
    skip: screen === 'prompt',
    close: isPrompt,
    register: isPrompt,
    hour: true,
    day: true,
  };
  const names = Object.keys(actionLabels) as Action[];
  return h('div', { class: 'playground-actions' }, [
    ...names.map((name) =>
      button(actionLabels[name], possible[name] && actions.length < actionsMax, () =>
        change({ actions: [...actions, name] }),
      ),
    ),
    button('Undo', actions.length > 0, () => change({ actions: actions.slice(0, -1) })),
    button('Reset', true, () => change(initialSettings)),
  ]);
}

function verdictTable({ verdict }: Timeline): VNode {
  if (verdict === null) return h('p', 'There is no verdict yet. Sign in once.');
  const rows = verdict.rules.map(({ id, outcome, sentence }) =>
    h('tr', [h('td', id), h('td', ruleOutcomeLabels[outcome]), h('td', sentence)]),
  );
  const titles = ['Rule', 'Result', 'Explanation'].map((title) => h('th', { scope: 'col' }, title));
  return h('div', [
    h('p', [h('strong', verdict.headline)]),
    h('table', { tabindex: 0 }, [h('thead', h('tr', titles)), h('tbody', rows)]),
  ]);
}

function savedScenario(settings: Settings, { steps, expected }: Timeline): VNode[] {
  const actions = steps.filter(({ done }) => done).map(({ action }) => action);
  const scenario = toScenario({ ...settings, actions }, expected);
  const href = `data:text/yaml;charset=utf-8,${encodeURIComponent(scenario)}`;
  return [
    h('h2', 'Scenario'),
    h('p', [
      'Save it in a suite and run it with ',
      h('code', 'nudgelab run'),
      '. The address of this page contains the same settings. ',
      h('a', { download: 'playground.yaml', href }, 'Download the scenario'),
    ]),
    h('pre', { tabindex: 0, class: 'playground-scenario' }, scenario),
  ];
}

function button(label: string, isEnabled: boolean, onClick: () => void): VNode {
  return h('button', { type: 'button', disabled: !isEnabled, onClick }, label);
}
