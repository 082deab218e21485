/** The page's script: lists sessions and shows one run's timeline. Everything is inserted as text, never as markup. */
export const pageScript = `
'use strict';
const view = document.getElementById('view');
const element = (tag, text, attributes = {}) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};
// Not a relative path: the page's own URL may hold credentials, with which nothing can be fetched. A proxy may have put
// the page under a path.
const base = location.origin + location.pathname.replace(/\\/+$/, '');
const read = async (path) => {
  const response = await fetch(base + path, { headers: { accept: 'application/json' } });
  const body = await response.json();
  if (!response.ok) throw new Error(body.message || String(response.status));
  return body;
};
const row = (cells, tag = 'td') => {
  const made = element('tr');
  for (const cell of cells) {
    const holder = element(tag);
    holder.append(cell instanceof Node ? cell : String(cell ?? ''));
    made.append(holder);
  }
  return made;
};
const table = (head, rows) => {
  const made = element('table');
  const top = element('thead');
  top.append(row(head, 'th'));
  const body = element('tbody');
  body.append(...rows);
  made.append(top, body);
  return made;
};
const time = (text) => element('time', text ? text.replace('T', ' ').replace(/\\.\\d+Z$/, '') : '', { datetime: text || '' });
const link = (id) => element('a', id, { href: '#' + encodeURIComponent(id) });
const back = () => element('a', 'All sessions', { href: '#' });
const summary = ({ name, payload }) => {
  const call = payload.value && payload.value.tool_call;
  if (call) return (call.tool_name || call.tool_id) + '(' + Object.keys(call.args || {}).join(', ') + ')';
  return payload.message || payload.prompt || payload.status || payload.streaming_content || payload.phase || 'Details';
};
async function list(cursor) {
  const { items, next_cursor } = await read('/sessions?limit=50' + (cursor ? '&cursor=' + encodeURIComponent(cursor) : ''));
  const rows = items.map((item) =>
    row([link(item.session_id), item.swarm_name || item.agent_name || '', item.status, time(item.created_at), time(item.ended_at)]));
  const shown = [element('h2', 'Sessions'), items.length
    ? table(['Session', 'Agent', 'Status', 'Started', 'Ended'], rows)
    : element('p', 'No sessions yet.')];
  if (!next_cursor) return shown;
  const more = element('button', 'Older', { type: 'button' });
  more.addEventListener('click', () => show(() => list(next_cursor)));
  return [...shown, more];
}
async function session(id) {
  const path = '/sessions/' + encodeURIComponent(id);
  const [snapshot, { items }] = await Promise.all([read(path), read(path + '/events')]);
  const rows = items.map((event) => {
    const details = element('details');
    details.append(element('summary', summary(event)), element('pre', JSON.stringify(event.payload, null, 2)));
    return row([time(event.at), event.name === 'enrichment' ? event.payload.phase : event.name, details]);
  });
  const waiting = snapshot.pending_calls.map((call) => call.tool_name).join(', ');
  return [back(), element('h2', id),
    element('p', snapshot.status + (waiting ? ', waiting for ' + waiting : '')),
    table(['Time', 'Event', 'Details'], rows)];
}
// What had the focus is gone when something else is shown. The keyboard continues here, and a screen reader reads it.
const start = 'h2, [role=alert]';
// The latest request is shown, whichever response arrives last.
let requests = 0;
async function show(make) {
  const mine = ++requests;
  const failed = (error) => [...(location.hash ? [back()] : []), element('p', 'Failed: ' + error.message, { role: 'alert' })];
  const shown = await make().catch(failed);
  if (mine !== requests) return;
  const isFirst = !view.querySelector(start);
  view.replaceChildren(...shown);
  if (isFirst) return;
  const next = view.querySelector(start);
  next.tabIndex = -1;
  next.focus();
}
const route = () => show(async () => {
  const id = decodeURIComponent(location.hash.slice(1));
  return id ? session(id) : list();
});
addEventListener('hashchange', route);
route();
`;
