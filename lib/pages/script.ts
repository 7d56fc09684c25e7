/**
 * What a page does in a browser that permits scripts: it copies commands, filters the requirements, and follows links to them.
 * It keeps the filter in the address (`#?verdict=fail&words=redirect`), so that a link can carry it. Everything stands in the
 * page already; nothing is made from text of a target.
 */
export const SCRIPT = String.raw`
'use strict';
for (const button of document.querySelectorAll('[data-copy]')) {
  const text = button.parentElement.querySelector('code').textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    let isCopied = true;
    try { await navigator.clipboard.writeText(text); } catch { isCopied = copiedBySelection(button.parentElement.querySelector('code')); }
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}
// Pages that were not opened over https or from this machine have no clipboard.
function copiedBySelection(code) {
  getSelection().selectAllChildren(code);
  return document.execCommand('copy');
}

// A filter: each field of the form is compared with the data of that name of each row, and 'words' with its text.
const form = document.querySelector('form.filter');
const fields = form === null ? [] : [...form.querySelectorAll('[name]')];
const rows = [...document.querySelectorAll('[data-row]')].map((row) => ({ row, text: row.textContent.toLowerCase() }));

function apply() {
  const words = form.words.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
  let shown = 0;
  for (const { row, text } of rows) {
    const fits = fields.every(({ name, value }) => name === 'words' || value === '' || value === row.dataset[name]) &&
      words.every((word) => text.includes(word));
    row.hidden = !fits;
    if (fits) shown++;
  }
  for (const group of document.querySelectorAll('[data-group]')) group.hidden = group.querySelector('[data-row]:not([hidden])') === null;
  form.querySelector('[role=status]').textContent = shown + ' of ' + rows.length + ' rows are shown.';
}

function remember() {
  const filter = new URLSearchParams(fields.flatMap(({ name, value }) => (value === '' ? [] : [[name, value]])));
  history.replaceState(null, '', '#' + (filter.size === 0 ? 'content' : '?' + filter));
}

function follow() {
  let name;
  try { name = decodeURIComponent(location.hash.slice(1)); } catch { return; }
  if (form !== null && name.startsWith('?')) {
    const filter = new URLSearchParams(location.hash.slice(2));
    for (const field of fields) field.value = filter.get(field.name) ?? '';
    apply();
    form.scrollIntoView();
    return;
  }
  const meant = document.getElementById(name);
  if (meant === null) return;
  if (meant.hidden) { form.reset(); apply(); }
  if (meant.tagName === 'DETAILS') meant.open = true;
  meant.scrollIntoView();
}

if (form !== null) {
  form.hidden = false;
  form.addEventListener('input', () => { apply(); remember(); });
  form.addEventListener('reset', () => setTimeout(() => { apply(); remember(); }));
  form.addEventListener('submit', (event) => event.preventDefault());
  apply();
}
addEventListener('hashchange', follow);
follow();
`;
