/* What the reference does: examples with this page's own address, copying, the search, and the contents on a small screen. */
const origin = location.origin;
for (const code of document.querySelectorAll('pre code')) {
  const text = code.textContent;
  const here = text.replaceAll('http://127.0.0.1:8787', origin).replaceAll('$BASE/', `${origin}/`);
  if (here !== text) code.textContent = here;
}

document.addEventListener('click', async (event) => {
  const button = event.target.closest('pre button');
  if (!button) return;
  await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent);
  button.textContent = 'Copied';
  setTimeout(() => { button.textContent = 'Copy'; }, 1500);
});

const menu = document.querySelector('.menu');
const contents = document.querySelector('#contents');
function open(isOpen) {
  menu.setAttribute('aria-expanded', String(isOpen));
  document.body.classList.toggle('drawn', isOpen);
  if (isOpen) contents.querySelector('a').focus();
}
menu.addEventListener('click', () => open(menu.getAttribute('aria-expanded') !== 'true'));
contents.addEventListener('click', (event) => { if (event.target.closest('a')) open(false); });
contents.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });

const input = document.querySelector('#search');
const list = document.querySelector('#found');
let entries;
let chosen = -1;

async function show() {
  entries ??= fetch('/docs/search.json').then((answer) => answer.json());
  const words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const all = words.length === 0 ? [] : await entries;
  const rank = ([title, more]) => {
    const name = title.toLowerCase();
    const text = `${name} ${more.toLowerCase()}`;
    if (!words.every((word) => text.includes(word))) return 9;
    return name === words.join(' ') ? 0 : name.startsWith(words[0]) ? 1 : words.every((word) => name.includes(word)) ? 2 : 3;
  };
  const found = all.map((entry) => [rank(entry), entry]).filter(([score]) => score < 9).sort(([a], [b]) => a - b).slice(0, 12);
  chosen = -1;
  list.replaceChildren(...found.map(([, [title, more, href]], index) => {
    const item = document.createElement('li');
    item.id = `found-${index}`;
    item.setAttribute('role', 'option');
    const link = document.createElement('a');
    link.href = href;
    link.tabIndex = -1;
    const name = document.createElement('strong');
    name.textContent = title;
    const about = document.createElement('span');
    about.textContent = more;
    link.append(name, about);
    item.append(link);
    return item;
  }));
  if (words.length > 0 && found.length === 0) {
    const none = document.createElement('li');
    none.setAttribute('role', 'option');
    none.setAttribute('aria-disabled', 'true');
    none.textContent = 'Nothing found';
    list.append(none);
  }
  shown(words.length > 0);
}

function shown(isShown) {
  list.hidden = !isShown;
  input.setAttribute('aria-expanded', String(isShown));
  if (!isShown) input.removeAttribute('aria-activedescendant');
}

function choose(step) {
  const items = [...list.querySelectorAll('[id]')];
  if (items.length === 0) return;
  chosen = (chosen + step + items.length) % items.length;
  for (const [index, item] of items.entries()) item.setAttribute('aria-selected', String(index === chosen));
  input.setAttribute('aria-activedescendant', items[chosen].id);
  items[chosen].scrollIntoView({ block: 'nearest' });
}

input.addEventListener('input', show);
input.addEventListener('focus', () => { if (input.value !== '') void show(); });
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    choose(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Enter') list.querySelectorAll('a')[Math.max(0, chosen)]?.click();
});
list.addEventListener('click', (event) => { if (event.target.closest('a')) shown(false); });
document.addEventListener('click', (event) => { if (!event.target.closest('.search')) shown(false); });
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.target.matches('input, textarea')) {
    event.preventDefault();
    input.focus();
  } else if (event.key === 'Escape') {
    shown(false);
    if (menu.getAttribute('aria-expanded') === 'true') {
      open(false);
      menu.focus();
    }
  }
});
