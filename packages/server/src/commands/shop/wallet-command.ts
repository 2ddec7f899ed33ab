/** `sanad wallet`: lists entries of one real wallet that do not share an identity, and merges two of them. */

import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import type { WalletId } from '../../core/ids.ts'
import { formatMinor } from '../../core/money.ts'
import type { ClashingAlert, Outcome } from '../../matching/merge/merge-plan.ts'
import { type Merge, type MergeRefusal, mergeWallets } from '../../matching/merge/merge-wallets.ts'
import { faultCode } from '../../postgres/connection/database.ts'
import { twinFacts } from '../../views/wallets/twin-facts-sql.ts'
import { findTwins } from '../../wallets/identity/find-twins.ts'
import { type AddTo, byCommand, idOf } from '../command-line.ts'

const sentences: Readonly<Record<MergeRefusal['why'], (names: readonly string[]) => string>> = {
  wallet_unknown: ([id]) => `There is no wallet ${id}.`,
  other_account: () => 'These are wallets of two accounts. Money of one is never money of the other.',
  test_wallet: () => 'The testing wallet is no real wallet.',
  already_one: () => 'These are entries of one real wallet already.',
  kept_is_closed: ([keep, other]) =>
    `"${keep}" is closed and "${other}" is open: keep the open one. Call it first: sanad wallet merge <open> <closed>.`,
  too_many_phones: ([keep]) => `"${keep}" would have more than 5 phones. Take some from the two wallets first.`,
  sale_open: ([wallet]) =>
    `money of ${wallet} was just taken as a sale, which can be undone for ten seconds: try again after that`,
  references_clash: (pairs) =>
    `Payments that wait hold the same reference: ${pairs.join('; ')}. Cancel one of each pair, or wait until it has expired.`,
}

/** SQLSTATE codes: another change of the same rows came first, or waited for the same locks. */
const changedMeanwhile = new Set(['23505', '40P01', '55P03'])

export const addTo: AddTo = (wallet, line) => {
  wallet
    .command('twins')
    .description('entries of one real wallet (provider and account number) that have different identities')
    .option('--json', 'print one JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const groups = await line.onStore('sanad wallet', async (db) => {
        const twins = await findTwins(db)
        const facts = new Map(
          (twins.length === 0
            ? []
            : await twinFacts(
                db,
                twins.flat().map(({ id }) => id),
              )
          ).map((row) => [row.id, row]),
        )
        return twins.map((group) =>
          group.map((entry) => {
            const row = facts.get(entry.id)!
            return {
              account: { id: row.account_id, name: row.account },
              id: entry.id,
              identity: entry.identity,
              name: entry.name,
              provider: row.provider,
              account_number: entry.accountNumber,
              open: entry.active,
              phones: JSON.parse(row.phones) as string[],
              intents: row.intents,
              alerts: row.alerts,
              verified: row.verified,
              verified_sum: formatMinor(row.verified_sum),
              forgiven_sum: formatMinor(row.forgiven_sum),
              currency: row.currency,
            }
          }),
        )
      })
      if (json) return line.say(JSON.stringify(groups))
      if (groups.length === 0) return line.say('No twins: every real wallet has one identity.')
      for (const group of groups) {
        const { account, provider, account_number: number } = group[0]!
        line.say(`${account.name} (${account.id}): ${provider} ${number}`)
        for (const entry of group) {
          line.say(`  ${entry.id}  ${entry.open ? 'open  ' : 'closed'}  ${entry.name}`)
          line.say(
            `    phones: ${entry.phones.join(', ') || 'none'}; ${entry.intents} intents, ${entry.verified} verified for ` +
              `${entry.verified_sum} ${entry.currency}; ${entry.alerts} alerts`,
          )
        }
      }
      line.say('')
      line.say('sanad wallet merge <keep> <other> shows what it would do; with --yes it does it.')
    })

  wallet
    .command('merge <keep> <other>')
    .description('give the other entry the identity of the one that is kept, and close it; without --yes only shown')
    .option('--yes', 'do it')
    .action(async (keep: string, other: string, { yes = false }: { yes?: boolean }) => {
      const options = { keep: idOf<WalletId>(keep), other: idOf<WalletId>(other), apply: yes }
      const result = await line
        .onStore('sanad wallet', (db) =>
          byCommand(db, (tx, audit) => mergeWallets(tx, audit, options, systemClock.now())),
        )
        .catch((fault: unknown) => {
          if (!changedMeanwhile.has(faultCode(fault) ?? '')) throw fault
          throw new CommandError('Something of these wallets changed meanwhile, and nothing was done. Run it again.')
        })
      if (result.kind === 'no') throw new CommandError(sentences[result.why](result.names))
      for (const text of mergeLines(result, yes)) line.say(text)
    })
}

const mergeLines = (merge: Merge, isApplied: boolean): string[] => {
  const { keep, others, outcomes, phonesMoved, phonesLeft } = merge
  const ofKind = (kind: Outcome['kind']): Outcome[] => outcomes.filter((outcome) => outcome.kind === kind)
  const twice = ofKind('credited_twice')
  const lines = [
    ...(merge.looksDifferent ? ['CAUTION: provider, number or sender differ. Are these really one wallet?'] : []),
    `kept           ${keep.id}  ${keep.name}`,
    ...others.map(({ id, name }) => `merged, closed ${id}  ${name}`),
    `phones         ${phonesMoved.length} moved to ${keep.name}`,
    ...(phonesLeft.length === 0
      ? []
      : [`               ${phonesLeft.length} not moved: another wallet there has the same sender`]),
    `duplicates     ${ofKind('duplicate').length} alerts repeat one of the other entry`,
    `for review     ${ofKind('review').length} alerts have a reference of the other entry and another amount`,
    `credited twice ${twice.length}`,
    ...twice.flatMap(({ reference, kept, dropped }) => [
      `  reference ${reference}:`,
      `    first  ${paymentText(kept)}`,
      `    again  ${paymentText(dropped)}`,
    ]),
    ...merge.intentsToBook.map(
      ({ payment, reference }) =>
        `payment ${payment} waits for reference ${reference}, which is in the queue: book it there`,
    ),
  ]
  return [...lines, isApplied ? 'Done.' : 'Nothing was changed. With --yes it is done.']
}

const paymentText = ({ payment, order, amount, currency }: ClashingAlert): string =>
  `payment ${payment}, ${formatMinor(amount)} ${currency}${order === '' ? '' : `, order ${order}`}`
