/** What the set-up page and the guide say about the size of the agent is what the service sends. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import Fastify from 'fastify'
import { agentFiles } from '../agent-files.ts'
import { agentSizes, appSteps } from './app-steps.ts'

const served = async (): Promise<{ readonly zipped: number; readonly plain: number }> => {
  const app = Fastify()
  await app.register(agentFiles('https://pay.example.com'))
  const file = async (headers: Record<string, string>): Promise<number> =>
    (await app.inject({ url: '/agent/sanad-agent.mjs', headers })).rawPayload.length
  const sizes = { zipped: await file({ 'accept-encoding': 'gzip' }), plain: await file({}) }
  await app.close()
  return sizes
}

test('the file of the agent has the size that the page and the guide state', async () => {
  const { zipped, plain } = await served()
  assert.equal(Math.round(zipped / 1000), agentSizes.ownFile_kb, `${zipped} bytes`)
  const guide = readFileSync(new URL('../../../../../docs/agent.md', import.meta.url), 'utf8')
  const [, kb, bytes, onDisk] = /\| the agent \| (\d+) KB compressed \(([\d,]+) bytes\) \| (\d+) KB \|/.exec(guide)!
  assert.equal(Number(kb), agentSizes.ownFile_kb)
  // Another version of the compressor may differ by some bytes.
  const stated = Number(bytes!.replaceAll(',', ''))
  assert.ok(Math.abs(zipped - stated) <= stated / 100, `${zipped} bytes are sent, ${stated} are stated`)
  assert.equal(Math.round(plain / 1000), Number(onDisk))
})

test('the page names the sizes before the download, in both languages', () => {
  const { good, install, settings } = appSteps.find(({ app }) => app === 'agent')!
  assert.match(good.en, new RegExp(`${agentSizes.ownFile_kb} kB`))
  assert.match(good.ar, new RegExp(`${agentSizes.ownFile_kb} كيلوبايت`))
  const together = Math.round((agentSizes.termux_mb + agentSizes.node_mb) / 10) * 10
  for (const text of [good.en, good.ar]) assert.ok(Number(/\b(\d{3})\b/.exec(text)![1]) >= together, text)
  assert.equal(install[0]!.about_mb, agentSizes.termux_mb)
  assert.ok(settings.some(({ text }) => /25 MB/.test(text.en)))
})
