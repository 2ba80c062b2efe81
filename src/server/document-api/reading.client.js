/** Keys of the reading page: what they do, links do too. */
const links = {
  ArrowLeft: 'prev',
  ArrowRight: 'next',
  PageUp: 'prev',
  PageDown: 'next',
  Home: 'first',
  End: 'last',
};

addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  const field = event.target instanceof HTMLInputElement;
  if (event.key === '/' && !field) {
    event.preventDefault();
    document.querySelector('input[name="q"]')?.focus();
    return;
  }
  const name = field ? undefined : links[event.key];
  const link = name === undefined ? null : document.querySelector(`a[data-to="${name}"]`);
  if (link === null) return;
  event.preventDefault();
  location.assign(link.href);
});
