import { RedisScript } from '../redis-script.js';

/*
 * `documents:<place>` is a hash from id to `<version> <created> <updated> <expires or -> <writer.step>`, a line feed
 * and the value; `order:<place>` has the ids by creation; `expiring` the places and ids of documents by expiry.
 */

/**
 * KEYS: documents, order. ARGV: base, place, id, value, now, expires or '-', expected version or '', writer.step. A malformed
 * document has no version. Returns the version and creation time, or nothing.
 */
export const putScript = new RedisScript(
  'write a document',
  `
local stored = redis.call('HGET', KEYS[1], ARGV[3])
local version, created, updated, expires, step
if stored then version, created, updated, expires, step = string.match(stored, '^(%d+) (%S+) (%S+) (%S+) (%S+)\\n') end
if step == ARGV[8] then return { version, created } end
if (tonumber(expires) or math.huge) <= tonumber(ARGV[5]) then stored = nil end
local current = stored and (version or 'none') or '0'
if ARGV[7] ~= '' and ARGV[7] ~= current then return false end
local nextVersion = (tonumber(current) or 0) + 1
if not (stored and version and tonumber(created)) then
  created = ARGV[5]
  redis.call('ZADD', KEYS[2], redis.call('INCR', ARGV[1] .. 'creations'), ARGV[3])
end
local head = table.concat({ nextVersion, created, ARGV[5], ARGV[6], ARGV[8] }, ' ')
redis.call('HSET', KEYS[1], ARGV[3], head .. '\\n' .. ARGV[4])
local place = #ARGV[2] .. ' ' .. ARGV[2] .. ARGV[3]
if ARGV[6] == '-' then redis.call('ZREM', ARGV[1] .. 'expiring', place)
else redis.call('ZADD', ARGV[1] .. 'expiring', ARGV[6], place) end
return { nextVersion, created }
`,
);

/** KEYS: documents. ARGV: id. */
export const readDocumentScript = new RedisScript(
  'read a document',
  `return redis.call('HGET', KEYS[1], ARGV[1])`,
);

/** KEYS: documents, order. ARGV: now, maximum documents, '1' for newest first. Returns ids and stored values. */
export const listDocumentsScript = new RedisScript(
  'list documents',
  `
local found, limit, at = {}, 2 * tonumber(ARGV[2]), 0
while #found < limit do
  local ids = redis.call(ARGV[3] == '1' and 'ZREVRANGE' or 'ZRANGE', KEYS[2], at, at + 99)
  if #ids == 0 then break end
  for i, stored in ipairs(redis.call('HMGET', KEYS[1], unpack(ids))) do
    local expires = stored and string.match(stored, '^%S+ %S+ %S+ (%S+)')
    if stored and (tonumber(expires) or math.huge) > tonumber(ARGV[1]) and #found < limit then
      found[#found + 1] = ids[i]
      found[#found + 1] = stored
    end
  end
  at = at + 100
end
return found
`,
);

/** KEYS: documents, order. ARGV: base, place, id. */
export const deleteScript = new RedisScript(
  'remove a document',
  `
redis.call('ZREM', KEYS[2], ARGV[3])
redis.call('ZREM', ARGV[1] .. 'expiring', #ARGV[2] .. ' ' .. ARGV[2] .. ARGV[3])
return redis.call('HDEL', KEYS[1], ARGV[3])
`,
);

/** KEYS: counter. ARGV: base, name, by, now, expires, writer, step. */
export const incrementScript = new RedisScript(
  'increment a counter',
  `
local counter = redis.call('HMGET', KEYS[1], 'value', 'expires', 'by:' .. ARGV[6])
local step, value = string.match(counter[3] or '', '^(%S+) (%S+)$')
if step == ARGV[7] then return value end
value = tonumber(counter[1] or '0')
if counter[2] and tonumber(counter[2]) <= tonumber(ARGV[4]) then
  redis.call('DEL', KEYS[1])
  counter[2], value = false, 0
end
value = string.format('%.17g', value + tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], 'value', value, 'by:' .. ARGV[6], ARGV[7] .. ' ' .. value)
if not counter[2] then
  redis.call('HSET', KEYS[1], 'expires', ARGV[5])
  redis.call('ZADD', ARGV[1] .. 'counters', ARGV[5], ARGV[2])
end
return value
`,
);

/** KEYS: expiring documents, counters. ARGV: base, now, maximum of each. Returns how many were removed. */
export const expireScript = new RedisScript(
  'remove expired data',
  `
local documents = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[2], 'LIMIT', 0, ARGV[3])
for _, place in ipairs(documents) do
  local size, rest = string.match(place, '^(%d+) (.*)$')
  local collection, id = string.sub(rest, 1, tonumber(size)), string.sub(rest, tonumber(size) + 1)
  redis.call('HDEL', ARGV[1] .. 'documents:' .. collection, id)
  redis.call('ZREM', ARGV[1] .. 'order:' .. collection, id)
  redis.call('ZREM', KEYS[1], place)
end
local counters = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[2], 'LIMIT', 0, ARGV[3])
for _, name in ipairs(counters) do
  redis.call('UNLINK', ARGV[1] .. 'counter:' .. name)
  redis.call('ZREM', KEYS[2], name)
end
return #documents + #counters
`,
);
