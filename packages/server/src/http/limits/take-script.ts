/**
 * The Lua script by which Redis counts: the same windows and slots as sliding-window.ts, in one atomic step.
 *
 * A window is a list of slots, oldest first, each written "last:count": the last millisecond that the slot covers, and the
 * number of all calls accepted until its end. The first entry is the last slot that has left the window: its count is the
 * start of the window, so there is no separate total that could differ from the list. Entries do not depend on the limit:
 * an operator may change a limit and the counts stay right.
 *
 * redis-limits.ts decides what happens without Redis.
 */

import { type CommandParser, defineScript } from 'redis'
import { minute_ms } from '../../core/duration.ts'
import type { Rule } from './rule.ts'
import { spansOf } from './sliding-window.ts'

/** How much longer than its window a list is kept, for nodes whose clocks differ. */
const GRACE_MS = minute_ms

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

-- Without a format, numbers this large are written as "1.7e+12".
local function entry_text(last, count)
  return string.format('%.0f:%.0f', last, count)
end

-- 0 if one more call is allowed now, else the first millisecond in which it will be.
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
  -- The slot after whose end a call is allowed: the first, unless the limit was lowered since.
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
    redis.call('RPUSH', w.key, entry_text(-1, 0))
    newest, count = -1, 0
  end
  -- If this clock is behind the newest call (it stepped back, or another node's clock is ahead), calls count in the newest
  -- slot until the clock has caught up. But not if that slot has already left the window by the clock of another node.
  if newest >= last and redis.call('LLEN', w.key) > 1 then
    redis.call('LSET', w.key, -1, entry_text(newest, count + 1))
  else
    redis.call('RPUSH', w.key, entry_text(last, count + 1))
  end
  redis.call('PEXPIRE', w.key, w.width + w.slot + grace)
end

local opens = math.max(opens_at(windows[1]), opens_at(windows[2]))
if opens > 0 then return opens - now end
add(windows[1])
add(windows[2])
return 0
`

/** The braces put both lists of a key on the same node of a cluster. */
const listsOf = (bucket: string, key: string): string[] =>
  ['burst', 'sustained'].map((window) => `sanad:limit:{${bucket}:${key}}:${window}`)

const GIVE_BACK = `
for _, key in ipairs(KEYS) do
  local entry = redis.call('LINDEX', key, -1)
  -- The first entry is the start of the window, not a call.
  if entry and redis.call('LLEN', key) > 1 then
    local colon = string.find(entry, ':', 1, true)
    local count = tonumber(string.sub(entry, colon + 1)) - 1
    local before = redis.call('LINDEX', key, -2)
    -- A slot without calls is removed.
    if count <= tonumber(string.sub(before, string.find(before, ':', 1, true) + 1)) then
      redis.call('RPOP', key)
    else
      redis.call('LSET', key, -1, string.sub(entry, 1, colon) .. string.format('%.0f', count))
    end
  end
end
return 0
`

/** Takes back the count of the newest call of a key. */
export const giveBackScript = defineScript({
  SCRIPT: GIVE_BACK,
  NUMBER_OF_KEYS: 2,
  parseCommand(parser: CommandParser, bucket: string, key: string): void {
    for (const list of listsOf(bucket, key)) parser.pushKey(list)
  },
  transformReply: (reply: number): number => reply,
})

/** Answers 0 for an accepted call, else the milliseconds until a call would be accepted. */
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
