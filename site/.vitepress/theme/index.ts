import { type Theme, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { nextTick, onMounted, watch } from 'vue';

/** The first page of VitePress has no main landmark, unlike all other pages. */
function markFirstPage(): void {
  document.querySelector('.VPContent.is-home')?.setAttribute('role', 'main');
}

export default {
  extends: DefaultTheme,
  setup: () => {
    const route = useRoute();
    onMounted(markFirstPage);
    watch(
      () => route.path,
      () => void nextTick(markFirstPage),
    );
  },
} satisfies Theme;
