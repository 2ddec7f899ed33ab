/** `/overview/`: the figures of the day, and numbers for charts. */

import type { Currency } from '@sanad/contract/currency'
import {
  type Charts,
  type Overview,
  showCharts,
  showOverview,
  type WalletHealth,
} from '@sanad/contract/dashboard/money/overview'
import { memberMay } from '../../../accounts/people/permission.ts'
import type { Instant } from '../../../core/clock.ts'
import { formatMinor, type Minor, sum } from '../../../core/money.ts'
import { wholeOf } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { type Day, lastDays } from '../../../intents/totals/days.ts'
import { type FigurePeriods, figurePeriods } from '../../../intents/totals/figure-periods.ts'
import { figuresByDay, verifiedSince, waitingNow, waitsByDay } from '../../../intents/totals/figures-sql.ts'
import { addWaits, countWaits, histogramOf, readWaits, type Waits, waitAt_s } from '../../../intents/totals/waits.ts'
import { hasMoney } from '../../../views/arrived/arrived-sql.ts'
import { mostCounted, queueFigures } from '../../../views/queue/queue-figures-sql.ts'
import { listWallets, walletOf } from '../../../views/wallets/wallet-sql.ts'
import { bestPhone } from '../../../wallets/phones/choose-phone.ts'
import { type PhoneHealth, phonesHealth } from '../../../wallets/phones/phone-health-sql.ts'
import { signsOf } from '../../../wallets/silence/phone-signs.ts'
import { isSilent, silenceOf } from '../../../wallets/silence/silence.ts'
import { currencyOf, monitored, type Wallet } from '../../../wallets/wallet.ts'
import { countFailingEndpoints } from '../../../webhooks/health/failing-sql.ts'
import { invalid } from '../../answers.ts'
import { readWholeNumber } from '../../query/whole-number.ts'
import type { Reads } from '../../routes/route.ts'
import { arrivedToday } from '../money/arrived.ts'
import { askerOf, type Call, type Route, rightsOf, route } from '../route.ts'
import { timeOrNull } from '../time-text.ts'
import type { IntentRouteDeps } from './intent-deps.ts'

export const overviewRoutes = (deps: IntentRouteDeps): Route[] => [
  route(showOverview, (call) => overview(deps, call)),
  route(showCharts, (call) => charts(deps, call)),
]

const barDays = 14
const usualDays = 30
const mostDays = 92

type DayRow = Awaited<ReturnType<typeof figuresByDay>>[number]

type Sums = { readonly currency: string | null; readonly count: number; readonly sum: Minor }

const countOf = (rows: readonly { readonly count: number }[]): number => rows.reduce((all, row) => all + row.count, 0)

const sumOf = (rows: readonly { readonly sum: Minor }[]): string => formatMinor(sum(rows.map((row) => row.sum)))

/** `main`: the account's currency. Sums of other currencies are only in `sums`. */
const figure = (rows: readonly Sums[], main: string) => ({
  count: countOf(rows),
  sum: sumOf(rows.filter(({ currency }) => currency === main)),
  sums: [...Map.groupBy(rows, ({ currency }) => currency)].flatMap(([currency, ofIt]) =>
    currency === null ? [] : [{ currency, sum: sumOf(ofIt) }],
  ),
})

const received = (rows: readonly (Sums & { readonly forgiven: Minor })[], main: string) => {
  const ofMain = rows.filter(({ currency }) => currency === main)
  return {
    count: countOf(rows),
    sum: sumOf(ofMain),
    forgiven_amount: formatMinor(sum(ofMain.map((row) => row.forgiven))),
  }
}

const overview = async (deps: IntentRouteDeps, { member, now }: Call): Promise<Overview> => {
  const { scope } = member
  const { zone } = await deps.terms(scope.accountId, now)
  const days = lastDays(zone, scope.today === null ? barDays : 1, now)
  const today = days.at(-1)!
  const byDay = await figuresByDay(deps.db, scope, await periodsOf(deps, days, now), now)
  const verified = await verifiedSince(deps.db, scope, today.from)
  const waiting = await waitingNow(deps.db, scope, now)
  const queue = await queueFigures(deps.db, scope)
  const wallets = (await listWallets(deps.db, scope)).map(walletOf)
  const phones = await phonesHealth(deps.db, wholeOf(scope))
  const [failing] = memberMay(rightsOf(member), 'webhooks.read') ? await countFailingEndpoints(deps.db, scope, now) : []
  const [money] = await hasMoney(deps.db, scope)
  const arrived = await arrivedToday(deps.db, scope, wallets, zone, now)
  const main = currencyOf(wallets)
  const currencies = new Map(wallets.map(({ id, currency }) => [id as string, currency]))
  const inQueue = (state: string) =>
    figure(
      queue.filter((row) => row.state === state),
      main,
    )
  const ofDay = (day: number, status: DayRow['status']) =>
    byDay
      .filter((row) => row.day === day && row.status === status)
      .map((row) => ({ ...row, currency: currencies.get(row.wallet_id) ?? '' }))
  return {
    at: zone.format(new Date(now)),
    date: today.date,
    time_zone: zone.name,
    currency: main as Currency,
    arrived,
    has_money: money!.has_money || arrived.some(({ today }) => today.count > 0),
    verified_today: received(verified, main),
    waiting: {
      ...figure(waiting, main),
      without_reference: waiting.reduce((all, row) => all + row.without_reference, 0),
    },
    attention: {
      unmatched: inQueue('waiting'),
      review: inQueue('review'),
      held: inQueue('held'),
      unread: inQueue('unread').count,
      more: countOf(queue) >= mostCounted,
      wrong_amount: inQueue('wrong_amount'),
      wrong_amount_today: figure(ofDay(days.length - 1, 'WRONG_AMOUNT'), main),
      silent_phones: phones.filter((phone) => phone.switched_on && isPhoneSilent(phone, now)).length,
      failing_endpoints: failing?.count ?? 0,
    },
    days: days.map(({ date }, day) => ({
      date,
      created: countOf(byDay.filter((row) => row.day === day)),
      verified: received(ofDay(day, 'VERIFIED'), main),
      expired: countOf(ofDay(day, 'EXPIRED')),
      wrong_amount: countOf(ofDay(day, 'WRONG_AMOUNT')),
      cancelled: countOf(ofDay(day, 'CANCELLED')),
    })),
    wallets: wallets.map((wallet) => healthOf(wallet, phones, zone, now)),
  }
}

const isPhoneSilent = (phone: PhoneHealth, now: Instant): boolean => isSilent(signsOf(phone), now)

const silenceFacts = (phone: PhoneHealth) => {
  const silence = silenceOf(signsOf(phone))
  if (silence.kind === 'heartbeat') return { judged_by: 'heartbeat' as const, usual_s: null }
  if (silence.kind !== 'rhythm') return { judged_by: 'nothing' as const, usual_s: null }
  return { judged_by: 'messages' as const, usual_s: Math.round((silence.usualAt - phone.last_seen_at!) / 1000) }
}

const stateOf = (wallet: Wallet, phone: PhoneHealth | undefined, now: Instant): WalletHealth['state'] => {
  if (!wallet.active) return 'inactive'
  if (phone !== undefined && !phone.switched_on) return 'phone_off'
  if (!wallet.isTest && !monitored(wallet)) return 'unmonitored'
  return phone !== undefined && isPhoneSilent(phone, now) ? 'phone_silent' : 'offered'
}

/** A wallet's state, its phone, and whether that phone is silent. */
export const healthOf = (wallet: Wallet, phones: readonly PhoneHealth[], zone: Zone, now: Instant): WalletHealth => {
  const phone = bestPhone(wallet, phones, now)
  return {
    id: wallet.id,
    name: wallet.name,
    is_test: wallet.isTest,
    active: wallet.active,
    state: stateOf(wallet, phone, now),
    phone:
      phone === undefined
        ? null
        : {
            id: phone.id,
            name: phone.name,
            switched_on: phone.switched_on,
            silent: isPhoneSilent(phone, now),
            ...silenceFacts(phone),
            last_seen_at: timeOrNull(zone, phone.last_seen_at),
            last_alert_at: timeOrNull(zone, phone.last_alert_at),
          },
  }
}

const periodsOf = async (
  deps: Pick<IntentRouteDeps, 'talliedUntil'>,
  days: readonly Day[],
  now: Instant,
): Promise<FigurePeriods> =>
  figurePeriods(
    days.map(({ from }) => from),
    await deps.talliedUntil(now),
  )

const daysIn = (requested: string | undefined): number => {
  const count = requested === undefined ? usualDays : readWholeNumber(requested)
  if (count === undefined || count < 1 || count > mostDays)
    throw invalid([{ code: 'invalid', detail: `Ask for 1 to ${mostDays} days.`, attr: 'days' }])
  return count
}

const waitsAnswer = (waits: Waits) => ({
  count: countWaits(waits),
  p50_s: waitAt_s(waits, 0.5),
  p90_s: waitAt_s(waits, 0.9),
})

const charts = async (deps: IntentRouteDeps, call: Call & Reads<typeof showCharts>): Promise<Charts> => {
  const { query, member, now } = call
  const { scope } = member
  const zone = await call.zone()
  const asked = daysIn(query.days)
  const days = lastDays(zone, scope.today === null ? asked : 1, now)
  const { rows, stored } = await deps.reads.read('charts', askerOf(call), async (from) => {
    const periods = await periodsOf(from, days, now)
    const rows = await figuresByDay(from.db, scope, periods, now)
    // Stored times are of all wallets and of whole hours: a member with some wallets, or with today alone, gets none.
    const stored = scope.wallets === null && scope.today === null ? await waitsByDay(from.db, scope, periods) : []
    return { rows, stored }
  })
  const waits = stored.map((row) => ({
    ...row,
    waits: readWaits(row.waits),
  }))
  const wallets = (await listWallets(deps.db, scope)).map(walletOf).filter(({ isTest }) => !isTest)
  return {
    time_zone: zone.name,
    currency: currencyOf(wallets) as Currency,
    days: days.map(({ date }) => date),
    wallets: wallets.map(({ id, name }) => ({ id, name })),
    rows: rows.map((row) => ({
      date: days[row.day]!.date,
      wallet: row.wallet_id,
      status: row.status,
      count: row.count,
      sum: formatMinor(row.sum),
      forgiven_amount: formatMinor(row.forgiven),
    })),
    time_to_verify: {
      whole: waits.length === 0 ? null : waitsAnswer(addWaits(waits.map((row) => row.waits))),
      histogram: histogramOf(addWaits(waits.map((row) => row.waits))),
      days: days.flatMap(({ date }, day) => {
        const ofThisDay = waits.filter((row) => row.day === day).map((row) => row.waits)
        return ofThisDay.length === 0 ? [] : [{ date, ...waitsAnswer(addWaits(ofThisDay)) }]
      }),
    },
  }
}
