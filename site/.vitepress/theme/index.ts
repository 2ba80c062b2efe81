import { type Theme, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineAsyncComponent, nextTick, onMounted, watch } from 'vue';

/** The first page of VitePress has no main landmark, unlike all other pages. */
function markFirstPage(): void {
  document.querySelector('.VPContent.is-home')?.setAttribute('role', 'main');
}

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    // Only the page that needs the rules and state machines loads them.
    app.component(
      'PlaygroundPage',
      defineAsyncComponent(async () => (await import('../../playground/playground.ts')).Playground),
    );
  },
  setup: () => {
    const route = useRoute();
    onMounted(markFirstPage);
    watch(
      () => route.path,
      () => void nextTick(markFirstPage),
    );
  },
} satisfies Theme;
