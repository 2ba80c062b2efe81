/**
 * The chart library formats numbers in the browser's language as soon as it loads. A browser started under a POSIX
 * locale reports a language that no formatter supports, so English is used instead.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
