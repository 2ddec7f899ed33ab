/** The audit log as a file: all entries of the filters, those that the reader's role may see, and safe to open in a spreadsheet. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestService } from '../../support/story.ts'
import { createMembers } from '../../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { owner, manager, cashier } = await createMembers(service)
const phones = 7
for (let n = 0; n < phones; n++) {
  const answer = await owner.ask('POST', '/phones/', { body: { name: `=Phone ${n}, "quoted"` } })
  assert.equal(answer.status, 201, answer.text)
}
assert.equal((await owner.ask('POST', '/keys/', { body: { name: 'Secret shop' } })).status, 201)

const everything = async (member = owner, filter = '') => {
  const all: Record<string, unknown>[] = []
  for (let after = ''; ; ) {
    const { body } = await member.ask('GET', `/audit/?page_size=2${filter}${after}`)
    all.push(...body.results)
    if (body.next === null) return all
    after = `&after=${body.next}`
  }
}

test('JSON lines are the entries of the list, all of them and in its order', async () => {
  for (const filter of ['', '&kind=phone', '&action=key.create', '&user=00000000-0000-7000-8000-000000000000']) {
    const answer = await owner.ask('GET', `/audit/jsonl/?${filter.slice(1)}`)
    assert.equal(answer.status, 200, answer.text)
    assert.match(String(answer.headers['content-type']), /^application\/jsonl/)
    assert.match(String(answer.headers['content-disposition']), /^attachment; filename="audit-\d{4}-\d\d-\d\d\.jsonl"$/)
    const lines = answer.text === '' ? [] : answer.text.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      await everything(owner, filter),
    )
  }
})

test('the CSV has a line for each entry, and no cell is a formula', async () => {
  const answer = await owner.ask('GET', '/audit/csv/?action=phone.create')
  assert.equal(answer.status, 200)
  const lines = answer.text.trimEnd().split('\r\n')
  assert.equal(lines[0], '\uFEFFat,actor,via,action,kind,object,before,after,address,agent,user,id')
  assert.equal(lines.length, 1 + (await everything(owner, '&action=phone.create')).length)
  assert.doesNotMatch(answer.text, /(^|,)"?[=+@]/m)
})

test('a role gets what it may read: no entries of keys for a manager, nothing for a cashier; a wrong filter is refused', async () => {
  for (const file of ['csv', 'jsonl']) {
    const ofManager = await manager.ask('GET', `/audit/${file}/`)
    assert.equal(ofManager.status, 200)
    assert.ok(ofManager.text.includes('phone.create'))
    assert.ok(!ofManager.text.includes('key.create'))
    assert.equal((await cashier.ask('GET', `/audit/${file}/`)).status, 403)
    assert.equal((await owner.ask('GET', `/audit/${file}/?from=yesterday`)).status, 400)
    const head = await owner.ask('HEAD', `/audit/${file}/`, { undescribed: true })
    assert.deepEqual([head.status, head.text], [200, ''])
  }
})
