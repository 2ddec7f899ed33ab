import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ProviderId, WalletId } from '../../core/ids.ts'
import { numberKey } from './account-number.ts'
import {
  entriesOfSame,
  identityOfNew,
  isSameWallet,
  type NumberAlias,
  obstacleToChange,
  type WalletEntry,
} from './wallet-identity.ts'

const [jawali, own] = ['jawali', 'own'] as ProviderId[]

const entry = (id: string, changes: Partial<WalletEntry> = {}): WalletEntry => ({
  id: id as WalletId,
  identity: id,
  name: id,
  providerId: jawali!,
  accountNumber: '770000001',
  senderName: 'Jawali',
  active: true,
  ...changes,
})

test('entries of two providers are one real wallet if number and sender are the same', () => {
  const one = entry('a')
  assert.ok(isSameWallet(one, entry('b', { providerId: own!, accountNumber: '+967 77 000 0001' })))
  assert.ok(!isSameWallet(one, entry('b', { providerId: own!, senderName: 'Jaib' })))
  assert.ok(!isSameWallet(entry('a', { senderName: '' }), entry('b', { providerId: own!, senderName: '' })))
  assert.ok(isSameWallet(one, entry('b', { senderName: 'Jaib' })), 'one provider needs no sender')
  assert.ok(!isSameWallet(entry('a', { accountNumber: '---' }), entry('b', { accountNumber: '---' })))
})

test('a corrected number still identifies its wallet', () => {
  const corrected = entry('a', { accountNumber: '770000002' })
  const aliases: NumberAlias[] = [{ providerId: jawali!, identity: 'a' }]
  assert.deepEqual(entriesOfSame(entry('new'), [corrected], aliases), [corrected])
  assert.deepEqual(entriesOfSame(entry('new', { providerId: own! }), [corrected], aliases), [corrected])
  assert.deepEqual(entriesOfSame(entry('new', { providerId: own!, senderName: 'X' }), [corrected], aliases), [])
})

test('a new entry shares the identity of closed ones; if they have two identities a user decides', () => {
  const [a, b] = [entry('a', { active: false }), entry('b', { active: false })]
  assert.deepEqual(identityOfNew([a]), { kind: 'shared', identity: 'a' })
  assert.deepEqual(identityOfNew([a, { ...b, identity: 'a' }]), { kind: 'shared', identity: 'a' })
  assert.deepEqual(identityOfNew([a, b]), { kind: 'closed', entry: a })
  assert.equal(identityOfNew([a, entry('c')]).kind, 'open')
})

test('existing twins can be changed, unless the change would open a second one', () => {
  const [one, twin] = [entry('a'), entry('b')]
  const renamed = { identity: 'a', before: one, after: { ...one, senderName: 'Other' } }
  assert.equal(obstacleToChange(renamed, { before: [twin], after: [twin], siblings: [] }), undefined)
  const opened = { identity: 'a', before: { ...one, active: false }, after: one }
  assert.equal(obstacleToChange(opened, { before: [twin], after: [twin], siblings: [] })?.kind, 'open')
})

test('a number that was corrected since still finds every entry of its identity', () => {
  const [closed, open] = [entry('a', { active: false }), entry('b', { identity: 'a', accountNumber: '770000002' })]
  const same = entriesOfSame(entry('new'), [closed, open], [])
  assert.deepEqual(same, [closed, open])
  assert.equal(identityOfNew(same).kind, 'open')
})

test('a number cannot be changed to that of another real wallet, not even one that shares an earlier number', () => {
  const other = entry('b', { accountNumber: '770000002' })
  const before = entry('a', { providerId: own! })
  const wallet = { identity: 'a', before, after: { ...before, accountNumber: '770000002' } }
  assert.equal(obstacleToChange(wallet, { before: [other], after: [other], siblings: [] })?.kind, 'open')
})

test('whatever is entered, corrected, closed and opened, no two open entries are one real wallet or share an identity', () => {
  const numbers = ['770000001', '+967 770000001', '770000002', '٧٧٠٠٠٠٠٠٢', '770000003']
  const step = fc.record({
    act: fc.constantFrom('create', 'number', 'provider', 'sender', 'close', 'open'),
    which: fc.nat(20),
    number: fc.constantFrom(...numbers),
    provider: fc.constantFrom(jawali!, own!),
    sender: fc.constantFrom('Jawali', 'Jaib', ''),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let entries: WalletEntry[] = []
      const aliases: (NumberAlias & { key: string })[] = []
      const same = (wallet: WalletEntry) =>
        entriesOfSame(
          wallet,
          entries,
          aliases.filter(({ key }) => key === numberKey(wallet.accountNumber)),
        )
      const remember = ({ providerId, accountNumber, identity }: WalletEntry) => {
        const key = numberKey(accountNumber)!
        if (!aliases.some((alias) => alias.key === key && alias.providerId === providerId))
          aliases.push({ providerId, identity, key })
      }
      for (const { act, which, number, provider, sender } of steps) {
        if (act === 'create' || entries.length === 0) {
          const id = `w${entries.length}`
          const created = entry(id, { accountNumber: number, providerId: provider, senderName: sender })
          const identity = identityOfNew(same(created))
          if (identity.kind === 'open' || identity.kind === 'closed') continue
          const stored = { ...created, identity: identity.kind === 'shared' ? identity.identity : id }
          entries = [...entries, stored]
          remember(stored)
        } else {
          const before = entries[which % entries.length]!
          const after: WalletEntry = {
            ...before,
            ...(act === 'number' ? { accountNumber: number } : {}),
            ...(act === 'provider' ? { providerId: provider } : {}),
            ...(act === 'sender' ? { senderName: sender } : {}),
            ...(act === 'close' ? { active: false } : act === 'open' ? { active: true } : {}),
          }
          const siblings = entries.filter(({ id, identity }) => id !== before.id && identity === before.identity)
          const obstacle = obstacleToChange(
            { identity: before.identity, before, after },
            { before: same(before), after: same(after), siblings },
          )
          if (obstacle !== undefined) continue
          entries = entries.map((one) => (one.id === before.id ? after : one))
          remember(after)
        }
        for (const one of entries)
          for (const other of entries) {
            if (one.id >= other.id) continue
            // One identity, so that money spent in one is spent in the other.
            if (isSameWallet(one, other)) assert.equal(one.identity, other.identity)
            if (one.active && other.active) assert.notEqual(one.identity, other.identity)
          }
      }
    }),
    { numRuns: 500 },
  )
})
