/** What the counter loads at a first visit: the cashier's phone is on a slow network, and every byte is paid for. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMembers } from '../../../server/test/support/users.ts'
import { all } from '../../src/words/all.ts'
import { desktop, phone as narrow, openDashboard } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const staff = await createMembers(service)

const most_bytes = 230_000

for (const look of [narrow, desktop])
  test(`the counter loads under 230 kB in ${look.language}, with an empty cache, web fonts and headers included`, async (t) => {
    const page = await openAs(staff.cashier, look)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const names = new Map<string, string>()
    const sizes: { name: string; bytes: number }[] = []
    session.on('Network.responseReceived', ({ requestId, response }) => names.set(requestId, response.url))
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
      sizes.push({ name: names.get(requestId) ?? '', bytes: encodedDataLength }),
    )
    await visit(page, '/counter')
    await page.waitForFunction(() => document.documentElement.dataset.letters === 'ours')
    // Everything that is loaded without a touch begins within five seconds.
    await page.waitForTimeout(5_000)
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    const listed = sizes.map(({ name, bytes }) => `${bytes} ${name.replace(service.origin, '')}`).join('\n')
    t.diagnostic(`${total} bytes`)
    assert.ok(total > 100_000, 'the page is not loaded')
    assert.ok(total < most_bytes, `${total} bytes:\n${listed}`)
    for (const unwanted of [
      /\.mp3$/,
      /load-clips|positions/,
      /other-parts/,
      /answers/,
      /overlays/,
      /normal-[\w-]+\.woff2$/,
    ])
      assert.ok(!sizes.some(({ name }) => unwanted.test(name)), `${unwanted}:\n${listed}`)
    for (const wanted of [/\/counter$/, /assets\/counter-/, /part-400-[\w-]+\.woff2$/])
      assert.ok(
        sizes.some(({ name }) => wanted.test(name)),
        `${wanted}:\n${listed}`,
      )
  })

test('no text of the dashboard needs a whole web font: the parts have all of its characters', () => {
  const styles = readFileSync(join(import.meta.dirname, '../../src/frame/fonts/fonts.css'), 'utf8')
  const wholes = [...styles.matchAll(/url\("@fontsource[^}]*unicode-range:([^;]+);/g)].map(([, ranges]) =>
    [...ranges!.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].map(([, from, to = from]) =>
      [from, to].map((hex) => Number.parseInt(hex!, 16)),
    ),
  )
  assert.equal(wholes.length, 5)
  const characters = new Set(Object.values(all).flatMap((texts) => Object.values(texts).flatMap((text) => [...text])))
  assert.ok(characters.size > 100)
  const missing = [...characters].filter((character) => {
    const code = character.codePointAt(0)!
    return wholes.some((ranges) => ranges.some(([from, to]) => code >= from! && code <= to!))
  })
  assert.deepEqual(missing, [])
})
