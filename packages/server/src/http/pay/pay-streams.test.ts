import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { LiveHub } from '../../accounts/live/live-hub.ts'
import type { AccountId } from '../../core/ids.ts'
import { payStreams } from './pay-streams.ts'

test('one link has at most ten streams at once; a draining node opens no stream', () => {
  const live = { listen: () => ({ leave: () => {} }) } as unknown as LiveHub
  const streams = payStreams({ live, onFault: (fault) => assert.fail(String(fault)) })
  const open = (token: string) => {
    const raw = Object.assign(new EventEmitter(), { write: () => true, end: () => {}, destroy: () => {} })
    streams.open({
      raw: raw as unknown as ServerResponse,
      token,
      accountId: 'account' as AccountId,
      watched: ['checkout'],
      read: async () => ({ key: 'OPEN', watched: ['checkout'] }),
    })
    return raw
  }
  const [first] = Array.from({ length: 10 }, () => open('a'))
  assert.deepEqual([streams.hasCapacity('a'), streams.hasCapacity('b')], [false, true])
  first!.emit('close')
  assert.equal(streams.hasCapacity('a'), true)
  streams.close()
  assert.deepEqual([streams.hasCapacity('a'), streams.hasCapacity('b')], [false, false])
})
