import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMetrics } from '../http/metrics.ts'
import { addEnded, gaugeOf } from './sum-figures.ts'

const withAnswers = async (...statuses: readonly number[]) => {
  const metrics = openMetrics()
  for (const status of statuses) metrics.answered('GET', '/healthz', status, 3)
  return { metrics, own: await metrics.own() }
}

const line = (text: string, start: string): string | undefined => text.split('\n').find((one) => one.startsWith(start))

test('counters and histograms of several processes are summed, also of those that have ended', async () => {
  const [{ metrics, own }, second, ended] = [
    await withAnswers(200, 200),
    await withAnswers(200, 404),
    await withAnswers(200, 500),
  ]
  const gone = addEnded(addEnded([], ended.own), ended.own)
  const text = await metrics.textOf([own, second.own, gone])
  const count = (status: number) =>
    line(text, `sanad_http_duration_seconds_count{method="GET",route="/healthz",status="${status}"}`)?.split(' ')[1]
  assert.deepEqual([200, 404, 500, 503].map(count), ['5', '1', '2', undefined])
  assert.match(
    line(text, 'sanad_http_duration_seconds_bucket{le="0.005",method="GET",route="/healthz",status="200"}')!,
    / 5$/,
  )
})

test('gauges of a process that has ended are forgotten', async () => {
  const { metrics, own } = await withAnswers()
  const gauge = (value: number) => gaugeOf('sanad_memory_bytes', 'x', [{ value, labels: {} }])
  assert.deepEqual(
    addEnded([], [gauge(7)]).map(({ name }) => name),
    [],
  )
  const others = own.filter(({ name }) => name !== 'sanad_memory_bytes')
  assert.ok((await metrics.textOf([[...others, gauge(5)], [gauge(3)]])).includes('\nsanad_memory_bytes 8\n'))
})
