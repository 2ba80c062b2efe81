/** Arrow keys that act like the page links. Keys that scroll the page keep their browser behavior. */
const links = { ArrowLeft: 'prev', ArrowRight: 'next' };

addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  const name = event.target instanceof HTMLInputElement ? undefined : links[event.key];
  const link = name === undefined ? null : document.querySelector(`a[data-to="${name}"]`);
  if (link === null) return;
  event.preventDefault();
  location.assign(link.href);
});

/** Scrolls the current page to the center of each list that is larger than its container. */
for (const list of document.querySelectorAll('.reading-strip, .reading-hits ol')) {
  const current = list.querySelector('[aria-current]')?.closest('li');
  if (!current) continue;
  list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
  list.scrollTop = current.offsetTop - (list.clientHeight - current.offsetHeight) / 2;
}
