import { RedisScript } from '../redis-script.js';

/*
 * All keys of a store share one prefix with a hash tag; scripts get it as ARGV[1] and build the other keys from it.
 * `run:<id>` is a hash, `journal:<id>` a stream whose ids are the record numbers, `keys:<id>` a set, `slots:<id>` a
 * hash; `all`, `project:<id>`, `thread:<id>`, `open` and `open:<project>` index runs by creation time, `ended` by end
 * time; `owner:<name>` is the set of an owner's unfinished runs.
 *
 * A writer numbers its steps. A step sent again because its reply was lost finds its number and changes nothing.
 *
 * A script that goes through many runs must not fail at one whose key holds another type.
 */

const allFields = `'project', 'key', 'thread', 'status', 'created', 'updated', 'ended', 'labels', 'request', 'owner', 'lease', 'epoch', 'last'`;

/** The same fields without the request, which can be large: the empty name in its place is never a field. */
const summaryFields = allFields.replace("'request'", "''");

/**
 * KEYS: run. ARGV: base, id, writer, step, project, key, thread or '', labels, request, now, owner, lease end, limit or ''.
 * At the limit, runs that were removed by hand or evicted are forgotten, since nothing would ever end them.
 */
export const createScript = new RedisScript(
  'create a run',
  `
local base, id, project, thread, now, owner = ARGV[1], ARGV[2], ARGV[5], ARGV[7], ARGV[10], ARGV[11]
if redis.call('EXISTS', KEYS[1]) == 1 then
  return redis.call('HGET', KEYS[1], 'create:' .. ARGV[3]) == ARGV[4] and 'created' or 'taken'
end
local limit = tonumber(ARGV[13])
local open = base .. 'open:' .. project
if limit and redis.call('ZCARD', open) >= limit then
  for _, each in ipairs(redis.call('ZRANGE', open, 0, -1)) do
    if redis.call('EXISTS', base .. 'run:' .. each) == 0 then redis.call('ZREM', open, each) end
  end
  if redis.call('ZCARD', open) >= limit then return 'too many' end
end
redis.call('HSET', KEYS[1], 'project', project, 'key', ARGV[6], 'labels', ARGV[8], 'request', ARGV[9],
  'status', 'pending', 'created', now, 'updated', now, 'owner', owner, 'lease', ARGV[12], 'epoch', '1', 'last', '0',
  'create:' .. ARGV[3], ARGV[4])
for _, index in ipairs({ 'all', 'project:' .. project, 'open', 'open:' .. project }) do
  redis.call('ZADD', base .. index, now, id)
end
if thread ~= '' then
  redis.call('HSET', KEYS[1], 'thread', string.sub(thread, 2))
  redis.call('ZADD', base .. 'thread:' .. string.sub(thread, 2), now, id)
end
redis.call('SADD', base .. 'owner:' .. owner, id)
return 'created'
`,
);

/** KEYS: run. */
export const readRunScript = new RedisScript(
  'read a run',
  `return redis.call('HMGET', KEYS[1], ${allFields})`,
);

/**
 * KEYS: run. ARGV: base, id, writer, step, owner, now, lease end. Returns the run, or nothing. A run whose
 * owner, lease or epoch is malformed is returned as it is: decoding it says so.
 */
export const claimScript = new RedisScript(
  'claim a run',
  `
local run = redis.pcall('HMGET', KEYS[1], 'owner', 'lease', 'ended', 'epoch', 'claim:' .. ARGV[3])
if run.err then return { '' } end
if not run[4] or run[3] then return false end
local lease = tonumber(run[2])
local isRepeat = run[5] == ARGV[4]
if run[1] and lease and string.match(run[4], '^%d+$') then
  -- A repeated step may come after another owner has claimed the run: it stays with that one.
  if run[1] ~= ARGV[5] and (isRepeat or lease > tonumber(ARGV[6])) then return false end
  if not isRepeat then
    redis.call('SREM', ARGV[1] .. 'owner:' .. run[1], ARGV[2])
    redis.call('SADD', ARGV[1] .. 'owner:' .. ARGV[5], ARGV[2])
    redis.call('HSET', KEYS[1], 'owner', ARGV[5], 'lease', ARGV[7], 'epoch', string.format('%.0f', run[4] + 1),
      'claim:' .. ARGV[3], ARGV[4])
  end
end
return redis.call('HMGET', KEYS[1], ${allFields})
`,
);

/** KEYS: the owner's runs. ARGV: base, lease end. Forgets runs that were removed by hand. */
export const renewScript = new RedisScript(
  'renew leases',
  `
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local run = ARGV[1] .. 'run:' .. id
  if redis.pcall('HEXISTS', run, 'epoch') == 1 then redis.call('HSET', run, 'lease', ARGV[2])
  else redis.call('SREM', KEYS[1], id) end
end
`,
);

/** KEYS: run. ARGV: epoch. */
export const releaseScript = new RedisScript(
  'release a run',
  `if redis.call('HGET', KEYS[1], 'epoch') == ARGV[1] then redis.call('HSET', KEYS[1], 'lease', '0') end`,
);

/**
 * KEYS: run. ARGV: base, id, writer, step, epoch or '', now, status or '', '1' to end it, channel, newest known number,
 * then for each entry its kind, data, key and slot; the last two begin with `+` or are empty. Returns the outcome and its
 * detail.
 */
export const appendScript = new RedisScript(
  'append to a run',
  `
local base, id, now = ARGV[1], ARGV[2], ARGV[6]
local run = redis.call('HMGET', KEYS[1], 'epoch', 'ended', 'last', 'append:' .. ARGV[3], 'project', 'owner')
if not run[1] then return { 'missing' } end
local step, last = string.match(run[4] or '', '^(%d+) (%d+)$')
if step == ARGV[4] then return { 'appended', last } end
if ARGV[5] ~= '' and ARGV[5] ~= run[1] then return { 'stale' } end
if run[2] then return { 'ended' } end
-- Asked first, since what a failing script has written stays.
local seq = tonumber(string.match(run[3] or '', '^%d+$'))
if not (seq and run[5] and run[6]) then return { 'unreadable' } end
if seq < tonumber(ARGV[10]) then return { 'stale' } end
local seen = {}
for i = 13, #ARGV, 4 do
  local key = ARGV[i]
  if key ~= '' then
    if seen[key] or redis.call('SISMEMBER', base .. 'keys:' .. id, string.sub(key, 2)) == 1 then
      return { 'duplicate', string.sub(key, 2) }
    end
    seen[key] = true
  end
end
for i = 11, #ARGV, 4 do
  seq = seq + 1
  local number, key, slot = string.format('%.0f', seq), ARGV[i + 2], ARGV[i + 3]
  local fields = { 'k', ARGV[i], 'd', ARGV[i + 1], 'a', now }
  if key ~= '' then
    key = string.sub(key, 2)
    fields[#fields + 1] = 'y'; fields[#fields + 1] = key
    redis.call('SADD', base .. 'keys:' .. id, key)
  end
  if slot ~= '' then
    slot = string.sub(slot, 2)
    fields[#fields + 1] = 's'; fields[#fields + 1] = slot
    local earlier = redis.call('HGET', base .. 'slots:' .. id, slot)
    if earlier then redis.call('XDEL', base .. 'journal:' .. id, earlier .. '-0') end
    redis.call('HSET', base .. 'slots:' .. id, slot, number)
  end
  redis.call('XADD', base .. 'journal:' .. id, number .. '-0', unpack(fields))
end
last = string.format('%.0f', seq)
redis.call('HSET', KEYS[1], 'last', last, 'updated', now, 'append:' .. ARGV[3], ARGV[4] .. ' ' .. last)
if ARGV[7] ~= '' then redis.call('HSET', KEYS[1], 'status', ARGV[7]) end
if ARGV[8] == '1' then
  redis.call('HSET', KEYS[1], 'ended', now)
  redis.call('ZREM', base .. 'open', id)
  redis.call('ZREM', base .. 'open:' .. run[5], id)
  redis.call('SREM', base .. 'owner:' .. run[6], id)
  redis.call('ZADD', base .. 'ended', now, id)
end
redis.call('PUBLISH', ARGV[9], last)
return { 'appended', last }
`,
);

/**
 * KEYS: run. ARGV: base, id, number after which to read, maximum records. Returns the state and the records: 0 if nothing
 * more will come (the run is missing, or records before the number are lost), 1 if it is open, 2 if it has ended, 3 if it
 * is malformed or its last record is missing.
 */
export const readJournalScript = new RedisScript(
  'read a journal',
  `
local run = redis.call('HMGET', KEYS[1], 'epoch', 'ended', 'last')
if not run[1] then return { 0, {} } end
local last = tonumber(string.match(run[3] or '', '^%d+$'))
if not last then return { 3, {} } end
if last < tonumber(ARGV[3]) then return { 0, {} } end
local journal = ARGV[1] .. 'journal:' .. ARGV[2]
local records = redis.call('XRANGE', journal, '(' .. ARGV[3] .. '-0', '+', 'COUNT', ARGV[4])
if #records == 0 and last > tonumber(ARGV[3]) then return { 3, {} } end
return { run[2] and 2 or 1, records }
`,
);

/**
 * KEYS: an index. ARGV: base, maximum runs, latest time or '+inf', and the id to stay before in that millisecond; then the
 * filters, each '' or with `+`: project, 'yes' or 'no' for ended, the claiming owner; and the current time.
 * Returns how far it looked (nothing if it reached the end), then the id, summary and time of each run found.
 */
export const listScript = new RedisScript(
  'list runs',
  `
-- Compares bytes, as a sorted set does; < would compare by the server's locale.
local function precedes(one, other)
  for i = 1, math.min(#one, #other) do
    local left, right = string.byte(one, i), string.byte(other, i)
    if left ~= right then return left < right end
  end
  return #one < #other
end
local base, limit, time, id = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local project, ended, owner, now = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8])
local found, offset, looked = { false }, 0, 0
while #found <= limit do
  local page = redis.call('ZREVRANGEBYSCORE', KEYS[1], time, '-inf', 'WITHSCORES', 'LIMIT', offset, 100)
  if #page == 0 then return found end
  for i = 1, #page, 2 do
    local each, score = page[i], page[i + 1]
    if time == '+inf' or tonumber(score) < tonumber(time) or precedes(each, id) then
      local run = redis.pcall('HMGET', base .. 'run:' .. each, ${summaryFields})
      if run.err then run = { '' } end
      local fits = run[1] and (project == '' or '+' .. run[1] == project)
        and (ended == '' or (run[7] and '+yes' or '+no') == ended)
        and (owner == '' or not run[7] and (run[10] == string.sub(owner, 2) or (tonumber(run[11]) or 0) <= now))
      if fits then found[#found + 1] = { each, run, score } end
      if #found > limit then return found end
      looked = looked + 1
      if looked >= 1000 then
        found[1] = { score, each }
        return found
      end
    end
  end
  offset = offset + 100
end
return found
`,
);

/** KEYS: ended runs. ARGV: base, end time limit, maximum runs. Publishes nothing: ended runs have no followers. */
export const sweepScript = new RedisScript(
  'remove old runs',
  `
local base = ARGV[1]
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[2], 'LIMIT', 0, ARGV[3])
for _, id in ipairs(ids) do
  local run = redis.pcall('HMGET', base .. 'run:' .. id, 'project', 'thread')
  redis.call('ZREM', base .. 'all', id)
  redis.call('ZREM', base .. 'ended', id)
  if run[1] then redis.call('ZREM', base .. 'project:' .. run[1], id) end
  if run[2] then redis.call('ZREM', base .. 'thread:' .. run[2], id) end
  redis.call('UNLINK', base .. 'run:' .. id, base .. 'journal:' .. id, base .. 'keys:' .. id, base .. 'slots:' .. id)
end
return #ids
`,
);
