/**
 * The Lua script by which Redis counts: the same windows and slots as sliding-window.ts, in one atomic step.
 *
 * A window is a list of slots, oldest first, each written "last:count": the last millisecond the slot covers, and how
 * many calls had ever been accepted by its end. The first entry is the last slot that has left: its count is where the
 * window begins, so no separate total can differ from the list. Entries do not depend on the limit they were made
 * under: an operator may change a limit and the counts stay true.
 *
 * What happens without Redis is decided in redis-limits.ts.
 */

import { type CommandParser, defineScript } from 'redis'
import type { Rule } from './rule.ts'
import { spansOf } from './sliding-window.ts'

/** How much longer than its window a list is kept, for nodes whose clocks differ. */
const GRACE_MS = 60_000

const SCRIPT = `
local now = tonumber(ARGV[1])
local grace = tonumber(ARGV[2])
local windows = {
  { key = KEYS[1], max = tonumber(ARGV[3]), width = tonumber(ARGV[4]), slot = tonumber(ARGV[5]) },
  { key = KEYS[2], max = tonumber(ARGV[6]), width = tonumber(ARGV[7]), slot = tonumber(ARGV[8]) },
}

local function read(key, index)
  local entry = redis.call('LINDEX', key, index)
  if not entry then return nil end
  local colon = string.find(entry, ':', 1, true)
  return tonumber(string.sub(entry, 1, colon - 1)), tonumber(string.sub(entry, colon + 1))
end

-- Numbers this large become "1.7e+12" by themselves.
local function written(last, count)
  return string.format('%.0f:%.0f', last, count)
end

-- 0 if there is room, else the first millisecond in which there will be.
local function opens_at(w)
  local newest, count = read(w.key, -1)
  if not newest then return 0 end
  local last = read(w.key, 1)
  while last and last <= now - w.width do
    redis.call('LPOP', w.key)
    last = read(w.key, 1)
  end
  local _, before = read(w.key, 0)
  if count - before < w.max then return 0 end
  -- The oldest slot whose leaving makes room: the first, unless the limit was lowered since.
  local low, high = 1, redis.call('LLEN', w.key) - 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    local _, there = read(w.key, middle)
    if count - there < w.max then high = middle else low = middle + 1 end
  end
  return read(w.key, low) + w.width
end

local function add(w)
  local last = now - now % w.slot + w.slot - 1
  local newest, count = read(w.key, -1)
  if not newest then
    redis.call('RPUSH', w.key, written(-1, 0))
    newest, count = -1, 0
  end
  -- A clock behind the newest call, stepped back or on another node, stands still until it has caught up: its calls
  -- count with the newest. Not so if that one has left the window, seen by a node whose clock is ahead.
  if newest >= last and redis.call('LLEN', w.key) > 1 then
    redis.call('LSET', w.key, -1, written(newest, count + 1))
  else
    redis.call('RPUSH', w.key, written(last, count + 1))
  end
  redis.call('PEXPIRE', w.key, w.width + w.slot + grace)
end

local opens = math.max(opens_at(windows[1]), opens_at(windows[2]))
if opens > 0 then return opens - now end
add(windows[1])
add(windows[2])
return 0
`

/** The braces make both lists of a key live on the same node of a cluster. */
const listsOf = (bucket: string, key: string): string[] =>
  ['burst', 'sustained'].map((window) => `sanad:limit:{${bucket}:${key}}:${window}`)

const GIVE_BACK = `
for _, key in ipairs(KEYS) do
  local entry = redis.call('LINDEX', key, -1)
  -- The first entry is where the window begins, and no call.
  if entry and redis.call('LLEN', key) > 1 then
    local colon = string.find(entry, ':', 1, true)
    local count = tonumber(string.sub(entry, colon + 1)) - 1
    local before = redis.call('LINDEX', key, -2)
    -- A slot without a call is no slot.
    if count <= tonumber(string.sub(before, string.find(before, ':', 1, true) + 1)) then
      redis.call('RPOP', key)
    else
      redis.call('LSET', key, -1, string.sub(entry, 1, colon) .. string.format('%.0f', count))
    end
  end
end
return 0
`

/** Counts the newest call of a key no more. */
export const giveBackScript = defineScript({
  SCRIPT: GIVE_BACK,
  NUMBER_OF_KEYS: 2,
  parseCommand(parser: CommandParser, bucket: string, key: string): void {
    for (const list of listsOf(bucket, key)) parser.pushKey(list)
  },
  transformReply: (done: number): number => done,
})

/** Answers 0 for an accepted call, else the milliseconds until one would be. */
export const takeScript = defineScript({
  SCRIPT,
  NUMBER_OF_KEYS: 2,
  parseCommand(parser: CommandParser, bucket: string, key: string, rule: Rule, now: number): void {
    for (const list of listsOf(bucket, key)) parser.pushKey(list)
    const { burst, sustained } = spansOf(rule)
    parser.push(String(now), String(GRACE_MS))
    for (const { max, window_ms, slot_ms } of [burst, sustained]) {
      parser.push(String(max), String(window_ms), String(slot_ms))
    }
  },
  transformReply: (wait_ms: number): number => wait_ms,
})
