-- The requests that wrk sends. Arguments: the kind of load, the token, a file, and a text that no other run uses.
--   get     one of the file's paths, at random
--   page    the same as a browser does: compressed, without a token
--   create  the file's bodies in order, each time with a new order id and a new idempotency key; the path is the first line
--   patch   the file's paths in order, each with a new reference
--   attach  the file's lines in order; a line is a path and its reference
--   send    signed requests of a phone, in order: first the path and the phone's id, then id, time, signature and body of each
-- Prints one line of JSON at the end: the answers and their times.
-- One thread: one counter is enough, and the second processor stays free for the service that is measured.

local kind, lines, nth, unique

local function read(path)
  local all = {}
  for line in io.lines(path) do all[#all + 1] = line end
  return all
end

function init(args)
  kind, unique = args[1], args[4]
  wrk.headers['Authorization'] = 'Bearer ' .. args[2]
  wrk.headers['Content-Type'] = kind ~= 'get' and kind ~= 'page' and 'application/json' or nil
  if kind == 'page' then
    wrk.headers['Authorization'] = nil
    wrk.headers['Accept-Encoding'] = 'gzip'
  end
  lines, nth = read(args[3]), 0
  local seed = os.time()
  for i = 1, #unique do seed = (seed * 31 + unique:byte(i)) % 4294967296 end
  math.randomseed(seed)
end

local function hex8() return string.format('%08x', math.random(0, 4294967295)) end
local function digits(n) return string.format('%0' .. n .. 'd', math.random(0, 10 ^ n - 1)) end

local make = {
  get = function() return wrk.format('GET', lines[math.random(#lines)]) end,
  page = function() return wrk.format('GET', lines[math.random(#lines)]) end,
  create = function()
    nth = nth + 1
    wrk.headers['SERVICE-IDEMPOTENCY-KEY'] = hex8() .. hex8() .. hex8() .. hex8()
    local order = unique .. '-' .. string.format('%09d', nth)
    local body = lines[(nth - 1) % (#lines - 1) + 2]
    return wrk.format('POST', lines[1], nil, (body:gsub('ORDER', order, 1)))
  end,
  patch = function()
    nth = nth + 1
    local path = lines[(nth - 1) % #lines + 1]
    return wrk.format('PATCH', path, nil, '{"reference": "' .. digits(8) .. digits(7) .. '"}')
  end,
}

make.attach = function()
  nth = nth + 1
  local path, reference = lines[(nth - 1) % #lines + 1]:match('^(.-)\t(.*)$')
  return wrk.format('PATCH', path, nil, '{"reference": "' .. reference .. '"}')
end

make.send = function()
  nth = nth + 1
  local path, device = lines[1]:match('^(.-)\t(.*)$')
  local id, time, signature, body = lines[(nth - 1) % (#lines - 1) + 2]:match('^(.-)\t(.-)\t(.-)\t(.*)$')
  return wrk.format('POST', path, {
    ['Content-Type'] = 'application/json', ['X-Service-Device'] = device, ['X-Service-Request-Id'] = id,
    ['X-Service-Timestamp'] = time, ['X-Service-Device-Signature'] = signature, ['Host'] = wrk.headers['Host'],
  }, body)
end

function request() return make[kind]() end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '{"requests":%d,"took_us":%d,"p50_us":%d,"p99_us":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.status, e.connect + e.read + e.write + e.timeout))
end
