import { RedisScript } from '../redis-script.js';
import { VALUES_PER_ENTRY } from './entry-codec.js';

/** Only the newest 32 writers are kept. */
const MOST_EPOCHS = 32;
/** Beyond this size, entries are not published; followers read them from the stream. */
const LARGEST_NEWS_BYTES = 128 * 1024;
/** The maximum size of one read, except for a single entry that is larger. */
const LARGEST_PAGE_BYTES = 512 * 1024;

/** A stream is trimmed to its maximum length once per this many entries. */
const TRIM_EVERY = 256;

/**
 * KEYS: state, stream. ARGV: epoch, now, expiry ms, channel, most entries, then for each entry its number, kind letter,
 * frames, safe frames and note; the last two begin with `+` or are empty. Returns `stale`, or for each entry 0 if it is
 * stored, else the newest number plus one. The expiry is extended once a sixteenth of it has passed.
 */
export const appendScript = new RedisScript(
  'append an event',
  `
local call = redis.call
local state = call('HMGET', KEYS[1], 'epoch', 'head', 'from', 'prolonged')
if state[1] ~= ARGV[1] then return 'stale' end
local head, from = tonumber(state[2]), tonumber(state[3])
local outcomes, ends, texts, safes = {}, {}, {}, {}
local first, kind, turn, mustTrim
for i = 6, #ARGV, ${VALUES_PER_ENTRY} do
  local seq, letter, frames, safe, note = tonumber(ARGV[i]), ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4]
  local outcome = 0
  if seq == head + 1 then
    local size = letter .. #frames
    if letter == 'e' and safe == '' and note == '' then
      call('XADD', KEYS[2], ARGV[i] .. '-0', 'f', frames)
    else
      local fields = { 'f', frames }
      if letter ~= 'e' then fields[#fields + 1] = 'k'; fields[#fields + 1] = letter end
      if safe ~= '' then
        safe = string.sub(safe, 2)
        fields[#fields + 1] = 's'; fields[#fields + 1] = safe
        safes[#safes + 1] = safe
        size = size .. ':' .. #safe
      end
      if note ~= '' then fields[#fields + 1] = 'n'; fields[#fields + 1] = string.sub(note, 2) end
      call('XADD', KEYS[2], ARGV[i] .. '-0', unpack(fields))
    end
    head = seq
    first = first or ARGV[i]
    kind = letter
    if letter == 's' then turn = ARGV[i] end
    if seq % ${TRIM_EVERY} == 0 then mustTrim = true end
    ends[#ends + 1] = size
    texts[#texts + 1] = frames
  elseif seq > head or seq < from then
    outcome = head + 1
  end
  outcomes[#outcomes + 1] = outcome
end
if first then
  call('HSET', KEYS[1], 'head', head, 'kind', kind)
  if turn then call('HSET', KEYS[1], 'turn', turn) end
  if mustTrim then call('XTRIM', KEYS[2], 'MAXLEN', '~', ARGV[5]) end
  if math.abs(ARGV[2] - state[4]) > ARGV[3] / 17 then
    call('HSET', KEYS[1], 'prolonged', ARGV[2])
    call('PEXPIRE', KEYS[1], ARGV[3])
    call('PEXPIRE', KEYS[2], ARGV[3])
  end
  local text = table.concat(texts) .. table.concat(safes)
  if #text > ${LARGEST_NEWS_BYTES} then
    call('PUBLISH', ARGV[4], 'more')
  else
    call('PUBLISH', ARGV[4], 'page ' .. first .. ' ' .. table.concat(ends, ',') .. '\\n' .. text)
  end
end
return outcomes
`,
);

/** The status that the scripts below return: epochs, newest number, turn, newest kind, stored entries. */
const status = `{ redis.call('HMGET', KEYS[1], 'epochs', 'head', 'turn', 'kind'), redis.call('XLEN', KEYS[2]) }`;

/**
 * KEYS: state, stream. ARGV: new epoch, now, expiry ms, channel, and the caller's previous epoch or ''. Returns the
 * status and the checkpoint, or `stale` if the session has a different writer. A command sent again because its reply
 * was lost changes nothing. If the state was evicted, the numbering continues from the stream's last id.
 */
export const openScript = new RedisScript(
  'open a session',
  `
local state = redis.call('HMGET', KEYS[1], 'head', 'epoch', 'epochs')
local head, current = state[1], state[2]
local function opened() return { ${status}, redis.call('HGET', KEYS[1], 'checkpoint') } end
if current == ARGV[1] then return opened() end
if ARGV[5] ~= '' and current and current ~= ARGV[5] then return 'stale' end
-- The command was sent again after another writer had taken over.
if string.find(' ' .. (state[3] or ''), ' ' .. ARGV[1] .. ':', 1, true) then return 'stale' end
if not head then
  head = '0'
  if redis.call('EXISTS', KEYS[2]) == 1 then
    local info = redis.call('XINFO', 'STREAM', KEYS[2])
    for i = 1, #info, 2 do
      if info[i] == 'last-generated-id' then head = string.match(info[i + 1], '^%d+') end
    end
  end
  redis.call('HSET', KEYS[1], 'head', head)
end
local from = string.format('%.0f', tonumber(head) + 1)
local epochs = {}
for epoch in string.gmatch(state[3] or '', '%S+') do epochs[#epochs + 1] = epoch end
epochs[#epochs + 1] = ARGV[1] .. ':' .. from
local kept = table.concat(epochs, ' ', math.max(1, #epochs - ${MOST_EPOCHS} + 1))
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'from', from, 'epochs', kept, 'prolonged', '0')
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], 'open')
return opened()
`,
);

/** KEYS: state, stream. */
export const statusScript = new RedisScript('read the state of a session', `return ${status}`);

/**
 * KEYS: state, stream. ARGV: number after which to read, maximum entries. Returns the status and the entries, up to
 * `LARGEST_PAGE_BYTES` but at least one if there is any.
 */
export const readScript = new RedisScript(
  'read events',
  `
local session, entries, bytes, after = ${status}, {}, 0, ARGV[1]
repeat
  local found = redis.call('XRANGE', KEYS[2], '(' .. after .. '-0', '+', 'COUNT', 20)
  for _, entry in ipairs(found) do
    for _, text in ipairs(entry[2]) do bytes = bytes + #text end
    if #entries > 0 and bytes > ${LARGEST_PAGE_BYTES} then return { session, entries } end
    entries[#entries + 1] = entry
    after = string.match(entry[1], '^%d+')
  end
until #found < 20 or #entries >= tonumber(ARGV[2])
return { session, entries }
`,
);

/** KEYS: stream. ARGV: number after which to read, maximum entries. Returns the last number read, then numbers and notes. */
export const notesScript = new RedisScript(
  'read notes',
  `
local notes = { '' }
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '(' .. ARGV[1] .. '-0', '+', 'COUNT', ARGV[2])) do
  local seq, fields = string.match(entry[1], '^%d+'), entry[2]
  notes[1] = seq
  for i = 1, #fields, 2 do
    if fields[i] == 'n' then notes[#notes + 1] = seq; notes[#notes + 1] = fields[i + 1] end
  end
end
return notes
`,
);

/** KEYS: state, stream. ARGV: epoch, first number kept, checkpoint. */
export const trimScript = new RedisScript(
  'trim a session',
  `
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('XTRIM', KEYS[2], 'MINID', '=', ARGV[2] .. '-0')
redis.call('HSET', KEYS[1], 'checkpoint', ARGV[3])
return 1
`,
);

/** KEYS: state, stream. ARGV: channel. */
export const removeScript = new RedisScript(
  'remove a session',
  `
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('PUBLISH', ARGV[1], 'gone')
return 1
`,
);
