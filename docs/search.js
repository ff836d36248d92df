/* Search in names.js, [name, where, what it is], by parts of words; page.html?q=WORDS begins with it. */
(function () {
  const input = document.querySelector('#search input'), list = document.querySelector('#search ol');
  let at = 0;

  function find(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean).map(w => w.replace(/_[fc](32|64)$/, ''));
    const found = [];
    for (const [name, where, what] of words.length ? names : []) {
      const low = name.toLowerCase(), all = low + ' ' + what.toLowerCase();
      if (!words.every(w => all.includes(w))) continue;
      const place = low.replace(/^convk_/, '').indexOf(words[0].replace(/^convk_/, ''));
      found.push([place === 0 ? 0 : place > 0 ? 1 : 2, name.length, name, where, what]);
    }
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0, 14);
  }

  function show() {
    const found = find(input.value);
    at = 0;
    list.replaceChildren(...found.map(([, , name, where, what]) => {
      const item = document.createElement('li'), link = document.createElement('a'), said = document.createElement('span');
      link.href = where;
      link.textContent = name;
      said.textContent = what;
      link.append(said);
      item.append(link);
      return item;
    }));
    if (!found.length && input.value.trim()) list.innerHTML = '<li class="none">nothing found</li>';
    mark(0);
  }

  function mark(step) {
    const links = [...list.querySelectorAll('a')];
    if (!links.length) return;
    at = (at + step + links.length) % links.length;
    links.forEach((link, i) => link.classList.toggle('at', i === at));
    if (step) links[at].scrollIntoView({ block: 'nearest' });
  }

  function close() {
    input.value = '';
    list.replaceChildren();
  }

  input.addEventListener('input', show);
  input.addEventListener('keydown', e => {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') mark(e.key === 'ArrowDown' ? 1 : -1);
    else if (e.key === 'Enter') list.querySelector('a.at')?.click();
    else if (e.key === 'Escape') close(), input.blur();
    else return;
    e.preventDefault();
  });
  list.addEventListener('click', () => setTimeout(close));
  document.addEventListener('click', e => { if (!e.target.closest('#search')) list.replaceChildren(); });
  document.addEventListener('keydown', e => {
    if (e.key === '/' && document.activeElement !== input) input.focus(), e.preventDefault();
  });
  const asked = new URLSearchParams(location.search).get('q');
  if (asked) {
    input.value = asked;
    show();
  }
})();
