/** 0087: a file of a member who was given some wallets says of which wallets it is; a file of all wallets is as it was. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueStory } from '../support/queue-story.ts'
import { openTestService } from '../support/story.ts'
import { createMember } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { demo, sql } = service
const story = await queueStory(service)
const { owner, accountId } = story
const name = 'فرع، التحرير "1"'
await sql('update wallets set name = $2 where id = $1', [demo.wallets.main, name])
await story.money('1500.00', story.newReference())

const member = await createMember(service, accountId, 'manager')
const shift = (await member.ask('POST', '/shifts/')).body.id
const today = (await owner.ask('GET', '/overview/')).body.date
const files = [
  ['/intents/csv/', `intents-${today}`],
  [`/day-close/sums/csv/?day=${today}`, `day-close-${today}`],
  [`/shifts/${shift}/csv/`, `shift-${today}-${shift}`],
] as const
const give = async (wallets: readonly string[] | null): Promise<void> => {
  const answer = await owner.ask('PATCH', `/members/${member.userId}/`, { body: { wallets } })
  assert.equal(answer.status, 200, answer.text)
}
const cellsIn = (line: string): string[] =>
  [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)|([^,]*)(?:,|$)/g)]
    .slice(0, -1)
    .map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '')

test('the name of a file says of which wallets it is, to a member who was given some', async () => {
  for (const [path, base] of files) {
    await give(null)
    const whole = await member.ask('GET', path)
    assert.equal(whole.headers['content-disposition'], `attachment; filename="${base}.csv"`)
    await give([demo.wallets.main])
    const some = await member.ask('GET', path)
    assert.equal(some.status, 200, some.text)
    const named = encodeURIComponent(`${base}-of-فرع-التحرير-1.csv`)
    assert.equal(
      some.headers['content-disposition'],
      `attachment; filename="${base}-some-wallets.csv"; filename*=UTF-8''${named}`,
    )
    await give([])
    const none = await member.ask('GET', path)
    assert.match(String(none.headers['content-disposition']), /-no-wallets\.csv$/)
  }
})

test('files with sums have a last column with the names of the wallets, in every line as many cells as in the head', async () => {
  for (const [path] of files.slice(1)) {
    await give(null)
    const whole = (await member.ask('GET', path)).text
    assert.doesNotMatch(whole.split('\r\n')[0]!, /wallets/)
    await give([demo.wallets.main])
    const [head = '', ...lines] = (await member.ask('GET', path)).text.trimEnd().split('\r\n')
    assert.equal(cellsIn(head).at(-1), 'wallets', head)
    assert.ok(lines.length > 0, path)
    for (const line of lines) {
      assert.equal(cellsIn(line).length, cellsIn(head).length, line)
      assert.equal(cellsIn(line).at(-1), name)
    }
  }
})
